// The run as a table: a row a state, a column a component, what has changed since the row before marked.
import { useMemo } from "preact/hooks";
import type { GraphExplanation, Member } from "../api/types";
import { type Column, columnsOf, tracedColumns } from "./columns";
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
  const traced = useMemo(() => tracedColumns(evidence), [evidence]);
  const told = traced !== undefined && evidence.trace?.steps.length === rows.length ? traced : undefined;
  const columns = useMemo(() => told?.columns ?? columnsOf(evidence), [evidence, told]);
  // What a machine has true follows from its variables.
  const props = told === undefined && evidence.states.some((state) => state.members.some((member) => member !== null && (member.true.length > 0 || member.unknown.length > 0)));
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
          {rows.map((row, index) => <TraceRow key={index} {...{ evidence, walk, run, goTo, row, index, props, columns, told }} before={rows[index - 1]} loopStart={loop?.row === index} />)}
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
  /** The trace of a machine, whose columns go by rows and not by states. */
  told: { by: (row: number) => string } | undefined;
}

function TraceRow({ evidence, walk, run, goTo, row, index, before, columns, props, loopStart, told }: TraceRowProps) {
  const at = (column: Column, number: number, state: number) => column.of(told === undefined ? state : number);
  const here = row.from <= walk.at && walk.at <= row.to;
  const members = evidence.states[row.state]!.members;
  const labels = members.flatMap((member) => (member === null ? [] : said(member))).join(" ");
  const last = evidence.nodes[run.nodes[row.to]!]!;
  const first = evidence.nodes[run.nodes[row.from]!]!;
  return (
    <tr data-here={here ? "yes" : undefined} aria-current={here ? "step" : undefined} onClick={() => goTo(row.from)}>
      <th scope="row"><button type="button" class="row-number" onClick={() => goTo(row.from)} aria-label={`Go to step ${index}`}>{index}</button></th>
      <td><code>{index === 0 ? "" : (told?.by(index) ?? arrow(row.step))}</code></td>
      {columns.map((column) => {
        const value = at(column, index, row.state);
        return <StateCell key={column.head} value={value} changed={before !== undefined && at(column, index - 1, before.state) !== value} />;
      })}
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
