// How large nodes are. The layout has to know before anything is drawn.
import type { DrawnNode } from "./types";

export interface Size {
  width: number;
  height: number;
}

export const FONT_SIZE = 13;
const CHARACTER = 7.3;
const LINE = 17;
const WIDEST = 34;

/** Cuts what is too long for a node; the whole of it stands in the panel beside the drawing. */
export function shorten(line: string, most = WIDEST): string {
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

export function shownLabel(node: DrawnNode): string {
  return node.label
    .split("\n")
    .map((line) => shorten(line))
    .join("\n");
}

export function sizeOf(node: DrawnNode): Size {
  if (node.role === "entry") return { width: 8, height: 8 };
  if (node.role === "fork") return { width: 12, height: 12 };
  const lines = shownLabel(node).split("\n");
  const longest = Math.max(...lines.map((line) => line.length));
  const room = node.tone === "unknown" ? 44 : 26;
  return { width: Math.max(44, longest * CHARACTER + room), height: lines.length * LINE + 14 };
}
