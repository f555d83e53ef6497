// Games as drawings: nodes with their colours, or, if there are too many, the groups that they fall into.
import type { GameGraph, GameGroup, GameNode, Subformula } from "../api/types";
import { LETTER } from "../ui/words";
import { shorten } from "./measure";
import { kindOf } from "./model-drawing";
import { type DrawnEdge, type DrawnNode, type Drawing, entryInto } from "./types";
import { united } from "./union";

const MOVES: Record<string, string> = { verifier: "∨", falsifier: "∧" };

function head(colour: GameNode["colour"], owner: GameNode["owner"]): string {
  return owner === null ? LETTER[colour] : `${LETTER[colour]} ${MOVES[owner]}`;
}

export function drawGame(graph: GameGraph, subformulas: Subformula[]): Drawing {
  if (graph.groups.length > 0) return drawGroups(graph, subformulas);
  const entries = graph.nodes.filter((node) => node.initial).map((node) => entryInto(String(node.id)));
  return {
    nodes: [...graph.nodes.map((node) => gameNode(node, subformulas)), ...entries.flatMap((one) => one.nodes)],
    edges: [...graph.edges.map(gameEdge), ...entries.flatMap((one) => one.edges)],
  };
}

export function textOf(subformulas: Subformula[], id: number): string {
  return subformulas.find((one) => one.id === id)?.text ?? "";
}

function gameNode(node: GameNode, subformulas: Subformula[]): DrawnNode {
  const text = textOf(subformulas, node.subformula);
  return {
    id: String(node.id),
    label: `${head(node.colour, node.owner)}  ${shorten(node.state, 26)}\n${shorten(text, 30)}`,
    role: "state",
    tone: node.colour,
    title: `${text} in ${node.state} is ${node.colour}${node.frontier ? ", at the border of the ?-subgraph" : ""}`,
    more: node.more > 0,
  };
}

function gameEdge(edge: GameGraph["edges"][number]): DrawnEdge {
  return {
    id: `${edge.from}>${edge.to}:${edge.may}${edge.must}`,
    source: String(edge.from),
    target: String(edge.to),
    kind: edge.step ? kindOf(edge) : "same",
  };
}

function drawGroups(graph: GameGraph, subformulas: Subformula[]): Drawing {
  const entries = graph.groups.filter((group) => group.initial > 0).map((group) => entryInto(group.id));
  const known = new Set(graph.groups.map((group) => group.id));
  const bundles = graph.bundles
    .filter((bundle) => known.has(bundle.from) && known.has(bundle.to))
    .map((bundle): DrawnEdge => ({
      id: `${bundle.from}>${bundle.to}`,
      source: bundle.from,
      target: bundle.to,
      kind: bundle.open === bundle.count ? "may" : "must",
      label: bundle.count.toLocaleString("en"),
    }));
  return {
    nodes: [...graph.groups.map((group) => groupNode(group, subformulas)), ...entries.flatMap((one) => one.nodes)],
    edges: [...bundles, ...entries.flatMap((one) => one.edges)],
  };
}

function groupNode(group: GameGroup, subformulas: Subformula[]): DrawnNode {
  const text = textOf(subformulas, group.subformula);
  const many = group.count.toLocaleString("en");
  return {
    id: group.id,
    label: `${head(group.colour, group.owner)}  ${many} nodes\n${shorten(text, 30)}`,
    role: "group",
    tone: group.colour,
    title: `${many} nodes of ${text} are ${group.colour}`,
  };
}

/** A game that is opened here and there; its summary gives way to what was opened. */
export function mergedGames(old: GameGraph | undefined, found: GameGraph): GameGraph {
  return old === undefined || old.groups.length > 0 ? found : { ...old, ...united(old, found) };
}
