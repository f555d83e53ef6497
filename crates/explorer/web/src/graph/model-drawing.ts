// A component, as the server tells it, as a drawing.
import type { ModelEdge, ModelGraph, ModelNode } from "../api/types";
import { type DrawnEdge, type DrawnNode, type Drawing, type EdgeKind, entryInto } from "./types";
import { united } from "./union";

export function drawModel(graph: ModelGraph): Drawing {
  const entries = graph.nodes.filter((node) => node.initial).map((node) => entryInto(String(node.id)));
  const machine = graph.nodes.every((node) => node.name.includes("="));
  const forks = graph.hyper.filter((hyper) => hyper.inside).map(fork);
  return {
    nodes: [...graph.nodes.map((node) => stateNode(node, machine)), ...entries.flatMap((one) => one.nodes), ...forks.flatMap((one) => one.nodes)],
    edges: [...merged(graph.edges), ...entries.flatMap((one) => one.edges), ...forks.flatMap((one) => one.edges)],
  };
}

/** What is true and what is open; what is false would only fill the drawing. */
function labels(node: ModelNode): string {
  return [...node.true, ...node.unknown.map((prop) => `${prop}?`)].join(" ");
}

/** More variables than this would make a node too high. */
const MOST_LINES = 7;

/** The state of a machine is what its variables are: one on each line. */
function variables(name: string): string {
  const lines = name.split(",");
  return lines.length <= MOST_LINES ? lines.join("\n") : [...lines.slice(0, MOST_LINES - 1), `… ${lines.length - MOST_LINES + 1} more`].join("\n");
}

function stateNode(node: ModelNode, machine: boolean): DrawnNode {
  const said = labels(node);
  const named = said === "" ? node.name : `${node.name}\n${said}`;
  return {
    id: String(node.id),
    label: machine ? variables(node.name) : named,
    role: "state",
    tone: node.unknown.length > 0 ? "unknown" : "plain",
    title: `state ${node.name}${node.initial ? ", initial" : ""}${said === "" ? "" : `, ${said}`}, ${node.out} transitions out`,
    more: node.more > 0,
  };
}

export function kindOf(edge: { may: boolean; must: boolean }): EdgeKind {
  if (edge.may && edge.must) return "must";
  return edge.must ? "mustonly" : "may";
}

/** Actions between the same states share an arrow, if they are as sure as each other. */
function merged(edges: ModelEdge[]): DrawnEdge[] {
  const bundles = new Map<string, ModelEdge[]>();
  for (const edge of edges) {
    const key = `${edge.from}>${edge.to}:${kindOf(edge)}`;
    const bundle = bundles.get(key);
    if (bundle === undefined) bundles.set(key, [edge]);
    else bundle.push(edge);
  }
  return [...bundles].map(([id, bundle]) => drawnEdge(id, bundle));
}

function drawnEdge(id: string, bundle: ModelEdge[]): DrawnEdge {
  const first = bundle[0]!;
  const actions = bundle.flatMap((edge) => edge.action ?? []);
  const sign = kindOf(first) === "may" ? "?" : kindOf(first) === "mustonly" ? "!" : "";
  const label = actions.map((action) => action + sign).join(", ") || (sign === "!" ? "!" : "");
  const drawn: DrawnEdge = { id, source: String(first.from), target: String(first.to), kind: kindOf(first) };
  return label === "" ? drawn : { ...drawn, label };
}

function fork(hyper: { from: number; to: number[] }): Drawing {
  const id = `fork:${hyper.from}>${hyper.to.join(",")}`;
  const legs = hyper.to.map((to): DrawnEdge => ({ id: `${id}:${to}`, source: id, target: String(to), kind: "must" }));
  return {
    nodes: [{ id, label: "", role: "fork", tone: "plain", title: "must hyper-transition" }],
    edges: [{ id: `${id}<`, source: String(hyper.from), target: id, kind: "mustonly" }, ...legs],
  };
}

export function emptyModel(like: ModelGraph): ModelGraph {
  return { ...like, nodes: [], edges: [], hyper: [], complete: false };
}

/** Puts two parts of the same component together. */
export function grown(old: ModelGraph, found: ModelGraph): ModelGraph {
  const { nodes, edges } = united(old, found);
  const drawn = new Set(nodes.map((node) => node.id));
  const complete = drawn.size === old.states;
  const hyper = new Map([...old.hyper, ...found.hyper].map((one) => [`${one.from}>${one.to}`, { ...one, inside: one.to.every((to) => drawn.has(to)) }]));
  return { ...old, nodes: complete ? nodes.map((node) => ({ ...node, more: 0 })) : nodes, edges, hyper: [...hyper.values()], complete };
}
