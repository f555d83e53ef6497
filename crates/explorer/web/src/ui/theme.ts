// Dark and light: the setting of the system, unless the user has chosen.

export type Theme = "light" | "dark";
const KEY = "tertium-theme";
export const THEME_CHANGED = "tertium-theme";
const wantsDark = matchMedia("(prefers-color-scheme: dark)");
const wantsLess = matchMedia("(prefers-reduced-motion: reduce)");

function chosen(): Theme | undefined {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : undefined;
}

export function theme(): Theme {
  return chosen() ?? (wantsDark.matches ? "dark" : "light");
}

export function wantsStillness(): boolean {
  return wantsLess.matches;
}

export function applyTheme() {
  document.documentElement.dataset.theme = theme();
  dispatchEvent(new Event(THEME_CHANGED));
}

export function toggleTheme() {
  const next = theme() === "dark" ? "light" : "dark";
  const asSystem = next === (wantsDark.matches ? "dark" : "light");
  if (asSystem) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  applyTheme();
}

wantsDark.addEventListener("change", applyTheme);
