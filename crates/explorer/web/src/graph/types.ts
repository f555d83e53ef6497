// What a drawing is made of, whatever it shows: components, evidence and games all come here.

export type Tone = "plain" | "true" | "false" | "unknown";

/** The part that a node plays in its drawing. */
export type Role = "state" | "group" | "fork" | "entry";

export interface DrawnNode {
  id: string;
  label: string;
  role: Role;
  tone: Tone;
  /** Told to who cannot see the drawing, and on hovering. */
  title: string;
  /** There is more to be drawn around it. */
  more?: boolean;
  /** Set apart from the others: the node of the cause of an unknown, a state that was split. */
  marked?: boolean;
}

export type EdgeKind = "must" | "may" | "mustonly" | "same" | "entry";

export interface DrawnEdge {
  id: string;
  source: string;
  target: string;
  kind: EdgeKind;
  label?: string;
}

export interface Drawing {
  nodes: DrawnNode[];
  edges: DrawnEdge[];
}

export const EMPTY: Drawing = { nodes: [], edges: [] };

/** The dot and the arrow by which an initial state is known. */
export function entryInto(target: string): Drawing {
  const id = `entry:${target}`;
  return {
    nodes: [{ id, label: "", role: "entry", tone: "plain", title: "start" }],
    edges: [{ id: `${id}>`, source: id, target, kind: "entry" }],
  };
}
