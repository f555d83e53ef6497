// Runs before the first paint, so that a chosen theme does not flash in the other one.
import { applyTheme } from "./ui/theme";

applyTheme();
