// Evidence of a program: a way through its text, with the values at each step.
import { useEffect, useState } from "preact/hooks";
import type { StoryExplanation, StoryStep } from "../api/types";
import { change } from "../state/store";
import { walking } from "../ui/keys";
import { Ticked } from "../ui/words";

export function Story({ story }: { story: StoryExplanation }) {
  const [at, setAt] = useState(0);
  const last = story.steps.length - 1;
  useEffect(() => setAt(0), [story]);
  useEffect(() => change({ line: story.steps[at]?.line ?? undefined, node: String(at) }), [story, at]);
  useEffect(() => {
    walking.forwards = () => setAt((now) => (now < last ? now + 1 : (story.back_to ?? now)));
    walking.backwards = () => setAt((now) => Math.max(0, now - 1));
    walking.start = () => setAt(0);
    walking.next = walking.previous = () => undefined;
  }, [story]);
  const names = Object.keys(story.steps[0]?.values ?? {});
  return (
    <div class="trace card" tabIndex={0} role="group" aria-label="Way through the program">
      <table>
        <thead><tr><th scope="col">step</th><th scope="col">line</th><th scope="col">command</th>{names.map((name) => <th key={name} scope="col">{name}</th>)}<th scope="col">remarks</th></tr></thead>
        <tbody>
          {story.steps.map((step, index) => <StoryRow key={index} {...{ step, index, names }} before={story.steps[index - 1]} here={index === at} go={() => setAt(index)} loop={story.back_to === index} />)}
          {story.back_to !== null && <tr class="loop-row"><td colSpan={names.length + 4}>↺ back to step {story.back_to}, and so on for ever</td></tr>}
          {!story.complete && <tr class="loop-row"><td colSpan={names.length + 4}>The way goes on; this is as far as it was followed.</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

interface StoryRowProps {
  step: StoryStep;
  index: number;
  names: string[];
  before: StoryStep | undefined;
  here: boolean;
  loop: boolean;
  go: () => void;
}

function StoryRow({ step, index, names, before, here, go, loop }: StoryRowProps) {
  return (
    <tr data-here={here ? "yes" : undefined} aria-current={here ? "step" : undefined} onClick={go}>
      <th scope="row"><button type="button" class="row-number" onClick={go} aria-label={`Go to step ${index}`}>{index}</button></th>
      <td>{step.line ?? ""}</td>
      <td><code>{step.command}</code></td>
      {names.map((name) => {
        const changed = before !== undefined && before.values[name] !== step.values[name];
        return <td key={name} class={changed ? "changed" : undefined}><code>{step.values[name] ?? ""}</code>{changed && <span class="star" title="has changed">*</span>}</td>;
      })}
      <td>{step.remarks.map((remark) => <p key={remark} class="remark"><Ticked text={remark} /></p>)}{loop && <span class="chip">loop starts here</span>}</td>
    </tr>
  );
}
