// A free walk: from any state, the steps that can be taken, and what holds there of the chosen property.
import { useMemo, useState } from "preact/hooks";
import type { WalkDocument, WalkedFormula, WalkStep } from "../api/types";
import { change, now, useStore } from "../state/store";
import { useAnswer } from "../state/use-answer";
import { count, Empty, Letter, Refused, Waiting } from "../ui/words";

type Pairs = [string, string][];

export function WalkView() {
  const { from, path } = useStore((state) => state.walk);
  const property = useStore((state) => state.property);
  const readable = useStore((state) => state.readable);
  const typed = useStore((state) => state.typed);
  const [watch, setWatch] = useState<string[]>([]);
  const body = useMemo(() => {
    if (readable < 0) return undefined;
    const formulas = typed.filter((one) => one.name === property).map((one) => `${one.logic} ${one.formula}`);
    return { texts: now().readTexts, from, path, property, watch: [...formulas, ...watch] };
  }, [readable, from, path, property, typed, watch]);
  const { data, error, waiting } = useAnswer<WalkDocument>("/api/walk", body);
  if (body === undefined) return <Empty title="The model cannot be read yet"><p>Correct it in the model view first.</p></Empty>;
  if (error !== undefined && !waiting) return <div class="walk"><WalkTools path={path} jumped={false} /><Refused error={error} /></div>;
  if (data === undefined) return <Waiting>beginning a walk</Waiting>;
  return (
    <div class="walk" aria-busy={waiting}>
      <WalkTools path={path} jumped={data.may_be_unreachable} />
      <div class="walk-body">
        <Choices data={data} />
        <div class="walk-side">
          <WalkedState data={data} />
          <Watched watched={data.watched} watch={(formula) => setWatch((old) => [...old, formula])} />
        </div>
      </div>
      <Steps steps={data.steps} />
    </div>
  );
}

function go(path: number[]) {
  change({ walk: { ...now().walk, path } });
}

function WalkTools({ path, jumped }: { path: number[]; jumped: boolean }) {
  const from = Object.entries(useStore((state) => state.walk.from));
  return (
    <div class="walk-tools card">
      <h2>Walk</h2>
      <button type="button" onClick={() => change({ walk: { from: {}, path: [] } })} disabled={path.length === 0 && from.length === 0}>From the beginning</button>
      <button type="button" onClick={() => go(path.slice(0, -1))} disabled={path.length === 0}>← Back</button>
      {from.length > 0 && <p class="soft">from <code>{from.map((pair) => pair.join(" = ")).join(", ")}</code>{jumped && ", which may not be reachable"}</p>}
    </div>
  );
}

function Choices({ data }: { data: WalkDocument }) {
  const path = useStore((state) => state.walk.path);
  return (
    <section class="card pad" aria-label="Steps that can be taken">
      <h3>{data.state === null ? "Choose an initial state" : data.choices.length === 0 ? "No step can be taken here" : count(data.choices.length, "step")}</h3>
      <ol class="successors">
        {data.choices.map((choice, index) => (
          <li key={index}>
            <button type="button" class="successor" onClick={() => go([...path, index])}>
              <span class="soft">{index + 1}</span>
              {choice.by !== "" && <code class="step">{brief(choice.by)}</code>}
              {choice.must_only && <span class="chip">must only</span>}
              <Changes changed={choice.changed} />
            </button>
          </li>
        ))}
      </ol>
      {data.has_more && <p class="soft">There are more; they are not listed.</p>}
    </section>
  );
}

/** Without the name of the file, where there is only one. */
function brief(by: string): string {
  return now().session?.files.length === 1 ? by.replace(/\([^()]*:(\d+)\)/g, "(line $1)") : by;
}

function Changes({ changed }: { changed: Pairs }) {
  if (changed.length === 0) return <span class="soft">nothing changes</span>;
  return <code class="state">{changed.map((pair) => pair.join(" = ")).join(", ")}</code>;
}

function WalkedState({ data }: { data: WalkDocument }) {
  const last = data.steps.at(-1);
  const changed = new Set(last?.changed.map(([name]) => name));
  if (data.state === null) return null;
  return (
    <section class="card pad" aria-label="State">
      <h3>State {data.steps.length}</h3>
      <dl class="members">
        {data.state.map(([name, value]) => <div key={name}><dt>{name}</dt><dd><code class={changed.has(name) ? "changed" : undefined}>{value}</code>{changed.has(name) && <span class="star" title="has changed">*</span>}</dd></div>)}
        {data.locations.map(([process, line, statement]) => <div key={process}><dt>{process || "next"}</dt><dd><code>{statement || "at its end"}</code> <span class="soft">line {line}</span></dd></div>)}
      </dl>
    </section>
  );
}

function Watched({ watched, watch }: { watched: WalkedFormula[]; watch: (formula: string) => void }) {
  const [text, setText] = useState("");
  const add = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== "") watch(text.trim());
    setText("");
  };
  return (
    <section class="card pad" aria-label="Formulas here">
      <h3>What holds here</h3>
      {watched.length === 0 && <p class="soft">Choose a property on the left, or watch a formula.</p>}
      <ul class="walked-formulas">
        {watched.map((one) => <li key={one.formula}><Letter value={one.value} /> <code>{one.formula.replace(/^(ctl|mu|mcf|ltl|ctlstar) /, "")}</code>{one.reason && <span class="soft"> {one.reason}</span>}</li>)}
      </ul>
      <form onSubmit={add}><label>Watch <input type="text" class="code" value={text} spellcheck={false} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} /></label></form>
    </section>
  );
}

function Steps({ steps }: { steps: WalkStep[] }) {
  const path = useStore((state) => state.walk.path);
  if (steps.length === 0) return null;
  // Where an initial state was chosen, that is no step.
  const chosen = path.length - steps.length;
  return (
    <section class="card trace" tabIndex={0} role="group" aria-label="The walk so far">
      <table>
        <thead><tr><th scope="col">step</th><th scope="col">by</th><th scope="col">changes</th></tr></thead>
        <tbody>
          {steps.map((step, index) => (
            <tr key={index} onClick={() => go(path.slice(0, index + 1 + chosen))}>
              <th scope="row"><button type="button" class="row-number" aria-label={`Back to step ${index + 1}`}>{index + 1}</button></th>
              <td><code>{brief(step.by)}</code></td>
              <td><Changes changed={step.changed} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
