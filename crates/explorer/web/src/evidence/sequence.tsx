// The run of a system with actions as a sequence diagram: components are lifelines, actions join those that take part.
import type { ComponentOutline, GraphExplanation } from "../api/types";
import { shorten } from "../graph/measure";
import { arrow } from "./sentences";
import { loopOf, type Row, rowsOf, type Run, type Walk } from "./walk";

const COLUMN = 170;
const LEFT = 60;
const HEAD = 46;
const ROW = 58;

interface SequenceProps {
  evidence: GraphExplanation;
  walk: Walk;
  run: Run;
  outline: ComponentOutline[];
  goTo: (index: number) => void;
}

const at = (column: number) => LEFT + COLUMN / 2 + column * COLUMN;
const height = (row: number) => HEAD + 26 + row * ROW;

/** Who takes part in a step: those that know the action, or if a vector has named it anew, those that have moved. */
export function takingPart(evidence: GraphExplanation, outline: ComponentOutline[], row: Row, before: Row): number[] {
  const columns = evidence.components.map((_, column) => column);
  const moved = columns.filter((column) => nameIn(evidence, row, column) !== nameIn(evidence, before, column));
  const action = row.step?.action;
  if (action == null || action === "tau") return moved;
  const knowing = columns.filter((column) => outline.find((one) => one.name === evidence.components[column])?.actions.includes(action));
  return knowing.length > 0 && moved.every((column) => knowing.includes(column)) ? knowing : moved;
}

function nameIn(evidence: GraphExplanation, row: Row, column: number): string | undefined {
  return evidence.states[row.state]!.members[column]?.name;
}

export function SequenceDiagram(props: SequenceProps) {
  const { evidence, walk, run } = props;
  const rows = rowsOf(evidence, walk, run);
  const loop = loopOf(evidence, walk, run, rows);
  const width = LEFT + evidence.components.length * COLUMN + 20;
  const bottom = height(rows.length) + (loop ? 16 : -10);
  return (
    <div class="sequence" tabIndex={0} role="group" aria-label="Sequence diagram">
      <svg width={width} height={bottom + 24} viewBox={`0 0 ${width} ${bottom + 24}`} role="img" aria-label={`Sequence of ${rows.length - 1} steps between ${evidence.components.join(", ")}`}>
        {rows.map((row, index) => <RowGround key={index} row={row} y={height(index)} width={width} here={isHere(row, walk)} goTo={props.goTo} />)}
        {evidence.components.map((name, column) => <Lifeline key={name} name={name} x={at(column)} bottom={bottom} />)}
        {rows.map((row, index) => <Step key={index} {...props} row={row} before={rows[index - 1]} index={index} />)}
        {loop && <Loop from={height(loop.row)} to={height(rows.length) - 16} text={`↺ ${arrow(loop.step)}`} />}
      </svg>
    </div>
  );
}

function Lifeline({ name, x, bottom }: { name: string; x: number; bottom: number }) {
  return (
    <g>
      <line class="life" x1={x} y1={HEAD} x2={x} y2={bottom} />
      <rect class="life-head" x={x - 68} y={8} width={136} height={32} rx={8} />
      <text class="life-name" x={x} y={29}>{shorten(name, 17)}</text>
    </g>
  );
}

function isHere(row: Row, walk: Walk): boolean {
  return row.from <= walk.at && walk.at <= row.to;
}

interface GroundProps {
  row: Row;
  y: number;
  width: number;
  here: boolean;
  goTo: (index: number) => void;
}

/** The row behind everything else, which is clicked and shows where one stands. */
function RowGround({ row, y, width, here, goTo }: GroundProps) {
  return <rect class={here ? "seq-row here" : "seq-row"} x={0} y={y - 30} width={width} height={ROW - 4} rx={8} onClick={() => goTo(row.from)} />;
}

function Step({ evidence, walk, outline, goTo, row, before, index }: SequenceProps & { row: Row; before: Row | undefined; index: number }) {
  const y = height(index);
  const part = before === undefined ? [] : takingPart(evidence, outline, row, before);
  const states = before === undefined ? evidence.components.map((_, column) => column) : part;
  return (
    <g class={isHere(row, walk) ? "seq-step here" : "seq-step"} onClick={() => goTo(row.from)}>
      <text class="seq-number" x={14} y={y + 4}>{index}</text>
      {part.length > 0 && <Joint part={part} y={y - 14} text={row.step?.action ?? arrow(row.step)} sure={row.step?.must ?? true} />}
      {states.map((column) => <StatePill key={column} x={at(column)} y={y + 8} name={nameIn(evidence, row, column) ?? "·"} />)}
    </g>
  );
}

function Joint({ part, y, text, sure }: { part: number[]; y: number; text: string; sure: boolean }) {
  const from = at(Math.min(...part));
  const to = at(Math.max(...part));
  const shown = sure ? text : `${text}?`;
  return (
    <g class={sure ? "joint" : "joint may"}>
      {from !== to && <line x1={from} y1={y} x2={to} y2={y} />}
      {part.map((column) => <circle key={column} cx={at(column)} cy={y} r={4.5} />)}
      <text class="joint-name" x={from === to ? from + 12 : (from + to) / 2} y={from === to ? y + 4 : y - 7} text-anchor={from === to ? "start" : "middle"}>{shorten(shown, 22)}</text>
    </g>
  );
}

function StatePill({ x, y, name }: { x: number; y: number; name: string }) {
  const shown = shorten(name, 16);
  const width = Math.max(44, shown.length * 7.4 + 18);
  return (
    <g class="pill">
      <rect x={x - width / 2} y={y - 11} width={width} height={22} rx={11} />
      <text x={x} y={y + 4.5}>{shown}</text>
    </g>
  );
}

function Loop({ from, to, text }: { from: number; to: number; text: string }) {
  return (
    <g class="loop">
      <path d={`M44 ${to}H34V${from}H42`} />
      <path class="loop-head" d={`M50 ${from}l-9 -4.5v9z`} />
      <text x={52} y={to + 5}>{text} forever</text>
    </g>
  );
}
