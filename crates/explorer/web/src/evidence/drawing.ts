// Evidence as a drawing: positions, from the roots outwards as far as they fit.
import type { GraphExplanation, Position } from "../api/types";
import { type DrawnEdge, type DrawnNode, type Drawing, entryInto } from "../graph/types";
import { shorten } from "../graph/measure";
import { LETTER } from "../ui/words";
import { assignments, changes } from "./columns";
import { sentence, stateName } from "./sentences";

const FIRST_NODES = 150;

/** The positions that are drawn at first: those nearest to the roots. */
export function nearest(evidence: GraphExplanation, most = FIRST_NODES): Set<number> {
  const found = new Set(evidence.roots);
  for (const node of found) {
    if (found.size >= most) break;
    evidence.nodes[node]!.successors.forEach((successor) => found.size < most && found.add(successor.node));
  }
  return found;
}

export function drawEvidence(evidence: GraphExplanation, shown: ReadonlySet<number>): Drawing {
  const entries = evidence.roots.map((root) => entryInto(String(root)));
  const before = statesBefore(evidence);
  const nodes = [...shown].map((node) => positionNode(evidence, node, shown, before.get(node)));
  const edges = [...shown].flatMap((node) => edgesOf(evidence, node, shown));
  return {
    nodes: [...nodes, ...entries.flatMap((one) => one.nodes)],
    edges: [...edges, ...entries.flatMap((one) => one.edges)],
  };
}

/** By position: the state from which it is come to first; nothing of a root. */
function statesBefore(evidence: GraphExplanation): Map<number, number> {
  const before = new Map<number, number>();
  const queue = [...evidence.roots];
  const seen = new Set(queue);
  for (const node of queue) {
    for (const successor of evidence.nodes[node]!.successors) {
      if (seen.has(successor.node)) continue;
      seen.add(successor.node);
      before.set(successor.node, evidence.nodes[node]!.state);
      queue.push(successor.node);
    }
  }
  return before;
}

function positionNode(evidence: GraphExplanation, node: number, shown: ReadonlySet<number>, before: number | undefined): DrawnNode {
  const position = evidence.nodes[node]!;
  return {
    id: String(node),
    label: labelOf(evidence, position, before),
    role: "state",
    tone: position.value,
    title: sentence(evidence, position),
    more: position.successors.some((successor) => !shown.has(successor.node)),
    marked: position.why === "unknown",
  };
}

/** The value and the state, and below what is asked there; of a machine the variables that have changed, each on a line. */
function labelOf(evidence: GraphExplanation, position: Position, before: number | undefined): string {
  const name = stateName(evidence, position.state);
  const variables = assignments(name);
  const asked = shorten(position.subformula, 30) + (position.why === "unknown" ? "\n▲ cause of the unknown" : "");
  const letter = LETTER[position.value];
  if (variables === undefined) return `${letter}  ${shorten(name, 28)}\n${asked}`;
  if (before === position.state) return `${letter}  same state\n${asked}`;
  const old = before === undefined ? undefined : assignments(stateName(evidence, before));
  return `${letter}  ${changes(variables, old).join("\n")}\n${asked}`;
}

export function edgeId(from: number, to: number): string {
  return `${from}>${to}`;
}

function edgesOf(evidence: GraphExplanation, node: number, shown: ReadonlySet<number>): DrawnEdge[] {
  const drawn = new Map<string, DrawnEdge>();
  for (const successor of evidence.nodes[node]!.successors) {
    if (!shown.has(successor.node)) continue;
    const id = edgeId(node, successor.node);
    const edge: DrawnEdge = { id, source: String(node), target: String(successor.node), kind: edgeKind(successor) };
    const action = successor.transition?.action;
    const label = [drawn.get(id)?.label, action].filter(Boolean).join(", ");
    drawn.set(id, label === "" ? edge : { ...edge, label });
  }
  return [...drawn.values()];
}

function edgeKind(successor: Position["successors"][number]) {
  if (successor.transition === null) return "same";
  return successor.transition.must ? "must" : "may";
}
