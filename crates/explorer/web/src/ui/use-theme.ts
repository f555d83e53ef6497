import { useEffect, useState } from "preact/hooks";
import { theme, THEME_CHANGED, type Theme } from "./theme";

export function useTheme(): Theme {
  const [now, setNow] = useState(theme());
  useEffect(() => {
    const changed = () => setNow(theme());
    addEventListener(THEME_CHANGED, changed);
    return () => removeEventListener(THEME_CHANGED, changed);
  }, []);
  return now;
}
