// Walking through evidence. A walk is a run from a root, by the branch that was chosen at each position, and the
// place on it where one stands. Drawing, tree, table and sequence diagram all show the same walk.
import type { GraphExplanation, Step } from "../api/types";

export interface Walk {
  /** The root that it starts from. */
  root: number;
  /** Which successor is followed; where nothing is said, one that goes on. */
  choices: ReadonlyMap<number, number>;
  /** Where on the run one stands. */
  at: number;
}

export interface Run {
  /** Positions from the root on. */
  nodes: number[];
  /** The run goes on with this index after its last position. */
  backTo: number | undefined;
}

/** The longest run that is drawn. */
const LONGEST = 2000;

export function startOf(evidence: GraphExplanation): Walk {
  return { root: evidence.roots[0] ?? 0, choices: new Map(), at: 0 };
}

export function runOf(evidence: GraphExplanation, walk: Walk): Run {
  const nodes: number[] = [];
  const seen = new Map<number, number>();
  let node: number | undefined = walk.root;
  while (node !== undefined && nodes.length < LONGEST) {
    const before = seen.get(node);
    if (before !== undefined) return { nodes, backTo: before };
    seen.set(node, nodes.length);
    nodes.push(node);
    node = followed(evidence, walk, node)?.node;
  }
  return { nodes, backTo: undefined };
}

export function followed(evidence: GraphExplanation, walk: Walk, node: number) {
  return evidence.nodes[node]?.successors[chosenSuccessor(evidence, walk, node)];
}

export function chosenSuccessor(evidence: GraphExplanation, walk: Walk, node: number): number {
  return walk.choices.get(node) ?? wayOn(evidence, node);
}

interface Ways {
  goesOn: Set<number>;
  endless: Set<number>;
}

const ways = new WeakMap<GraphExplanation, Ways>();

function waysOf(evidence: GraphExplanation): Ways {
  if (!ways.has(evidence)) ways.set(evidence, { goesOn: goesOn(evidence), endless: endless(evidence) });
  return ways.get(evidence)!;
}

/** The default successor: one that begins an infinite run, else one with a successor, rather than a literal. */
function wayOn(evidence: GraphExplanation, node: number): number {
  const known = waysOf(evidence);
  const { successors } = evidence.nodes[node]!;
  const forEver = successors.findIndex((successor) => known.endless.has(successor.node));
  return forEver >= 0 ? forEver : Math.max(0, successors.findIndex((successor) => successor.transition !== null || known.goesOn.has(successor.node)));
}

/** The positions from which a loop can be reached: what is left when positions without successors are taken away again and again. */
function endless(evidence: GraphExplanation): Set<number> {
  const left = evidence.nodes.map((position) => position.successors.length);
  const predecessors = evidence.nodes.map((): number[] => []);
  evidence.nodes.forEach((position, node) => position.successors.forEach((successor) => predecessors[successor.node]!.push(node)));
  const ending = evidence.nodes.flatMap((_, node) => (left[node] === 0 ? [node] : []));
  for (const node of ending) {
    for (const before of predecessors[node]!) if (--left[before]! === 0) ending.push(before);
  }
  return new Set(left.flatMap((successors, node) => (successors > 0 ? [node] : [])));
}

/** The positions from which a step is still to come. */
function goesOn(evidence: GraphExplanation): Set<number> {
  const found = new Set<number>();
  const staying = evidence.nodes.map((): number[] => []);
  evidence.nodes.forEach((position, node) => {
    for (const successor of position.successors) {
      if (successor.transition === null) staying[successor.node]!.push(node);
      else found.add(node);
    }
  });
  for (const node of found) staying[node]!.forEach((before) => found.add(before));
  return found;
}

/** To the next position, which can be another subformula in the same state. */
export function forwards(walk: Walk, run: Run): Walk {
  if (walk.at + 1 < run.nodes.length) return { ...walk, at: walk.at + 1 };
  return run.backTo === undefined ? walk : { ...walk, at: run.backTo };
}

/** To the next state of the run. */
export function stepForwards(evidence: GraphExplanation, walk: Walk, run: Run): Walk {
  const rows = rowsOf(evidence, walk, run);
  const next = rows[rowAt(rows, walk) + 1] ?? rows[loopOf(evidence, walk, run, rows)?.row ?? -1];
  return next === undefined ? walk : { ...walk, at: next.from };
}

/** To the state before; within a state to its first subformula. */
export function stepBackwards(evidence: GraphExplanation, walk: Walk, run: Run): Walk {
  const rows = rowsOf(evidence, walk, run);
  const now = rowAt(rows, walk);
  if (now < 0) return walk;
  const isFirst = walk.at === rows[now]!.from;
  return { ...walk, at: rows[isFirst ? Math.max(0, now - 1) : now]!.from };
}

/** The row where one stands. */
export function rowAt(rows: Row[], walk: Walk): number {
  return rows.findIndex((row) => row.from <= walk.at && walk.at <= row.to);
}

/** Whether there are steps, and at most one successor of each position from which steps follow. */
export function isPath(evidence: GraphExplanation): boolean {
  const { goesOn } = waysOf(evidence);
  const onward = (node: number) => evidence.nodes[node]!.successors.filter((one) => one.transition !== null || goesOn.has(one.node)).length;
  return goesOn.size > 0 && evidence.roots.length === 1 && evidence.nodes.every((_, node) => onward(node) <= 1);
}

/** Chooses another branch at the position where one stands. */
export function branch(evidence: GraphExplanation, walk: Walk, run: Run, step: number): Walk {
  const node = run.nodes[walk.at]!;
  const successors = evidence.nodes[node]!.successors.length;
  if (successors < 2) return walk;
  const now = chosenSuccessor(evidence, walk, node);
  return choose(walk, node, (now + step + successors) % successors);
}

export function choose(walk: Walk, node: number, successor: number): Walk {
  return { ...walk, choices: new Map(walk.choices).set(node, successor) };
}

/** Goes to a position: along the run if it lies there, else by a shortest way from a root. */
export function goTo(evidence: GraphExplanation, walk: Walk, target: number): Walk {
  const onRun = runOf(evidence, walk).nodes.indexOf(target);
  if (onRun >= 0) return { ...walk, at: onRun };
  const way = wayTo(evidence, target);
  if (way === undefined) return walk;
  const choices = new Map(walk.choices);
  way.forEach((node, index) => {
    const next = way[index + 1];
    if (next !== undefined) choices.set(node, evidence.nodes[node]!.successors.findIndex((successor) => successor.node === next));
  });
  return { root: way[0]!, choices, at: way.length - 1 };
}

function wayTo(evidence: GraphExplanation, target: number): number[] | undefined {
  const from = new Map<number, number | undefined>(evidence.roots.map((root) => [root, undefined]));
  const queue = [...evidence.roots];
  for (const node of queue) {
    if (node === target) return backFrom(from, target);
    for (const successor of evidence.nodes[node]?.successors ?? []) {
      if (from.has(successor.node)) continue;
      from.set(successor.node, node);
      queue.push(successor.node);
    }
  }
  return undefined;
}

function backFrom(from: Map<number, number | undefined>, target: number): number[] {
  const way: number[] = [];
  for (let node: number | undefined = target; node !== undefined; node = from.get(node)) way.unshift(node);
  return way;
}

/** One row of a trace: a state, and all positions of the run that are asked in it. */
export interface Row {
  state: number;
  step: Step | null;
  /** Indices on the run. */
  from: number;
  to: number;
}

/** The run by states: positions in the same state belong together. */
export function rowsOf(evidence: GraphExplanation, walk: Walk, run: Run): Row[] {
  const rows: Row[] = [];
  run.nodes.forEach((node, index) => {
    const position = evidence.nodes[node]!;
    const step = index === 0 ? null : (followed(evidence, walk, run.nodes[index - 1]!)?.transition ?? null);
    const last = rows.at(-1);
    if (last !== undefined && step === null && last.state === position.state) last.to = index;
    else rows.push({ state: position.state, step, from: index, to: index });
  });
  return rows;
}

/** The row that the run goes back to, and the step by which. */
export function loopOf(evidence: GraphExplanation, walk: Walk, run: Run, rows: Row[]): { row: number; step: Step | null } | undefined {
  if (run.backTo === undefined) return undefined;
  const row = rows.findIndex((one) => one.from <= run.backTo! && run.backTo! <= one.to);
  return { row, step: followed(evidence, walk, run.nodes.at(-1)!)?.transition ?? null };
}
