// Putting together two parts of the same large graph, of which each knows only its own edges.

interface Counted {
  id: number;
  /** All edges that leave and enter it, drawn or not. */
  out: number;
  in: number;
  /** Those that are not drawn. */
  more: number;
}

interface Part<N extends Counted, E extends { from: number; to: number }> {
  nodes: N[];
  edges: E[];
}

/** Both parts without repetitions; how much is left over at each node is counted anew. */
export function united<N extends Counted, E extends { from: number; to: number }>(old: Part<N, E>, found: Part<N, E>): Part<N, E> {
  const nodes = new Map([...old.nodes, ...found.nodes].map((node) => [node.id, node]));
  const edges = new Map([...old.edges, ...found.edges].map((edge) => [JSON.stringify(edge), edge]));
  const drawn = new Map<number, number>();
  for (const { from, to } of edges.values()) {
    drawn.set(from, (drawn.get(from) ?? 0) + 1);
    drawn.set(to, (drawn.get(to) ?? 0) + 1);
  }
  const left = (node: N) => Math.max(0, node.out + node.in - (drawn.get(node.id) ?? 0));
  return { nodes: [...nodes.values()].map((node) => ({ ...node, more: left(node) })), edges: [...edges.values()] };
}
