// Evidence of a program: a way through its text, with the values at each step.
import { useEffect, useState } from "preact/hooks";
import type { TraceExplanation, TraceStep } from "../api/types";
import { change } from "../state/store";
import { walking } from "../ui/keys";
import { Ticked } from "../ui/words";

export function ProgramTrace({ trace }: { trace: TraceExplanation }) {
  const [at, setAt] = useState(0);
  const last = trace.steps.length - 1;
  useEffect(() => setAt(0), [trace]);
  useEffect(() => change({ line: trace.steps[at]?.line ?? undefined, node: String(at) }), [trace, at]);
  useEffect(() => {
    walking.forwards = () => setAt((now) => (now < last ? now + 1 : (trace.loop_start ?? now)));
    walking.backwards = () => setAt((now) => Math.max(0, now - 1));
    walking.start = () => setAt(0);
    walking.next = walking.previous = () => undefined;
  }, [trace]);
  const names = Object.keys(trace.steps[0]?.values ?? {});
  return (
    <div class="trace card" tabIndex={0} role="group" aria-label="Trace of the program">
      <table>
        <thead><tr><th scope="col">step</th><th scope="col">line</th><th scope="col">statement</th>{names.map((name) => <th key={name} scope="col">{name}</th>)}<th scope="col">notes</th></tr></thead>
        <tbody>
          {trace.steps.map((step, index) => <TraceRow key={index} {...{ step, index, names }} before={trace.steps[index - 1]} here={index === at} go={() => setAt(index)} loop={trace.loop_start === index} />)}
          {trace.loop_start !== null && <tr class="loop-row"><td colSpan={names.length + 4}>↺ back to step {trace.loop_start}, forever</td></tr>}
          {!trace.complete && <tr class="loop-row"><td colSpan={names.length + 4}>The trace continues; it was not explored further.</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

interface TraceRowProps {
  step: TraceStep;
  index: number;
  names: string[];
  before: TraceStep | undefined;
  here: boolean;
  loop: boolean;
  go: () => void;
}

function TraceRow({ step, index, names, before, here, go, loop }: TraceRowProps) {
  return (
    <tr data-here={here ? "yes" : undefined} aria-current={here ? "step" : undefined} onClick={go}>
      <th scope="row"><button type="button" class="row-number" onClick={go} aria-label={`Go to step ${index}`}>{index}</button></th>
      <td>{step.line ?? ""}</td>
      <td><code>{step.statement}</code></td>
      {names.map((name) => {
        const changed = before !== undefined && before.values[name] !== step.values[name];
        return <td key={name} class={changed ? "changed" : undefined}><code>{step.values[name] ?? ""}</code>{changed && <span class="star" title="has changed">*</span>}</td>;
      })}
      <td>{step.notes.map((remark) => <p key={remark} class="remark"><Ticked text={remark} /></p>)}{loop && <span class="chip">loop starts here</span>}</td>
    </tr>
  );
}
