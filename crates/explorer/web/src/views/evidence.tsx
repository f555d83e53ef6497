// Evidence: why a property has its verdict. One walk, seen as drawing, tree, table and sequence diagram.
import { useEffect, useMemo, useState } from "preact/hooks";
import { download, Refusal } from "../api/client";
import type { Explanation, GraphExplanation } from "../api/types";
import { EvidenceFormula, Formula } from "../evidence/formula";
import { Here } from "../evidence/here";
import { SequenceDiagram } from "../evidence/sequence";
import { ProgramTrace } from "../evidence/trace";
import { TraceTable } from "../evidence/table";
import { EvidenceTree } from "../evidence/tree";
import { isPath } from "../evidence/walk";
import { type Walking, useWalk } from "../evidence/use-walk";
import { note } from "../state/checking";
import { asked, question } from "../state/reading";
import { change, now, useStore } from "../state/store";
import { useAnswer } from "../state/use-answer";
import { Tabs } from "../ui/tabs";
import { count, Empty, Refused, Ticked, Unsupported, Verdict, Waiting } from "../ui/words";
import { EvidenceGraph, InTheModel } from "./evidence-graph";
import { saveText } from "../ui/files";

type Form = "graph" | "tree" | "table" | "sequence";

function useExplanation(shortest: boolean) {
  const property = useStore((state) => state.property);
  const readable = useStore((state) => state.readable);
  const method = useStore((state) => state.method);
  const options = useStore((state) => state.options);
  const body = useMemo(() => {
    const about = asked(now(), property);
    return about && { ...about, method, shortest };
  }, [property, readable, method, shortest, options]);
  return { property, body, ...useAnswer<Explanation>("/api/explain", body) };
}

export function EvidenceView() {
  const [shortest, setShortest] = useState(false);
  const { property, body, data, error, waiting } = useExplanation(shortest);
  const unsupported = useStore((state) => question(state, state.property)?.unsupported);
  const isRead = useStore((state) => state.reading !== undefined);
  useEffect(() => {
    if (data !== undefined && !waiting && property !== undefined) note(property, data.verdict, now().readable);
  }, [data]);
  if (property === undefined) return <Empty title="No property is chosen"><p>Choose a property from the list to see its counterexample, witness or diagnosis.</p></Empty>;
  if (unsupported) return <Unsupported why={unsupported} />;
  if (body === undefined && !isRead) return <Waiting>reading the model</Waiting>;
  if (body === undefined) return <Empty title="The model cannot be read"><p>Correct it in the model view; its evidence comes back by itself.</p></Empty>;
  if (error !== undefined && !waiting) return <Refused error={error} />;
  if (data === undefined || (waiting && data.property !== property)) return <Waiting>computing the evidence</Waiting>;
  return (
    <div class="evidence">
      <EvidenceHead data={data} body={body} shortest={shortest} setShortest={setShortest} />
      {data.shape === "trace" ? <ProgramTrace trace={data} /> : <GraphEvidence key={property} evidence={data} />}
    </div>
  );
}

interface HeadProps {
  data: Explanation;
  body: object;
  shortest: boolean;
  setShortest: (value: boolean) => void;
}

const KIND: Record<string, string> = { true: "Witness", false: "Counterexample", unknown: "Diagnosis" };

function EvidenceHead({ data, body, shortest, setShortest }: HeadProps) {
  return (
    <header class="evidence-head">
      <div>
        <p class="kicker">{KIND[data.verdict]}</p>
        <h2>{data.property} <Verdict value={data.verdict} /></h2>
        {data.shape === "trace" && <Formula text={data.formula} mark={undefined} />}
        {data.reason && <p class="reason"><Ticked text={data.reason} /></p>}
      </div>
      <div class="evidence-tools">
        <label class="switch"><input type="checkbox" checked={shortest} onChange={(event) => setShortest(event.currentTarget.checked)} /> shortest</label>
        <Exports body={body} />
      </div>
    </header>
  );
}

const FORMS: { form: string; label: string; type: string }[] = [
  { form: "html", label: "HTML page", type: "text/html" },
  { form: "svg", label: "SVG drawing", type: "image/svg+xml" },
  { form: "json", label: "JSON", type: "application/json" },
  { form: "text", label: "Text", type: "text/plain" },
  { form: "dot", label: "Graphviz", type: "text/vnd.graphviz" },
  { form: "tm", label: "Sub-model (.tm)", type: "text/plain" },
];

function Exports({ body }: { body: object }) {
  const [trouble, setTrouble] = useState<string>();
  const save = async (form: string, type: string) => {
    setTrouble(undefined);
    try {
      const file = await download("/api/export", { ...body, form });
      saveText(file.name, file.text, type);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setTrouble(error.message);
    }
  };
  return (
    <details class="menu">
      <summary>Export</summary>
      <div class="menu-items" role="group" aria-label="Export as">
        {FORMS.map((one) => <button key={one.form} type="button" class="quiet" onClick={() => void save(one.form, one.type)}>{one.label}</button>)}
        {trouble && <p class="bad" role="alert">{trouble}</p>}
      </div>
    </details>
  );
}

function GraphEvidence({ evidence }: { evidence: GraphExplanation }) {
  const walking = useWalk(evidence);
  const { walk, run } = walking;
  const family = useStore((state) => state.outline?.family);
  const part = useStore((state) => state.part);
  const forms = [
    { key: "graph" as Form, label: "Graph" }, { key: "tree" as Form, label: "Tree" }, { key: "table" as Form, label: "Table" },
    ...(family === "actions" ? [{ key: "sequence" as Form, label: "Sequence" }] : []),
  ];
  const form = forms.find((one) => one.key === part)?.key ?? (isPath(evidence) ? "table" : "graph");
  const position = evidence.nodes[run.nodes[walk.at]!];
  return (
    <>
      <div class="evidence-formula card"><EvidenceFormula evidence={evidence} subformula={position?.subformula} /></div>
      <div class="evidence-body">
        <section class="evidence-main card" aria-label="Evidence">
          <div class="bar">
            <Tabs label="Forms" class="file-tabs" tabs={forms} chosen={form} choose={(key) => change({ part: key })} />
            <p class="figures">{count(evidence.nodes.length, "position")}{evidence.unexplored > 0 && `, ${count(evidence.unexplored, "position")} unexplored`}</p>
          </div>
          <EvidenceForm form={form} walking={walking} evidence={evidence} />
        </section>
        <Here evidence={evidence} walk={walk} run={run} take={walking.take} back={walking.back} forward={walking.forward} start={walking.start} />
      </div>
      <InTheModel evidence={evidence} walk={walk} run={run} />
    </>
  );
}

function EvidenceForm({ form, walking, evidence }: { form: Form; walking: Walking; evidence: GraphExplanation }) {
  const { walk, run, goTo, goToIndex } = walking;
  const outline = useStore((state) => state.outline);
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => setClosed(new Set()), [evidence]);
  const toggle = (node: number) => setClosed((old) => (old.has(node) ? new Set([...old].filter((one) => one !== node)) : new Set([...old, node])));
  switch (form) {
    case "graph": return <EvidenceGraph evidence={evidence} walk={walk} run={run} goTo={goTo} />;
    case "tree": return <EvidenceTree evidence={evidence} walk={walk} run={run} closed={closed} toggle={toggle} goTo={goTo} />;
    case "table": return <TraceTable evidence={evidence} walk={walk} run={run} goTo={goToIndex} />;
    case "sequence": return <SequenceDiagram evidence={evidence} walk={walk} run={run} outline={outline?.components ?? []} goTo={goToIndex} />;
  }
}
