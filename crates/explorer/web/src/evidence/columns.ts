// What a state consists of, as columns: components, or the variables of a machine.
import type { GraphExplanation, Member } from "../api/types";

export interface Column {
  head: string;
  /** The value in a state; undefined if it does not matter there. */
  of: (state: number) => string | undefined;
}

/** `at=resting,turn=1` as pairs, without those of the encoding; undefined if the name is of another form. */
export function assignments(name: string): [string, string][] | undefined {
  const pairs = name.split(",").map((part) => part.split("="));
  const told = pairs.filter((pair) => !pair[0]!.startsWith("@"));
  return pairs.every((pair) => pair.length === 2 && pair[0] !== "") ? (told as [string, string][]) : undefined;
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
