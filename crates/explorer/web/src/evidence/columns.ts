// What a state consists of, as columns: components, or the variables of a machine.
import type { GraphExplanation, Member, TracedStep } from "../api/types";

export interface Column {
  head: string;
  /** The value in a state; undefined if it does not matter there. */
  of: (state: number) => string | undefined;
}

/** `at=resting,turn=1` as pairs, without those of the encoding; undefined if the name is of another form. */
export function assignments(name: string): [string, string][] | undefined {
  const pairs = name.split(",").map((part) => part.split("="));
  if (!pairs.every((pair) => pair.length === 2 && pair[0] !== "")) return undefined;
  return pairs.filter((pair) => !pair[0]!.startsWith("@")).map((pair): [string, string] => [pair[0]!, placeOf(pair[1]!)]);
}

const PLACES: Record<string, string> = { _end: "at its end", _absent: "not running" };

/** The place of a process as people say it: `line12_2` is the second statement of line 12. */
function placeOf(value: string): string {
  return PLACES[value] ?? value.replace(/^line(\d+)(_\d+)?$/, "line $1");
}

/** What the trace of a machine tells of each state: its variables, without those for control, and the step that led there. */
export function tracedColumns(evidence: GraphExplanation): { columns: Column[]; by: (row: number) => string } | undefined {
  const steps = evidence.trace?.steps ?? [];
  const machine = evidence.states.some((state) => state.members.some((member) => member !== null && assignments(member.name) !== undefined));
  if (!machine || steps.length === 0) return undefined;
  const names = [...new Set(steps.flatMap((step) => Object.keys(step.state)))];
  const value = (name: string, row: number) => {
    const told = steps[row]?.state[name];
    return told === undefined ? undefined : String(told);
  };
  return { columns: names.map((head) => ({ head, of: (row: number) => value(head, row) })), by: (row) => cause(steps[row]) };
}

function cause(step: TracedStep | undefined): string {
  if (step?.statement) return `${step.process ? `${step.process}: ` : ""}${step.statement}${step.line ? ` (line ${step.line})` : ""}`;
  if (step?.process) return `process ${step.process}`;
  return step?.action ?? Object.entries(step?.inputs ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
}

/** More variables would make a node too high. */
const MOST_VARIABLES = 4;

/** The variables that are others than before, each as `x=1`; of a first state all, as far as they fit. */
export function changes(variables: [string, string][], before: [string, string][] | undefined): string[] {
  const old = new Map(before);
  const lines = variables.filter(([name, value]) => old.get(name) !== value).map(([name, value]) => `${name}=${value}`);
  if (lines.length === 0) return ["nothing changes"];
  return lines.length <= MOST_VARIABLES ? lines : [...lines.slice(0, MOST_VARIABLES - 1), `… ${lines.length - MOST_VARIABLES + 1} more`];
}

export function columnsOf(evidence: GraphExplanation): Column[] {
  return evidence.components.flatMap((component, index) => {
    const member = (state: number): Member | null => evidence.states[state]?.members[index] ?? null;
    const names = evidence.states.flatMap((_, state) => member(state)?.name ?? []);
    const machine = names.length > 0 && names.every((name) => assignments(name) !== undefined);
    if (!machine) return [{ head: component, of: (state: number) => member(state)?.name }];
    const variables = [...new Set(names.flatMap((name) => assignments(name)!.map(([variable]) => variable)))];
    return variables.map((variable) => ({
      head: variable,
      of: (state: number) => assignments(member(state)?.name ?? "")?.find(([name]) => name === variable)?.[1],
    }));
  });
}
