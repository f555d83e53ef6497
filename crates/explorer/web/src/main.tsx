import { render } from "preact";
import { App } from "./app";
import { begin } from "./state/reading";
import { startRouting } from "./state/route";
import { listenToKeys } from "./ui/keys";
import "./styles/app.css";

const page = document.getElementById("page")!;
page.replaceChildren();
startRouting();
render(<App />, page);
listenToKeys();
void begin()
  .then(() => import("./graph/layout"))
  .then(({ warmUp }) => warmUp());
