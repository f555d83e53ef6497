// Checks: one at a time, with what it is doing and has decided.
import { isAbort, Refusal, remove, stream } from "../api/client";
import type { Answer, CheckEvent, InputError, Value } from "../api/types";
import { changedTexts, question, questionsOf } from "./reading";
import { change, now, type Question, type Result, type Running, type Told } from "./store";

/** Sets of facts that would decide an unknown, at most. */
const SHOWN_CAUSES = 4;

export async function check(names: string[], method: string): Promise<void> {
  if (now().running !== undefined || names.length === 0) return;
  const stop = new AbortController();
  const running: Running = { version: now().version, job: undefined, method, names, answered: new Map(), before: 0, progress: undefined, rounds: [], stop };
  const without = now().complaints.filter((complaint) => !names.includes(complaint.name));
  change({ running, complaints: without });
  try {
    for (const body of bodies(names, method)) {
      await stream("/api/checks", body, stop.signal, take);
      if (stop.signal.aborted) break;
    }
  } catch (error) {
    if (error instanceof Refusal) names.forEach((name) => complain(name, error.message));
    else if (!isAbort(error)) throw error;
  } finally {
    const open = now().running?.names.filter((name) => !now().running?.answered.has(name)) ?? [];
    if (stop.signal.aborted) open.forEach((name) => complain(name, "You cancelled this check."));
    change({ running: undefined });
  }
}

/** Properties of the files and typed formulas cannot be asked for together. */
function bodies(names: string[], method: string): object[] {
  const wanted = names.map((name) => question(now(), name)).filter((one): one is Question => one !== undefined);
  const properties = wanted.filter((one) => !one.typed).map((one) => one.name);
  const formulas = wanted.filter((one) => one.typed).map((one) => ({ logic: one.logic, text: one.formula }));
  const { timeout, deadlock, semantics } = now().options;
  const rest = { texts: changedTexts(), method, causes: SHOWN_CAUSES, deadlock, semantics, ...(timeout === undefined ? {} : { timeout }) };
  return [...(properties.length > 0 ? [{ ...rest, properties }] : []), ...(formulas.length > 0 ? [{ ...rest, formulas }] : [])];
}

export function cancel() {
  const { running } = now();
  if (running === undefined) return;
  if (running.job !== undefined) void remove(`/api/checks/${running.job}`).catch(() => undefined);
  running.stop.abort();
}

export function checkAll() {
  const able = questionsOf(now()).filter((one) => one.unsupported === null);
  return check(able.map((one) => one.name), now().method);
}

function update(part: Partial<Running>) {
  const { running } = now();
  if (running !== undefined) change({ running: { ...running, ...part } });
}

function take(event: CheckEvent) {
  switch (event.event) {
    case "queued": return update({ job: event.job, before: event.before });
    case "started": return update({ job: event.job, before: 0 });
    case "progress": return update({ progress: event });
    case "round": return update({ rounds: [...(now().running?.rounds ?? []), { text: event.text, round: event.round }] });
    case "answer": return answered(event.answer);
    case "refused":
      complain(event.property, inWords(event.errors) ?? event.text);
      return update({ answered: new Map(now().running?.answered).set(event.property, "refused") });
    case "note": return remark(event.text, event.errors);
    default: return undefined;
  }
}

function remark(text: string, errors?: InputError[]) {
  if (text.startsWith("Error")) complain(now().running?.names[0] ?? "", inWords(errors) ?? text);
}

/** Errors as sentences: a picture of the text with its faults underlined is too wide for the list of properties. */
function inWords(errors?: InputError[]): string | undefined {
  if (errors === undefined || errors.length === 0) return undefined;
  const place = ({ file, line, column }: InputError) => {
    if (column === null) return "";
    return file?.startsWith("<--") ? `, at character ${column}` : `, in line ${line} of ${file}`;
  };
  return errors.map((error) => `${error.message}${place(error)}${error.help === null ? "" : `; ${error.help}`}`).join("\n");
}

function complain(name: string, text: string) {
  change({ complaints: [...now().complaints, { name, text }] });
}

function answered(answer: Answer) {
  const { running, results } = now();
  if (running === undefined) return;
  const result: Result = { answer, asked: running.method, version: running.version, rounds: running.rounds };
  const others = results.filter((one) => one.answer.property !== answer.property || one.asked !== running.method);
  change({ results: [...others, result] });
  note(answer.property, answer.verdict, running.version);
  update({ answered: new Map(running.answered).set(answer.property, answer.verdict), rounds: [], progress: undefined });
}

/** Keeps a verdict, however it was found. */
export function note(name: string, value: Value, version: number) {
  change({ verdicts: { ...now().verdicts, [name]: { value, version } } });
}

/** The newest answer to a question. */
export function resultOf(results: Result[], name: string): Result | undefined {
  return results.findLast((one) => one.answer.property === name);
}

/** What is known of the rounds of a refinement: of the one that runs, or of the last that was made. */
export function roundsOf(results: Result[], running: Running | undefined, name: string): Told[] {
  if (running !== undefined && running.rounds.length > 0 && running.names.includes(name)) return running.rounds;
  return results.findLast((one) => one.answer.property === name && one.rounds.length > 0)?.rounds ?? [];
}
