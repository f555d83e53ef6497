// What stands in the editor, and what the server makes of it.
import { get, isAbort, post, Refusal } from "../api/client";
import type { Reading, Session } from "../api/types";
import { keepTexts, keptTexts } from "./keeping";
import { change, now, type Question, type State } from "./store";

/** Long enough for a word to be finished, short enough to seem at once. */
const PAUSE = 220;

let timer: ReturnType<typeof setTimeout> | undefined;
let asking: AbortController | undefined;

export async function begin() {
  try {
    const session = await get<Session>("/api/session");
    const texts = Object.fromEntries(session.files.filter((file) => file.text !== null).map((file) => [file.name, file.text!]));
    change({ session, texts: { ...texts, ...keptTexts(texts) }, file: now().file || (session.files[0]?.name ?? "") });
    if (Object.keys(changedTexts()).length > 0) change({ version: 1, notice: { text: "Your changes are still here.", undo: () => resetTo(texts) } });
    await read();
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown) {
  if (error instanceof Refusal) change({ gone: { message: error.message, help: error.help } });
  else if (!isAbort(error)) throw error;
}

type Texts = Record<string, string>;

/** How texts that were kept are put back to those of the files; the editor, once there is one, opens them anew. */
let resetTo = (texts: Texts) => Object.entries(texts).forEach(([file, text]) => edit(file, text));

export function onReset(act: (texts: Texts) => void) {
  resetTo = act;
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
  keepTexts(changedTexts());
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
  change({ reading, busyReading: false, gone: undefined });
  if (outline === null) return;
  const { property, component } = now();
  const names = [...outline.properties.map((one) => one.name), ...now().typed.map((one) => one.name)];
  const components = [...outline.components.map((one) => one.name), ...outline.parts];
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

/** How a question is put to the server, about the text that was last read. */
export function asked(state: State, name: string | undefined): object | undefined {
  const one = question(state, name);
  if (one === undefined || one.unsupported !== null || state.readable < 0) return undefined;
  const { deadlock, semantics } = state.options;
  const what = one.typed ? { formula: { logic: one.logic, text: one.formula } } : { property: one.name };
  return { texts: state.readTexts, ...what, deadlock, semantics };
}
