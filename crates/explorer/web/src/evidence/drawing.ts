// Evidence as a drawing: positions, from the roots outwards as far as they fit.
import type { GraphExplanation, Position } from "../api/types";
import { type DrawnEdge, type DrawnNode, type Drawing, entryInto } from "../graph/types";
import { shorten } from "../graph/measure";
import { LETTER } from "../ui/words";
import { assignments } from "./columns";
import { sentence, stateName } from "./sentences";

const FIRST_NODES = 150;
const MOST_VARIABLES = 4;

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
  const nodes = [...shown].map((node) => positionNode(evidence, node, shown));
  const edges = [...shown].flatMap((node) => edgesOf(evidence, node, shown));
  return {
    nodes: [...nodes, ...entries.flatMap((one) => one.nodes)],
    edges: [...edges, ...entries.flatMap((one) => one.edges)],
  };
}

function positionNode(evidence: GraphExplanation, node: number, shown: ReadonlySet<number>): DrawnNode {
  const position = evidence.nodes[node]!;
  return {
    id: String(node),
    label: labelOf(evidence, position),
    role: "state",
    tone: position.value,
    title: sentence(evidence, position),
    more: position.successors.some((successor) => !shown.has(successor.node)),
    marked: position.why === "unknown",
  };
}

/** The value and the state, and below what is asked there; the variables of a machine each on a line, if they are few. */
function labelOf(evidence: GraphExplanation, position: Position): string {
  const name = stateName(evidence, position.state);
  const variables = assignments(name);
  const asked = shorten(position.subformula, 30) + (position.why === "unknown" ? "\n▲ cause of the unknown" : "");
  if (variables === undefined || variables.length > MOST_VARIABLES) return `${LETTER[position.value]}  ${shorten(name, 28)}\n${asked}`;
  return `${LETTER[position.value]}  ${name.split(",").join("\n")}\n${asked}`;
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
