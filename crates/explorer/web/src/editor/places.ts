// Where the states that are looked at stand in the text.
import type { State } from "../state/store";
import type { Place } from "./editor";

/** The lines of the current states of the components in a `.tm` file, or the line of a program that comes next. */
export function placesOf(state: State, file: string): Place[] {
  const text = state.texts[file];
  if (text === undefined) return [];
  if (!file.endsWith(".tm")) return state.line === undefined ? [] : [lineIn(text, state.line)];
  return Object.entries(state.standing).flatMap(([component, name]) => {
    const place = stateIn(text, component, name);
    return place === undefined ? [] : [place];
  });
}

function lineIn(text: string, line: number): Place {
  const before = text.split("\n").slice(0, line - 1);
  const from = before.reduce((sum, one) => sum + one.length + 1, 0);
  return { from, to: from };
}

/** Looks for `name:` between the braces of the component. Comments are blanked out, so that they are not found. */
export function stateIn(text: string, component: string, name: string): Place | undefined {
  const plain = text.replace(/\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  const head = new RegExp(`\\b(?:component|safety)\\s+${escape(component)}\\b[^{;]*\\{`, "u").exec(plain);
  if (head === null) return undefined;
  const start = head.index + head[0].length;
  const line = new RegExp(`(^|[;\\s])(${escape(name)})\\s*:`, "u").exec(plain.slice(start, endOf(plain, start)));
  if (line === null) return undefined;
  const from = start + line.index + line[1]!.length;
  return { from, to: from + name.length };
}

/** Where the brace closes that was opened before `start`. */
function endOf(text: string, start: number): number {
  let depth = 1;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return text.length;
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
