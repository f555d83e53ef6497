// The drawing of evidence, and the components beside it in which the current state is marked.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GraphExplanation } from "../api/types";
import { drawEvidence, edgeId, nearest } from "../evidence/drawing";
import { assignments } from "../evidence/columns";
import type { Run, Walk } from "../evidence/walk";
import { GraphCanvas } from "../graph/canvas";
import type { Manner } from "../graph/layout";
import { drawModel } from "../graph/model-drawing";
import type { Drawing } from "../graph/types";
import { show } from "../state/route";
import { change, useStore } from "../state/store";
import { EvidenceLegend } from "./legend";
import { useModelGraph } from "./component";

interface EvidenceProps {
  evidence: GraphExplanation;
  walk: Walk;
  run: Run;
}

export function EvidenceGraph({ evidence, walk, run, goTo }: EvidenceProps & { goTo: (node: number) => void }) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setOpened(new Set()), [evidence]);
  const here = run.nodes[walk.at]!;
  const first = useMemo(() => nearest(evidence), [evidence]);
  const walked = first.size === evidence.nodes.length ? "" : run.nodes.slice(0, walk.at + 2).join();
  const drawing = useMemo(() => {
    const extra = walked === "" ? [] : walked.split(",").map(Number);
    return drawEvidence(evidence, new Set([...first, ...opened, ...extra]));
  }, [evidence, first, opened, walked]);
  const trodden = useMemo(() => new Set(run.nodes.slice(0, walk.at + 1).flatMap((node, index, all) => (index === 0 ? [String(node)] : [String(node), edgeId(all[index - 1]!, node)]))), [run, walk.at]);
  const open = (id: string) => {
    const successors = evidence.nodes[Number(id)]?.successors ?? [];
    setOpened((old) => new Set([...old, ...successors.map((successor) => successor.node)]));
  };
  return (
    <>
      <GraphCanvas drawing={drawing} label="Evidence" current={String(here)} trodden={trodden} keepArrows onPick={(id) => goTo(Number(id))} onOpen={open} />
      <EvidenceLegend />
    </>
  );
}

/** Larger components would not be readable at this size; the model view has room for them. */
const SMALL = 40;
const MOST_COMPONENTS = 6;

export function InTheModel({ evidence, walk, run }: EvidenceProps) {
  const outline = useStore((state) => state.outline);
  const state = evidence.states[evidence.nodes[run.nodes[walk.at]!]!.state]!;
  const written = new Map(outline?.components.map((one) => [one.name, one]));
  const shown = evidence.components
    .map((name, index) => ({ name, at: state.members[index]?.name }))
    .filter(({ name }) => written.has(name))
    .slice(0, MOST_COMPONENTS);
  // What a machine consists of stands beside its evidence already.
  const small = (name: string) => (written.get(name)!.states ?? Infinity) <= SMALL;
  const drawn = shown.filter(({ name, at }) => small(name) || assignments(at ?? "") === undefined);
  if (drawn.length === 0) return null;
  return (
    <section class="in-model" aria-label="In the model">
      {drawn.map(({ name, at }) => {
        const size = written.get(name)!.states;
        return <MiniComponent key={name} name={name} at={at} drawn={size !== null && size <= SMALL} manner={shown.length > 2 ? "spread" : "row"} />;
      })}
    </section>
  );
}

interface MiniProps {
  name: string;
  at: string | undefined;
  manner: Manner;
}

function MiniComponent({ name, at, drawn, manner }: MiniProps & { drawn: boolean }) {
  const goThere = () => {
    change({ component: name });
    show("model");
  };
  return (
    <div class="mini card">
      <div class="mini-head">
        <h3>{name}</h3>
        <code>{at ?? "·"}</code>
        <button type="button" class="quiet" onClick={goThere} aria-label={`Show ${name} in the model`}>Show</button>
      </div>
      {drawn && <MiniGraph name={name} at={at} manner={manner} />}
    </div>
  );
}

/** Without the names of actions, for which there is no room. */
function bare(drawing: Drawing): Drawing {
  return { ...drawing, edges: drawing.edges.map(({ label: _, ...edge }) => edge) };
}

function MiniGraph({ name, at, manner }: MiniProps) {
  const { graph } = useModelGraph(name, SMALL);
  const drawing = useMemo(() => graph && (manner === "spread" ? bare(drawModel(graph)) : drawModel(graph)), [graph, manner]);
  if (graph === undefined || drawing === undefined) return <div class="canvas" />;
  const current = graph.nodes.find((node) => node.name === at);
  return <GraphCanvas drawing={drawing} manner={manner} small label={`Component ${name}`} current={current && String(current.id)} keepArrows />;
}
