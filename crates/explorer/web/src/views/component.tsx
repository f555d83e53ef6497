// Components as drawings: whole if they are small, else from a state outwards.
import { useEffect, useMemo, useState } from "preact/hooks";
import { post } from "../api/client";
import type { ModelGraph, ModelNode } from "../api/types";
import { GraphCanvas } from "../graph/canvas";
import { drawModel, emptyModel, grown } from "../graph/model-drawing";
import { change, now, useStore } from "../state/store";
import { useAnswer } from "../state/use-answer";
import { Tabs } from "../ui/tabs";
import { count, Empty, Refused, Waiting } from "../ui/words";
import { Legend } from "./legend";
import { StateSearch } from "./search";

/** Larger components are drawn from their initial states outwards. */
const WHOLE_LIMIT = 250;
/** What the server gives at most, and what can still be moved about smoothly. */
const MOST_DRAWN = 2000;
const FIRST_LIMIT = 30;
/** Up to so many states a drawing can be read whatever its edges are like; above, only if they are few. */
const FEW = 60;

/** A component's graph, which grows where it is opened. */
export function useModelGraph(component: string | null | undefined, limit: number) {
  const readable = useStore((state) => state.readable);
  const texts = useStore((state) => state.readTexts);
  const body = component === undefined || readable < 0 ? undefined : { texts, component, limit };
  const asked = useAnswer<ModelGraph>("/api/component", body);
  const [more, setMore] = useState<ModelGraph>();
  useEffect(() => setMore(undefined), [asked.data]);
  const first = useMemo(() => asked.data && (limit === MOST_DRAWN || isLegible(asked.data) ? asked.data : begun(asked.data)), [asked.data]);
  const grow = async (id: number) => {
    const answer = await post<ModelGraph>("/api/component", { texts, component, from: [id], depth: 1, direction: "both", limit: 60 });
    setMore((old) => grown(old ?? first ?? emptyModel(answer), answer));
  };
  return { graph: more ?? first, waiting: asked.waiting, error: asked.error, grow, texts };
}

function isLegible(graph: ModelGraph): boolean {
  return graph.complete && (graph.nodes.length <= FEW || graph.edges.length <= 2 * graph.nodes.length);
}

/** The beginning of a large component: what lies nearest to its initial states. */
function begun(graph: ModelGraph): ModelGraph {
  const near = nearest(graph);
  return grown(emptyModel(graph), {
    ...graph,
    nodes: graph.nodes.filter((node) => near.has(node.id)),
    edges: graph.edges.filter((edge) => near.has(edge.from) && near.has(edge.to)),
  });
}

function nearest(graph: ModelGraph): Set<number> {
  const next = Map.groupBy(graph.edges, (edge) => edge.from);
  const found = new Set(graph.nodes.filter((node) => node.initial).slice(0, FIRST_LIMIT).map((node) => node.id));
  for (const id of found) {
    for (const edge of next.get(id) ?? []) if (found.size < FIRST_LIMIT) found.add(edge.to);
  }
  return found;
}

export function ComponentPane() {
  const outline = useStore((state) => state.outline);
  const component = useStore((state) => state.component);
  if (outline === undefined) return <section class="drawing-pane card" aria-label="Drawing"><Empty title="Nothing to draw yet"><p>The components are drawn here once the text has no errors.</p></Empty></section>;
  const machine = outline.components.length === 1;
  const tabs = outline.components.map((one) => ({ key: one.name as string | null, label: one.name, title: `${one.kind}${one.unknown ? ", unknown component" : ""}` }));
  const parts = outline.parts.map((name) => ({ key: name as string | null, label: name, title: "a part of the model, whatever the others do" }));
  const all = machine ? [...tabs, ...parts] : [...tabs, { key: null, label: "composition", title: outline.system ?? "composed" }];
  return (
    <section class="drawing-pane card" aria-label="Drawing">
      <div class="bar">
        <Tabs label="Components" class="file-tabs" tabs={all} chosen={component ?? null} choose={(name) => change({ component: name, node: undefined })} />
      </div>
      <ComponentGraph key={String(component)} component={component ?? (component === null ? null : outline.components[0]!.name)} />
    </section>
  );
}

function ComponentGraph({ component }: { component: string | null }) {
  const [limit, setLimit] = useState(WHOLE_LIMIT);
  const { graph, waiting, error, grow, texts } = useModelGraph(component, limit);
  const standing = useStore((state) => state.standing);
  const picked = useStore((state) => state.node);
  const drawing = useMemo(() => graph && drawModel(graph), [graph]);
  if (error !== undefined && graph === undefined) return <Refused error={error} />;
  if (graph === undefined || drawing === undefined) return <Waiting>{waiting ? "drawing" : "reading"}</Waiting>;
  const nodes = new Map(graph.nodes.map((node) => [String(node.id), node]));
  const current = picked ?? nodeNamed(graph, component === null ? undefined : standing[component]);
  const open = (id: string) => {
    const node = nodes.get(id);
    if (node !== undefined && node.more > 0) void grow(node.id);
  };
  const seek = async (id: number) => {
    if (!nodes.has(String(id))) await grow(id);
    pick(component, String(id), undefined);
  };
  return (
    <>
      <div class="drawing-tools">
        <StateSearch component={component} texts={texts} seek={(id) => void seek(id)} />
        <p class="figures">
          {count(graph.states, "state")}, {count(graph.transitions, "transition")}{graph.nodes.length < graph.states && `; ${graph.nodes.length} drawn`}
          {!graph.complete && graph.states <= MOST_DRAWN && <button type="button" class="quiet" onClick={() => setLimit(MOST_DRAWN)}>Draw all</button>}
        </p>
      </div>
      <GraphCanvas drawing={drawing} label={`Component ${component ?? "composition"}`} current={current}
        onPick={(id) => pick(component, id, nodes.get(id))} onOpen={open} />
      {current !== undefined && nodes.has(current) && <NodeCard node={nodes.get(current)!} graph={graph} open={() => open(current)} />}
      <Legend graph={graph} />
    </>
  );
}

function pick(component: string | null, id: string, node: ModelNode | undefined) {
  const standing = component !== null && node !== undefined ? { ...now().standing, [component]: node.name } : now().standing;
  change({ node: id, standing });
}

function nodeNamed(graph: ModelGraph, name: string | undefined): string | undefined {
  const found = name === undefined ? undefined : graph.nodes.find((node) => node.name === name);
  return found === undefined ? undefined : String(found.id);
}

function NodeCard({ node, graph, open }: { node: ModelNode; graph: ModelGraph; open: () => void }) {
  const covered = graph.covers.find((one) => one.state === node.id);
  const names = new Map(graph.nodes.map((one) => [one.id, one.name]));
  return (
    <div class="node-card">
      <h3><code>{node.name}</code>{node.initial && <span class="chip">initial</span>}</h3>
      <ul class="labels">
        {graph.props.map((prop) => <PropChip key={prop} prop={prop} value={valueOf(node, prop)} />)}
      </ul>
      <p class="soft">{count(node.out, "step")} out, {node.in} in{node.more > 0 && <> · {count(node.more, "step")} not drawn <button type="button" class="quiet" onClick={open}>Show</button></>}</p>
      {covered && <p class="soft">stands for {covered.exactly ? "exactly " : ""}{covered.covered.map((id) => names.get(id) ?? id).join(", ")}{!covered.exactly && " and more"}</p>}
    </div>
  );
}

export function valueOf(node: { true: string[]; unknown: string[] }, prop: string): "true" | "false" | "unknown" {
  return node.true.includes(prop) ? "true" : node.unknown.includes(prop) ? "unknown" : "false";
}

const WRITTEN = { true: (prop: string) => prop, false: (prop: string) => `!${prop}`, unknown: (prop: string) => `${prop}?` };

export function PropChip({ prop, value }: { prop: string; value: "true" | "false" | "unknown" }) {
  return <li class={`prop ${value}`}>{WRITTEN[value](prop)}</li>;
}
