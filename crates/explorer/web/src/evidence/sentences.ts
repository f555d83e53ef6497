// Why a position has its value, in words.
import type { GraphExplanation, Position, Step } from "../api/types";

const HAS: Record<Position["value"], string> = { true: "holds", false: "fails", unknown: "is not known" };

export function arrow(step: Step | null): string {
  if (step === null) return "same state";
  const end = step.must ? (step.hyper ? "!>" : "->") : "?>";
  return step.action === null ? end : `-${step.action}${end}`;
}

export function stateName(evidence: GraphExplanation, state: number): string {
  const members = evidence.states[state]?.members ?? [];
  return members.map((member) => member?.name ?? "·").join(",");
}

/** What stands behind “because”. */
export function because(position: Position): string {
  const steps = position.successors.filter((successor) => successor.transition !== null).length;
  switch (position.why) {
    case "itself": return steps === 0 && position.subformula.includes(" ") ? "it is a label of the state, or no such transition exists" : "it is a label of the state";
    case "one": return one(position, steps);
    case "all": return all(position, steps);
    case "unfolding": return "the fixpoint is unfolded";
    case "unknown": return "the model leaves this undetermined: this is the cause of the unknown";
    case "throughout": return "it has this value on all continuations";
    case "unexplored": return "it was not explored: the limit of positions was reached";
  }
}

function one(position: Position, steps: number): string {
  const what = steps > 0 ? "transition" : "operand";
  return position.value === "unknown" ? `it depends on this ${what}, which is undetermined` : steps > 0 ? `it ${HAS[position.value]} after one transition, which suffices` : `one operand ${HAS[position.value]}, which suffices`;
}

function all(position: Position, steps: number): string {
  const [first] = position.successors;
  if (first?.transition?.hyper) return `one of these states is a must successor, and in each of them it ${HAS[position.value]}`;
  const many = position.successors.length;
  const verb = HAS[position.value];
  if (steps === many) return many === 1 ? `it ${verb} after the only transition` : `it ${verb} after each of ${many} transitions`;
  return many === 1 ? `its only operand ${verb}` : `each of its ${many} operands ${verb}`;
}

export function sentence(evidence: GraphExplanation, position: Position): string {
  return `In ${stateName(evidence, position.state)} \`${position.subformula}\` ${HAS[position.value]}, because ${because(position)}.`;
}

export function has(value: Position["value"]): string {
  return HAS[value];
}
