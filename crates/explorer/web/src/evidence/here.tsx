// Where one stands: the state of every component, the question asked there, why it has its value, and what is next.
import type { GraphExplanation, Member } from "../api/types";
import { show } from "../state/route";
import { change } from "../state/store";
import { Letter, Ticked } from "../ui/words";
import { assignments } from "./columns";
import { arrow, because, has, stateName } from "./sentences";
import { chosenSuccessor, rowAt, rowsOf, type Run, type Walk } from "./walk";

export interface HereProps {
  evidence: GraphExplanation;
  walk: Walk;
  run: Run;
  take: (successor: number) => void;
  back: () => void;
  forward: () => void;
  start: () => void;
}

export function Here(props: HereProps) {
  const { evidence, walk, run } = props;
  const node = run.nodes[walk.at]!;
  const position = evidence.nodes[node]!;
  return (
    <section class="here card" aria-label="Where you are">
      <Steps {...props} />
      <div class="here-body">
        <p class="here-value"><Letter value={position.value} /> <code>{position.subformula}</code> <strong>{has(position.value)}</strong> here</p>
        <p class="here-why" aria-live="polite">because {because(position)}.</p>
        {position.why === "unknown" && evidence.reason && <p class="here-reason"><Ticked text={evidence.reason} /></p>}
        <div class="here-state">
          <h3>State</h3>
          <button type="button" class="quiet" onClick={() => walkFrom(evidence, position.state)} title="Choose the steps from this state on">Walk from here</button>
        </div>
        <dl class="members">
          {evidence.components.map((name, index) => <MemberRows key={name} name={name} member={evidence.states[position.state]!.members[index] ?? null} />)}
        </dl>
        <Sons {...props} node={node} />
      </div>
    </section>
  );
}

/** Begins a free walk in a state, as far as its values are known. */
function walkFrom(evidence: GraphExplanation, state: number) {
  const from = evidence.states[state]!.members.flatMap((member, index): [string, string][] => {
    if (member === null) return [];
    return assignments(member.name) ?? [[evidence.components[index]!, member.name]];
  });
  change({ walk: { from: Object.fromEntries(from), path: [] } });
  show("walk");
}

/** By states of the run; the subformulas of a state are among its successors. */
function Steps({ evidence, walk, run, back, forward, start }: HereProps) {
  const rows = rowsOf(evidence, walk, run);
  const row = rowAt(rows, walk);
  const end = row + 1 >= rows.length;
  return (
    <div class="steps" role="group" aria-label="Steps">
      <button type="button" onClick={start} disabled={walk.at === 0} title="To the start (Home)" aria-label="To the start">⇤</button>
      <button type="button" onClick={back} disabled={walk.at === 0} title="Back (←)">← Back</button>
      <span class="steps-at">step {row} / {rows.length - 1}</span>
      <button type="button" class="primary" onClick={forward} disabled={end && run.backTo === undefined} title="Forwards (→)">{end && run.backTo !== undefined ? "↺ Round" : "Next →"}</button>
    </div>
  );
}

/** The state of a component, or of a machine each of its variables. */
function MemberRows({ name, member }: { name: string; member: Member | null }) {
  const variables = assignments(member?.name ?? "");
  if (variables !== undefined) return <>{variables.map(([variable, value]) => <div key={variable}><dt>{variable}</dt><dd><code>{value}</code></dd></div>)}</>;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {member === null ? <span class="soft">irrelevant</span> : <code>{member.name}</code>}
        {member && (member.true.length > 0 || member.unknown.length > 0) && (
          <ul class="labels">
            {member.true.map((prop) => <li key={prop} class="prop true">{prop}</li>)}
            {member.unknown.map((prop) => <li key={prop} class="prop unknown">{prop}?</li>)}
          </ul>
        )}
      </dd>
    </div>
  );
}

function Sons({ evidence, walk, node, take }: HereProps & { node: number }) {
  const { successors } = evidence.nodes[node]!;
  if (successors.length === 0) return <p class="soft">This is a leaf of the proof.</p>;
  const chosen = chosenSuccessor(evidence, walk, node);
  return (
    <>
      <h3>{successors.length === 1 ? "Next" : `Next: ${successors.length} branches`}</h3>
      <ul class="successors">
        {successors.map((successor, index) => {
          const target = evidence.nodes[successor.node]!;
          return (
            <li key={index}>
              <button type="button" class="successor" aria-pressed={index === chosen} onClick={() => take(index)}>
                <Letter value={target.value} />
                {successor.transition ? <code class="step">{arrow(successor.transition)}</code> : <span class="step same">same state</span>}
                {successor.transition && <code class="state">{stateName(evidence, target.state)}</code>}
                <code class="successor-formula">{target.subformula}</code>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
}
