// Shortcuts: one table, from which the keys work and the overlay is made.
import { cancel, check, checkAll } from "../state/checking";
import { questionsOf } from "../state/reading";
import { show } from "../state/route";
import { change, now, type View } from "../state/store";
import { toggleTheme } from "./theme";

export interface Shortcut {
  keys: string[];
  shown: string;
  says: string;
  where?: View;
  act: () => void;
}

/** What the evidence does with keys; the view puts it here while it is there. */
export const walking: Record<"forwards" | "backwards" | "next" | "previous" | "start", () => void> = {
  forwards: () => undefined,
  backwards: () => undefined,
  next: () => undefined,
  previous: () => undefined,
  start: () => undefined,
};

/** The same for the rounds of a refinement. */
export const timeline: Record<"forwards" | "backwards", () => void> = { forwards: () => undefined, backwards: () => undefined };

function besideProperty(step: number) {
  const names = questionsOf(now()).map((one) => one.name);
  if (names.length === 0) return;
  const at = names.indexOf(now().property ?? "");
  change({ property: names[(at + step + names.length) % names.length], node: undefined });
}

function checkThis() {
  const { property, method } = now();
  if (property !== undefined) void check([property], method);
}

export const SHORTCUTS: Shortcut[] = [
  { keys: ["1"], shown: "1", says: "the model", act: () => show("model") },
  { keys: ["2"], shown: "2", says: "the checks", act: () => show("checks") },
  { keys: ["3"], shown: "3", says: "the evidence", act: () => show("evidence") },
  { keys: ["4"], shown: "4", says: "the diagnosis", act: () => show("diagnosis") },
  { keys: ["5"], shown: "5", says: "a walk through the model", act: () => show("walk") },
  { keys: ["n"], shown: "n", says: "the next property", act: () => besideProperty(1) },
  { keys: ["p"], shown: "p", says: "the property before", act: () => besideProperty(-1) },
  { keys: ["c"], shown: "c", says: "check this property", act: checkThis },
  { keys: ["C"], shown: "Shift c", says: "check all properties", act: () => void checkAll() },
  { keys: ["Escape"], shown: "Esc", says: "cancel a check, close this", act: escape },
  { keys: ["t"], shown: "t", says: "dark or light", act: toggleTheme },
  { keys: ["?"], shown: "?", says: "this overview", act: () => change({ helpOpen: !now().helpOpen }) },
  { keys: ["ArrowRight", "l"], shown: "→ or l", says: "a step forwards", where: "evidence", act: () => walking.forwards() },
  { keys: ["ArrowLeft", "h"], shown: "← or h", says: "a step back", where: "evidence", act: () => walking.backwards() },
  { keys: ["ArrowDown", "j"], shown: "↓ or j", says: "the next branch", where: "evidence", act: () => walking.next() },
  { keys: ["ArrowUp", "k"], shown: "↑ or k", says: "the branch before", where: "evidence", act: () => walking.previous() },
  { keys: ["Home"], shown: "Home", says: "back to the start", where: "evidence", act: () => walking.start() },
  { keys: ["."], shown: ".", says: "the next round of the refinement", where: "diagnosis", act: () => timeline.forwards() },
  { keys: [","], shown: ",", says: "the round before", where: "diagnosis", act: () => timeline.backwards() },
];

function escape() {
  if (now().helpOpen) change({ helpOpen: false });
  else cancel();
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0] as HTMLElement;
  return target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName);
}

/** In the editor, where letters are text: leaves it, so that everything can be reached by keyboard. */
function whileTyping(event: KeyboardEvent) {
  if (event.key === "Escape") {
    (event.composedPath()[0] as HTMLElement).blur();
    document.querySelector<HTMLElement>("#views [aria-selected=true]")?.focus();
  }
}

function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented) return;
  if (isTyping(event)) return whileTyping(event);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const found = SHORTCUTS.find((one) => one.keys.includes(event.key) && (one.where === undefined || one.where === now().view));
  if (found === undefined) return;
  event.preventDefault();
  found.act();
}

export function listenToKeys() {
  addEventListener("keydown", onKey);
}
