// What stands in the editor, and what the server makes of it.
import { get, isAbort, post, Refusal } from "../api/client";
import type { Reading, Session } from "../api/types";
import { change, now, type Question, type State } from "./store";

/** Long enough for a word to be finished, short enough to seem at once. */
const PAUSE = 220;

let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

export async function begin() {
  try {
    const session = await get<Session>("/api/session");
    const texts = Object.fromEntries(session.files.filter((file) => file.text !== null).map((file) => [file.name, file.text!]));
    change({ session, texts, file: now().file || (session.files[0]?.name ?? "") });
    await read();
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown) {
  if (error instanceof Refusal) change({ fatal: { message: error.message, help: error.help } });
  else if (!isAbort(error)) throw error;
}

export function edit(file: string, text: string) {
  const { texts, version } = now();
  if (texts[file] === text) return;
  change({ texts: { ...texts, [file]: text }, version: version + 1, busyReading: true });
  clearTimeout(timer);
  timer = setTimeout(() => void read(), PAUSE);
}

/** The texts that are not as the server has them. */
export function changedTexts(state: State = now()): Record<string, string> {
  const known = new Map(state.session?.files.map((file) => [file.name, file.text]));
  return Object.fromEntries(Object.entries(state.texts).filter(([name, text]) => known.get(name) !== text));
}

async function read() {
  asking?.abort();
  asking = new AbortController();
  const { version } = now();
  try {
    const reading = await post<Reading>("/api/read", { texts: changedTexts() }, asking.signal);
    if (version === now().version) take(reading, version);
  } catch (error) {
    fail(error);
  }
}

function take(reading: Reading, version: number) {
  const { outline } = reading;
  change({ reading, busyReading: false, fatal: undefined });
  if (outline === null) return;
  const { property, component } = now();
  const names = [...outline.properties.map((one) => one.name), ...now().typed.map((one) => one.name)];
  const components = outline.components.map((one) => one.name);
  change({
    outline,
    readable: version,
    readTexts: changedTexts(),
    property: property !== undefined && names.includes(property) ? property : names[0],
    component: component === null || (component !== undefined && components.includes(component)) ? component : components[0],
  });
}

export function questionsOf(state: State): Question[] {
  const written = state.outline?.properties.map((one) => ({ ...one, typed: false })) ?? [];
  return [...written, ...state.typed];
}

export function question(state: State, name: string | undefined): Question | undefined {
  return questionsOf(state).find((one) => one.name === name);
}

/** How a question is put to the server. */
export function asked(one: Question): { property: string } | { formula: { logic: string; text: string } } {
  return one.typed ? { formula: { logic: one.logic, text: one.formula } } : { property: one.name };
}
