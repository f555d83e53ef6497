// Where nodes go: elk's layered layout, in a worker so that the page answers meanwhile.
import ELK, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk-api";
import { sizeOf } from "./measure";
import type { DrawnEdge, Drawing } from "./types";

export interface Point {
  x: number;
  y: number;
}

export interface Placement {
  /** The middle of each node. */
  nodes: Map<string, Point>;
  /** Each edge from end to end, with its corners. */
  routes: Map<string, Point[]>;
  /** The middle of the label of each edge that has one. */
  labels: Map<string, Point>;
}

/** In layers from the start downwards or to the right, or spread over the room that there is. */
export type Manner = "layers" | "row" | "spread";

let engine: InstanceType<typeof ELK> | undefined;

function elk() {
  engine ??= new ELK({ workerFactory: () => new Worker(new URL("elk-worker.js", document.baseURI)) });
  return engine;
}

/** Up to so many nodes elk's best effort is quick enough, and from so many on only its least. */
const FEW = 60;
const MANY = 400;

/** Starts the worker before the first layout needs it. */
export function warmUp() {
  void elk().layout({ id: "nothing", children: [] });
}

/** Slanted edges look better, but push the layers of a large drawing far apart. */
function effort(nodes: number): Record<string, string> {
  if (nodes <= FEW) {
    return {
      "elk.edgeRouting": "POLYLINE",
      "elk.layered.thoroughness": "9",
      "elk.layered.nodePlacement.strategy": "NETWORK_SIMPLEX",
      "elk.spacing.edgeNode": "22",
      "elk.spacing.edgeEdge": "14",
    };
  }
  return {
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.layered.thoroughness": nodes < MANY ? "4" : "2",
    "elk.layered.nodePlacement.strategy": "BRANDES_KOEPF",
    "elk.spacing.edgeNode": "12",
    "elk.spacing.edgeEdge": "8",
    "elk.layered.spacing.edgeEdgeBetweenLayers": "6",
    "elk.layered.spacing.edgeNodeBetweenLayers": "10",
  };
}

/** Nodes near to those that they have edges with; wide ones further away. */
function spread(drawing: Drawing): Record<string, string> {
  const widest = Math.max(...drawing.nodes.map((node) => sizeOf(node).width));
  return { "elk.algorithm": "stress", "elk.stress.desiredEdgeLength": String(Math.max(125, widest * 1.15)), "elk.separateConnectedComponents": "false" };
}

function layered(nodes: number, direction: "DOWN" | "RIGHT"): Record<string, string> {
  return {
    "elk.algorithm": "layered",
    "elk.direction": direction,
    "elk.layered.spacing.nodeNodeBetweenLayers": "46",
    "elk.spacing.nodeNode": "30",
    "elk.spacing.componentComponent": "48",
    "elk.aspectRatio": "1.5",
    ...effort(nodes),
    "elk.layered.cycleBreaking.strategy": nodes >= MANY ? "GREEDY" : "BFS_NODE_ORDER",
  };
}

function elkGraph(drawing: Drawing, manner: Manner): ElkNode {
  const loops = new Set(drawing.edges.filter((edge) => edge.source === edge.target).map((edge) => edge.id));
  return {
    id: "drawing",
    layoutOptions: manner === "spread" ? spread(drawing) : layered(drawing.nodes.length, manner === "row" ? "RIGHT" : "DOWN"),
    children: drawing.nodes.map((node) => ({ id: node.id, ...sizeOf(node) })),
    edges: drawing.edges.filter((edge) => !loops.has(edge.id)).map((edge) => elkEdge(edge, drawing.edges.length <= MOST_LABELS)),
  };
}

/** To elk a label is one node more; in large drawings they lie where the edges happen to be. */
const MOST_LABELS = 120;

/** A label lies on its edge, not beside it. */
const INLINE = { "elk.edgeLabels.inline": "true", "elk.edgeLabels.placement": "CENTER" };

function elkEdge(edge: DrawnEdge, labelled: boolean): ElkExtendedEdge {
  const width = (edge.label?.length ?? 0) * 6.6;
  const labels = labelled && edge.label ? [{ text: edge.label, width, height: 14, layoutOptions: INLINE }] : [];
  return { id: edge.id, sources: [edge.source], targets: [edge.target], labels };
}

export async function place(drawing: Drawing, manner: Manner): Promise<Placement> {
  if (drawing.nodes.length === 0) return { nodes: new Map(), routes: new Map(), labels: new Map() };
  const done = await elk().layout(elkGraph(drawing, manner));
  const nodes = new Map<string, Point>();
  for (const child of done.children ?? []) {
    nodes.set(child.id, { x: child.x! + child.width! / 2, y: child.y! + child.height! / 2 });
  }
  const routes = new Map<string, Point[]>();
  const labels = new Map<string, Point>();
  for (const edge of manner === "spread" ? [] : (done.edges ?? [])) {
    const section = edge.sections?.[0];
    if (section) routes.set(edge.id!, [section.startPoint, ...(section.bendPoints ?? []), section.endPoint]);
    const label = edge.labels?.[0];
    if (label) labels.set(edge.id!, { x: label.x! + label.width! / 2, y: label.y! + label.height! / 2 });
  }
  return { nodes, routes, labels };
}

/** Where cytoscape would put a label: at the middle corner, or between the two in the middle. */
export function middle(route: Point[]): Point {
  const corners = route.length > 2 ? route.slice(1, -1) : route;
  const low = corners[Math.floor((corners.length - 1) / 2)]!;
  const high = corners[Math.ceil((corners.length - 1) / 2)]!;
  return { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2 };
}

export interface Bent {
  weights: number[];
  distances: number[];
}

/** Corners as cytoscape wants them: how far along the line between the ends, and how far beside it. */
export function relative(route: Point[]): Bent | undefined {
  const from = route[0]!;
  const to = route.at(-1)!;
  const corners = route.slice(1, -1);
  const along = { x: to.x - from.x, y: to.y - from.y };
  const length = Math.hypot(along.x, along.y);
  if (length < 1 || corners.length === 0) return undefined;
  const weights = corners.map((corner) => ((corner.x - from.x) * along.x + (corner.y - from.y) * along.y) / length ** 2);
  const distances = corners.map((corner) => ((corner.y - from.y) * along.x - (corner.x - from.x) * along.y) / length);
  return { weights, distances };
}
