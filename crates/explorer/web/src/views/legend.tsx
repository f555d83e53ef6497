// What the signs of a drawing mean, of those that it has.
import type { ComponentChildren } from "preact";
import type { ModelGraph } from "../api/types";
import { kindOf } from "../graph/model-drawing";

type Line = "must" | "may" | "mustonly" | "same";

function Stroke({ kind }: { kind: Line }) {
  return (
    <svg class={`stroke ${kind}`} width="34" height="10" viewBox="0 0 34 10" aria-hidden="true">
      <path class="stroke-line" d="M2 5H27" />
      <path class="stroke-head" d="M26 1.5L33 5L26 8.5z" />
      {kind === "mustonly" && <path class="stroke-line" d="M3 1V9" />}
    </svg>
  );
}

function Box({ tone, children }: { tone: string; children?: ComponentChildren }) {
  return <span class={`swatch ${tone}`} aria-hidden="true">{children}</span>;
}

export function Legend({ graph }: { graph: ModelGraph }) {
  const kinds = new Set(graph.edges.map(kindOf));
  return (
    <ul class="legend" aria-label="Signs">
      {kinds.has("must") && <li><Stroke kind="must" />must and may</li>}
      {kinds.has("may") && <li><Stroke kind="may" />may only</li>}
      {kinds.has("mustonly") && <li><Stroke kind="mustonly" />must only</li>}
      {graph.hyper.length > 0 && <li><Box tone="fork">◆</Box>must hyper-transition</li>}
      {graph.nodes.some((node) => node.unknown.length > 0) && <li><Box tone="unknown">p?</Box>unknown label</li>}
      {graph.nodes.some((node) => node.initial) && <li><Box tone="entry">●→</Box>initial</li>}
      {!graph.complete && <li><Box tone="dashed" />double-click shows more</li>}
    </ul>
  );
}

export function GameLegend() {
  return (
    <ul class="legend" aria-label="Signs">
      <li><Box tone="true">T</Box>true</li>
      <li><Box tone="false">F</Box>false</li>
      <li><Box tone="unknown">?</Box>unknown</li>
      <li><b aria-hidden="true">∨</b>one successor suffices</li>
      <li><b aria-hidden="true">∧</b>all successors are needed</li>
      <li><Stroke kind="must" />must transition</li>
      <li><Stroke kind="may" />may transition</li>
      <li><Stroke kind="same" />same state</li>
    </ul>
  );
}

export function EvidenceLegend() {
  return (
    <ul class="legend" aria-label="Signs">
      <li><Box tone="true">T</Box>holds</li>
      <li><Box tone="false">F</Box>fails</li>
      <li><Box tone="unknown">?</Box>unknown</li>
      <li><Stroke kind="must" />must transition</li>
      <li><Stroke kind="may" />may transition</li>
      <li><Stroke kind="same" />same state</li>
    </ul>
  );
}
