// A refinement, round by round: the failure cause, the refinement step, and the size of the abstraction.
import { useEffect, useState } from "preact/hooks";
import type { AbstractStates, Round } from "../api/types";
import { check, resultOf, roundsOf } from "../state/checking";
import { type Told, useStore } from "../state/store";
import { timeline as keys } from "../ui/keys";
import { count, Empty, Ticked, Verdict } from "../ui/words";
import { RunningLine } from "./properties";

export function Timeline({ property }: { property: string }) {
  const results = useStore((state) => state.results);
  const running = useStore((state) => state.running);
  const able = useStore((state) => state.outline?.methods.includes("refine") ?? false);
  const rounds = roundsOf(results, running, property);
  const refined = results.findLast((one) => one.answer.property === property && one.answer.method === "refine");
  const watch = <button type="button" class="primary" disabled={running !== undefined || !able} onClick={() => void check([property], "refine")}>{rounds.length > 0 ? "Refine again" : "Watch the refinement"}</button>;
  if (rounds.length === 0 && running === undefined) {
    return (
      <Empty title={refined ? "No round was needed" : "Not refined yet"}>
        <p>{refined ? "The first abstraction decides it." : able ? "The method refine starts with coarse abstractions and refines them where the verdict depends on it." : "The method refine does not support this kind of model."}</p>
        {watch}
      </Empty>
    );
  }
  return (
    <div class="timeline">
      <div class="section-head">
        <h2>{property} {refined && resultOf(results, property) && <Verdict value={refined.answer.verdict} />}</h2>
        {watch}
      </div>
      {running && <RunningLine running={running} />}
      {rounds.length > 0 && <Rounds rounds={rounds} live={running !== undefined} />}
    </div>
  );
}

function Rounds({ rounds, live }: { rounds: Told[]; live: boolean }) {
  const [picked, setPicked] = useState<number>();
  const last = rounds.length - 1;
  const at = Math.min(picked ?? (live ? last : 0), last);
  useEffect(() => {
    keys.forwards = () => setPicked(Math.min(at + 1, last));
    keys.backwards = () => setPicked(Math.max(at - 1, 0));
  }, [at, last]);
  const told = rounds[at]!;
  return (
    <div class="rounds">
      <ol class="round-list" aria-label="Rounds">
        {rounds.map((one, index) => (
          <li key={index}>
            <button type="button" aria-pressed={index === at} onClick={() => setPicked(index)}>
              <span class="round-number">{one.round.round}</span>
              <span>{headline(one.round)}</span>
            </button>
          </li>
        ))}
      </ol>
      <section class="round card pad" aria-label={`Round ${told.round.round}`}>
        <div class="steps" role="group" aria-label="Rounds">
          <button type="button" disabled={at === 0} onClick={() => setPicked(at - 1)} title="The round before (,)">← Before</button>
          <span class="steps-at">{at + 1} / {rounds.length}</span>
          <button type="button" class="primary" disabled={at === last} onClick={() => setPicked(at + 1)} title="The next round (.)">Next →</button>
        </div>
        <RoundDetail told={told} before={rounds[at - 1]} />
      </section>
    </div>
  );
}

const DONE: Record<string, string> = {
  label: "label refined", transitions: "learns transitions", split: "is split", hyper: "must hyper-transition added",
  colour: "colour decided", included: "comes in", predicates: "new predicates",
};

function headline(round: Round): string {
  const { component, kind, state } = round.change;
  return [component, kind === "split" ? state : undefined, DONE[kind] ?? kind].filter(Boolean).join(" ");
}

const CASE: Record<number, string> = {
  1: "an unknown label",
  2: "a may transition would decide it",
  3: "a may transition leads to an unknown position",
};

/** The sentence says the cause, what was done, and figures; what was done stands in the middle. */
function doneIn(told: Told): string {
  const parts = told.text.replace(/^round \d+, [^:]*: /, "").split("; ");
  return told.round.cause !== undefined && parts[1] !== undefined ? `${parts[1]}.` : told.text;
}

function RoundDetail({ told, before }: { told: Told; before: Told | undefined }) {
  const { cause, abstract_states, coloured_nodes, unknown_nodes } = told.round;
  return (
    <>
      {cause && (
        <>
          <h3>Failure cause</h3>
          <p><code>{cause.subformula}</code> in <code>{cause.state.join(", ")}</code> is undetermined: {CASE[cause.case]}.</p>
        </>
      )}
      <h3>Refinement step</h3>
      <p><Ticked text={doneIn(told)} /></p>
      {abstract_states && (
        <>
          <h3>Abstract states</h3>
          <dl class="abstractions">{abstract_states.map((one) => <Abstraction key={one.component} one={one} before={before?.round.abstract_states?.find((old) => old.component === one.component)} />)}</dl>
        </>
      )}
      {coloured_nodes !== undefined && <p class="soft">{count(coloured_nodes, "node")} coloured in this round; {unknown_nodes?.toLocaleString("en")} stayed unknown.</p>}
    </>
  );
}

function Abstraction({ one, before }: { one: AbstractStates; before: AbstractStates | undefined }) {
  const more = before === undefined ? 0 : one.abstract_states - before.abstract_states;
  return (
    <div>
      <dt>{one.component}</dt>
      <dd>
        <meter min={0} max={one.concrete_states ?? one.abstract_states} value={one.abstract_states} aria-label={`${one.component}: abstract states`} />
        <span>{one.abstract_states.toLocaleString("en")} of {one.concrete_states === null ? "infinitely many" : one.concrete_states.toLocaleString("en")}{more > 0 && <strong class="chip">+{more}</strong>}</span>
      </dd>
    </div>
  );
}
