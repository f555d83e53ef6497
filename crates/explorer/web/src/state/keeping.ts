// Changes of the texts outlive a reload of the page, in this tab and as long as the same program serves it.
import { token } from "../api/client";

const KEY = "tertium-texts";

export function keepTexts(texts: Record<string, string>) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ token: token(), texts }));
  } catch {
    sessionStorage.removeItem(KEY); // there is no room for them
  }
}

/** What was changed before the reload, of the files that there still are. */
export function keptTexts(files: Record<string, string>): Record<string, string> {
  const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as { token: string; texts: Record<string, string> } | null;
  if (kept === null || kept.token !== token()) return {};
  return Object.fromEntries(Object.entries(kept.texts).filter(([name]) => name in files));
}
