// Why a position has its value, in words.
import type { GraphExplanation, Position, Step } from "../api/types";

const HAS: Record<Position["value"], string> = { true: "holds", false: "fails", unknown: "is not known" };

export function arrow(step: Step | null): string {
  if (step === null) return "same state";
  const end = step.sure ? (step.one_of ? "!>" : "->") : "?>";
  return step.action === null ? end : `-${step.action}${end}`;
}

export function stateName(evidence: GraphExplanation, state: number): string {
  const members = evidence.states[state]?.members ?? [];
  return members.map((member) => member?.name ?? "·").join(",");
}

/** What stands behind “because”. */
export function because(position: Position): string {
  const steps = position.sons.filter((son) => son.step !== null).length;
  switch (position.why) {
    case "itself": return steps === 0 && position.subformula.includes(" ") ? "the state says so, or no such step is there" : "the state says so";
    case "one": return one(position, steps);
    case "all": return all(position, steps);
    case "unfolding": return "that is what the fixpoint stands for";
    case "missing": return "the model does not say enough here: this is where the doubt begins";
    case "throughout": return "all that can follow counts, which is too much to be told";
    case "cut": return "this was not looked at: there are too many positions";
  }
}

function one(position: Position, steps: number): string {
  const what = steps > 0 ? "step" : "part";
  return position.value === "unknown" ? `it depends on this ${what}, of which it is not known` : `one ${what} is enough, and here it is`;
}

function all(position: Position, steps: number): string {
  const [first] = position.sons;
  if (first?.step?.one_of) return `one of these states must follow, and in each of them it ${HAS[position.value]}`;
  const many = position.sons.length;
  const verb = HAS[position.value];
  if (steps === many) return many === 1 ? `it ${verb} after the only step` : `it ${verb} after each of ${many} steps`;
  return many === 1 ? `its only part ${verb}` : `each of its ${many} parts ${verb}`;
}

export function sentence(evidence: GraphExplanation, position: Position): string {
  return `In ${stateName(evidence, position.state)} \`${position.subformula}\` ${HAS[position.value]}, because ${because(position)}.`;
}

export function has(value: Position["value"]): string {
  return HAS[value];
}
