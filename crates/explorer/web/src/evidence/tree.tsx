// Evidence as a tree: each position stands once, and is only named where it comes again.
import { useMemo } from "preact/hooks";
import type { GraphExplanation, Step } from "../api/types";
import { Letter } from "../ui/words";
import { arrow, because, has, stateName } from "./sentences";
import type { Run, Walk } from "./walk";

export interface Twig {
  node: number;
  step: Step | null;
  depth: number;
  /** It stands elsewhere already. */
  again: boolean;
  branches: number;
}

/** More rows than this are not made at once. */
const MOST = 600;

/** The tree in the order of its rows, by depth-first search. */
export function twigs(evidence: GraphExplanation, closed: ReadonlySet<number>): { rows: Twig[]; cut: boolean } {
  const rows: Twig[] = [];
  const seen = new Set<number>();
  const stack = [...evidence.roots].reverse().map((node) => ({ node, step: null as Step | null, depth: 0 }));
  while (stack.length > 0 && rows.length < MOST) {
    const { node, step, depth } = stack.pop()!;
    const again = seen.has(node);
    const { successors } = evidence.nodes[node]!;
    rows.push({ node, step, depth, again, branches: successors.length });
    if (again || closed.has(node)) continue;
    seen.add(node);
    // A chain of single successors would only wander to the right.
    const deeper = successors.length > 1 ? depth + 1 : depth;
    [...successors].reverse().forEach((successor) => stack.push({ node: successor.node, step: successor.transition, depth: Math.min(deeper, 24) }));
  }
  return { rows, cut: stack.length > 0 };
}

interface TreeProps {
  evidence: GraphExplanation;
  walk: Walk;
  run: Run;
  closed: ReadonlySet<number>;
  toggle: (node: number) => void;
  goTo: (node: number) => void;
}

export function EvidenceTree({ evidence, walk, run, closed, toggle, goTo }: TreeProps) {
  const { rows, cut } = useMemo(() => twigs(evidence, closed), [evidence, closed]);
  const here = run.nodes[walk.at];
  const trodden = new Set(run.nodes);
  return (
    <div class="tree" role="tree" aria-label="Positions">
      {rows.map((row, index) => (
        <TreeRow key={index} row={row} evidence={evidence} here={row.node === here && !row.again} trodden={trodden.has(row.node)}
          open={!closed.has(row.node)} toggle={() => toggle(row.node)} goTo={() => goTo(row.node)} />
      ))}
      {cut && <p class="soft">More positions follow: close some, or use the drawing.</p>}
    </div>
  );
}

interface RowProps {
  row: Twig;
  evidence: GraphExplanation;
  here: boolean;
  trodden: boolean;
  open: boolean;
  toggle: () => void;
  goTo: () => void;
}

function TreeRow({ row, evidence, here, trodden, open, toggle, goTo }: RowProps) {
  const position = evidence.nodes[row.node]!;
  const branches = row.branches > 0 && !row.again;
  return (
    <div class="twig" role="treeitem" aria-level={row.depth + 1} aria-selected={here} aria-expanded={branches ? open : undefined} data-trodden={trodden ? "yes" : undefined}
      style={{ paddingInlineStart: `${row.depth * 22 + 6}px` }} tabIndex={here ? 0 : -1}>
      {branches && row.branches > 1
        ? <button type="button" class="fold" onClick={toggle} aria-label={open ? "Close" : "Open"} tabIndex={-1}>{open ? "▾" : "▸"}</button>
        : <span class="fold" aria-hidden="true">·</span>}
      <button type="button" class="twig-main" onClick={goTo} tabIndex={-1}>
        <Letter value={position.value} />
        {row.step && <code class="step">{arrow(row.step)}</code>}
        <code class="state">{stateName(evidence, position.state)}</code>
        <span class="twig-says">
          {row.again ? <>see above: <code>{position.subformula}</code></> : <><code>{position.subformula}</code> {has(position.value)}, because {because(position)}</>}
        </span>
      </button>
    </div>
  );
}
