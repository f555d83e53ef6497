// The properties with their verdicts, beside every view.
import { useState } from "preact/hooks";
import type { DecidingFacts, Fact, Outline } from "../api/types";
import { cancel, check, checkAll, resultOf } from "../state/checking";
import { questionsOf } from "../state/reading";
import { show } from "../state/route";
import { change, now, type Question, type Running, useStore } from "../state/store";
import { Ticked, Verdict } from "../ui/words";

export function Properties() {
  const outline = useStore((state) => state.outline);
  const typed = useStore((state) => state.typed);
  const running = useStore((state) => state.running);
  const questions = outline === undefined && typed.length === 0 ? [] : questionsOf(now());
  return (
    <aside class="properties" aria-label="Properties">
      <div class="properties-head">
        <h2>Properties</h2>
        {running === undefined
          ? <button type="button" class="primary" disabled={questions.length === 0} onClick={() => void checkAll()} title="Check all (Shift c)">Check all</button>
          : <button type="button" class="danger" onClick={cancel} title="Cancel (Esc)">Cancel</button>}
      </div>
      <Picker questions={questions} />
      {running && <RunningLine running={running} />}
      {questions.length === 0 ? <NoProperties /> : <Broken />}
      <ul class="property-list">{questions.map((one) => <PropertyItem key={one.name} one={one} />)}</ul>
      <AskFormula />
    </aside>
  );
}

const WORD = { true: "✓", false: "✕", unknown: "?" };

/** Takes the place of the list where there is no room for it. */
function Picker({ questions }: { questions: Question[] }) {
  const property = useStore((state) => state.property);
  const verdicts = useStore((state) => state.verdicts);
  return (
    <select class="picker" aria-label="Property" value={property} onChange={(event) => change({ property: event.currentTarget.value, node: undefined })}>
      {questions.map((one) => <option key={one.name} value={one.name}>{verdicts[one.name] && WORD[verdicts[one.name]!.value]} {one.name}</option>)}
    </select>
  );
}

/** What all views show is of the last text that could be read. */
function Broken() {
  const broken = useStore((state) => state.reading?.reads === false);
  if (!broken) return null;
  return <p class="broken" role="status">The text has errors. What you see is of the last text that could be read. <button type="button" class="quiet" onClick={() => show("model")}>Show</button></p>;
}

function NoProperties() {
  const reads = useStore((state) => state.reading?.reads);
  return <p class="soft">{reads === false ? "The text has errors; they are listed below the editor." : "This model states no properties. Enter a formula below."}</p>;
}

export function RunningLine({ running }: { running: Running }) {
  const { progress } = running;
  const total = progress?.total ?? 0;
  const what = running.before > 0 ? `waiting for ${running.before} other checks` : (progress?.phase ?? "checking");
  return (
    <div class="running" role="status">
      <p>{what} · {running.answered.size} of {running.names.length} decided</p>
      {total > 0 ? <progress max={total} value={progress!.done} aria-label="Progress" /> : <progress aria-label="Progress" />}
    </div>
  );
}

function PropertyItem({ one }: { one: Question }) {
  const chosen = useStore((state) => state.property === one.name);
  const result = useStore((state) => resultOf(state.results, one.name));
  const verdict = useStore((state) => state.verdicts[one.name]);
  const judged = verdict !== undefined;
  const stale = useStore((state) => judged && verdict.version !== state.version);
  const complaint = useStore((state) => state.complaints.find((each) => each.name === one.name));
  const busy = useStore((state) => state.running !== undefined && state.running.names.includes(one.name) && !state.running.answered.has(one.name));
  const idle = useStore((state) => state.running === undefined);
  const choose = () => change({ property: one.name, node: undefined });
  return (
    <li class="property" data-chosen={chosen ? "yes" : undefined}>
      <button type="button" class="property-main" aria-pressed={chosen} onClick={choose}>
        <span class="property-name">{one.name}</span>
        <code class="property-formula">{one.typed ? one.logic : `${one.logic} ${one.formula}`}</code>
      </button>
      <div class="property-row">
        <Status one={one} busy={busy} stale={stale} />
        <span class="property-tools">
          {judged && <button type="button" class="quiet" onClick={() => { choose(); show("evidence"); }}>Why?</button>}
          {one.typed && <button type="button" class="quiet" onClick={() => forget(one)} aria-label={`Forget ${one.name}`}>Forget</button>}
          <button type="button" class="quiet" disabled={!idle || one.unsupported !== null} aria-label={`Check ${one.name}`}
            onClick={() => { choose(); void check([one.name], now().method); }}>Check</button>
        </span>
      </div>
      {stale && !busy && <p class="stale">of the text before your last change</p>}
      {chosen && result?.answer.reason && <p class="reason"><Ticked text={result.answer.reason} /></p>}
      {chosen && result?.answer.causes && (
        <ul class="reason causes" aria-label="What would decide it">
          {result.answer.causes.map((cause, index) => <li key={index}><Ticked text={decidingFacts(cause)} /></li>)}
        </ul>
      )}
      {chosen && result?.answer.falsified_in && <p class="reason">the initial state <code>{result.answer.falsified_in}</code> falsifies it</p>}
      {complaint && <p class="reason bad"><Ticked text={complaint.text} /></p>}
      {one.unsupported && <p class="reason">{one.unsupported}</p>}
    </li>
  );
}

function decidingFacts({ facts, verdict }: DecidingFacts): string {
  const sentence = (fact: Fact) => fact.proposition !== undefined
    ? `${fact.component} labels state ${fact.state} with \`${fact.holds ? "" : "!"}${fact.proposition}\``
    : `${fact.component} has ${fact.holds ? "a" : "no"} transition from ${fact.from} to ${fact.to}${fact.action ? ` by \`${fact.action}\`` : ""}`;
  return `${verdict} if ${facts.map(sentence).join(" and ")}`;
}

function Status({ one, busy, stale }: { one: Question; busy: boolean; stale: boolean }) {
  const verdict = useStore((state) => state.verdicts[one.name]);
  if (busy) return <span class="verdict busy"><span class="spinner" aria-hidden="true" />checking</span>;
  if (verdict !== undefined) return <Verdict value={verdict.value} stale={stale} />;
  return <span class="verdict none">{one.unsupported ? "cannot be checked" : "not checked"}</span>;
}

function forget(one: Question) {
  const { typed, property } = now();
  const left = questionsOf(now()).filter((each) => each.name !== one.name);
  change({
    typed: typed.filter((each) => each !== one),
    property: property === one.name ? left[0]?.name : property,
    notice: { text: "The formula is forgotten.", undo: () => change({ typed, property: one.name }) },
  });
}

/** A formula about something of the model, for who does not know how to begin. */
function exampleOf(outline: Outline | undefined, logic: string): string {
  const action = outline?.components.flatMap((one) => one.actions)[0];
  const fact = outline?.components.flatMap((one) => one.props)[0] ?? outline?.variables.map(valueOf).find((one) => one !== undefined);
  if (logic === "mcf") return `[true*] <${action ?? "true"}> true`;
  if (logic === "mu") return action === undefined ? `mu Z. ${fact ?? "false"} | <> Z` : `mu Z. <${action}> true | <> Z`;
  return fact === undefined ? "AG EX true" : `EF ${fact}`;
}

/** `x = 2`, with a value of the variable. */
function valueOf({ name, values }: { name: string; values: string }): string | undefined {
  if (/^bool/.test(values)) return name;
  const last = /^-?\d+\.\.(-?\d+)$/.exec(values)?.[1] ?? /([\w.-]+)\s*\}?$/.exec(values)?.[1];
  if (last === undefined || name.startsWith("@")) return undefined;
  return last === "TRUE" ? name : `${name} = ${last}`;
}

/** A formula of one's own, without a place in the file. The placeholder is a property of the file, if it has one of the logic. */
function AskFormula() {
  const [logic, setLogic] = useState("ctl");
  const [text, setText] = useState("");
  const able = useStore((state) => state.outline !== undefined);
  const example = useStore((state) => questionsOf(state).find((one) => !one.typed && one.logic === logic)?.formula ?? exampleOf(state.outline, logic));
  const ask = (event: Event) => {
    event.preventDefault();
    const formula = text.trim().replace(/\s+/g, " ");
    if (formula === "") return;
    const question: Question = { name: formula, logic, formula, typed: true, unsupported: null };
    const others = now().typed.filter((one) => one.name !== formula);
    change({ typed: [...others, question], property: formula, node: undefined });
    setText("");
    void check([formula], now().method);
  };
  return (
    <form class="ask" onSubmit={ask}>
      <label for="ask-text">Ask a formula</label>
      <div class="ask-row">
        <select aria-label="Logic" value={logic} onChange={(event) => setLogic(event.currentTarget.value)}>
          <option value="ctl">ctl</option>
          <option value="mu">mu</option>
          <option value="mcf">mcf</option>
        </select>
        <input id="ask-text" class="code" placeholder={example} value={text} spellcheck={false} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
        <button type="submit" disabled={!able || text.trim() === ""}>Ask</button>
      </div>
    </form>
  );
}
