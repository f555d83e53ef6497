// The run as a table: a row a state, a column a component, what has changed since the row before marked.
import { useMemo } from "preact/hooks";
import type { GraphExplanation, Member } from "../api/types";
import { type Column, columnsOf } from "./columns";
import { arrow } from "./sentences";
import { loopOf, type Row, rowsOf, type Run, type Walk } from "./walk";

interface TableProps {
  evidence: GraphExplanation;
  walk: Walk;
  run: Run;
  goTo: (index: number) => void;
}

export function TraceTable({ evidence, walk, run, goTo }: TableProps) {
  const rows = rowsOf(evidence, walk, run);
  const loop = loopOf(evidence, walk, run, rows);
  const columns = useMemo(() => columnsOf(evidence), [evidence]);
  const props = evidence.states.some((state) => state.members.some((member) => member !== null && (member.true.length > 0 || member.unknown.length > 0)));
  return (
    <div class="trace" tabIndex={0} role="group" aria-label="Trace">
      <table>
        <thead>
          <tr>
            <th scope="col">step</th><th scope="col">by</th>
            {columns.map(({ head }) => <th key={head} scope="col">{head}</th>)}
            {props && <th scope="col">true</th>}
            <th scope="col">subformula</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => <TraceRow key={index} {...{ evidence, walk, run, goTo, row, index, props, columns }} before={rows[index - 1]} loopStart={loop?.row === index} />)}
          {loop && <tr class="loop-row"><td colSpan={columns.length + (props ? 4 : 3)}>↺ {arrow(loop.step)} back to step {loop.row}, forever</td></tr>}
        </tbody>
      </table>
    </div>
  );
}

interface TraceRowProps extends TableProps {
  row: Row;
  index: number;
  before: Row | undefined;
  columns: Column[];
  props: boolean;
  loopStart: boolean;
}

function TraceRow({ evidence, walk, run, goTo, row, index, before, columns, props, loopStart }: TraceRowProps) {
  const here = row.from <= walk.at && walk.at <= row.to;
  const members = evidence.states[row.state]!.members;
  const labels = members.flatMap((member) => (member === null ? [] : said(member))).join(" ");
  const last = evidence.nodes[run.nodes[row.to]!]!;
  const first = evidence.nodes[run.nodes[row.from]!]!;
  return (
    <tr data-here={here ? "yes" : undefined} aria-current={here ? "step" : undefined} onClick={() => goTo(row.from)}>
      <th scope="row"><button type="button" class="row-number" onClick={() => goTo(row.from)} aria-label={`Go to step ${index}`}>{index}</button></th>
      <td><code>{index === 0 ? "" : arrow(row.step)}</code></td>
      {columns.map(({ head, of }) => <StateCell key={head} value={of(row.state)} changed={before !== undefined && of(before.state) !== of(row.state)} />)}
      {props && <td class="props" title={labels}>{labels}</td>}
      <td class="asked">
        <code title={first.subformula}>{first.subformula}</code>
        {last !== first && <> … <code title={last.subformula}>{last.subformula}</code></>}
        {loopStart && <span class="chip">loop starts here</span>}
        {last.successors.length > 1 && <span class="chip">{last.successors.length} branches</span>}
      </td>
    </tr>
  );
}

function StateCell({ value, changed }: { value: string | undefined; changed: boolean }) {
  return <td class={changed ? "changed" : undefined}><code>{value ?? "·"}</code>{changed && <span class="star" title="has changed">*</span>}</td>;
}

function said(member: Member): string[] {
  return [...member.true, ...member.unknown.map((prop) => `${prop}?`)];
}
