// Checking: which method, what it is doing, and what each has cost.
import { cancel, check } from "../state/checking";
import type { Answer, Stats } from "../api/types";
import { change, now, type Options, type Result, type Running, useStore } from "../state/store";
import { bytes, count, duration, Empty, Verdict } from "../ui/words";
import { RunningLine } from "./properties";

const SAYS: Record<string, string> = {
  auto: "Portfolio: the methods that support the model, cheapest first.",
  direct: "3-valued model-checking game on the composition.",
  compositional: "Games of the components, and products of their undetermined parts.",
  refine: "Abstraction refinement (CEGAR) of the components or of predicates.",
  symbolic: "BDD-based fixpoints on sets of states.",
  modular: "While-programs block by block, one block in memory at a time.",
};

export function ChecksView() {
  const running = useStore((state) => state.running);
  return (
    <div class="checks">
      <Methods />
      {running && <Doing running={running} />}
      <Figures />
    </div>
  );
}

function Methods() {
  const outline = useStore((state) => state.outline);
  const session = useStore((state) => state.session);
  const method = useStore((state) => state.method);
  const property = useStore((state) => state.property);
  const idle = useStore((state) => state.running === undefined);
  const methods = outline?.methods ?? session?.methods ?? [];
  return (
    <section class="card pad" aria-label="Method">
      <div class="section-head">
        <h2>Method</h2>
        <button type="button" disabled={!idle || property === undefined} onClick={() => void compare(methods, property!)} title="Check this property by every method, one after the other">Compare methods</button>
      </div>
      <div class="methods" role="radiogroup" aria-label="Method">
        {methods.map((one) => (
          <label key={one} class="method">
            <input type="radio" name="method" value={one} checked={method === one} onChange={() => change({ method: one })} />
            <span><strong>{one}</strong><span class="soft">{SAYS[one] ?? ""}</span></span>
          </label>
        ))}
      </div>
      <CheckOptions />
    </section>
  );
}

const TIMES = [10, 60, 600, 3600];

function CheckOptions() {
  const options = useStore((state) => state.options);
  const standard = useStore((state) => state.session?.timeout ?? 60);
  const mixed = useStore((state) => state.outline?.components.some((one) => one.kind === "mixts" || one.kind === "gkmts") ?? false);
  const set = (part: Partial<Options>) => change({ options: { ...options, ...part } });
  const times = [...new Set([...TIMES, standard])].sort((a, b) => a - b);
  return (
    <div class="options">
      <label>Give up after{" "}
        <select value={String(options.timeout ?? standard)} onChange={(event) => set({ timeout: Number(event.currentTarget.value) })}>
          {times.map((time) => <option key={time} value={String(time)}>{time < 120 ? `${time} s` : `${time / 60} min`}</option>)}
        </select>
      </label>
      <label>Deadlocks{" "}
        <select value={options.deadlock} onChange={(event) => set({ deadlock: event.currentTarget.value as Options["deadlock"] })}>
          <option value="warn">warn</option>
          <option value="stutter">stutter</option>
          <option value="error">error</option>
        </select>
      </label>
      {mixed && (
        <label>Semantics{" "}
          <select value={options.semantics ?? "ris"} onChange={(event) => set({ semantics: event.currentTarget.value as "sis" | "ris" })}>
            <option value="ris">reduced</option>
            <option value="sis">standard</option>
          </select>
        </label>
      )}
    </div>
  );
}

async function compare(methods: string[], property: string) {
  let stopped = false;
  for (const method of methods) {
    if (stopped || now().property !== property) return;
    const going = check([property], method);
    const stop = now().running?.stop;
    await going;
    stopped = stop?.signal.aborted ?? true;
  }
}

function Doing({ running }: { running: Running }) {
  const { progress } = running;
  const last = running.rounds.at(-1);
  return (
    <section class="card pad doing" aria-label="Progress">
      <div class="section-head">
        <h2>Checking by <em>{running.method}</em></h2>
        <button type="button" class="danger" onClick={cancel}>Cancel</button>
      </div>
      <RunningLine running={running} />
      <dl class="doing-figures">
        {progress && <div><dt>at</dt><dd>{progress.done.toLocaleString("en")}{progress.total > 0 && ` of ${progress.total.toLocaleString("en")}`}</dd></div>}
        {progress && <div><dt>time</dt><dd>{duration(progress.seconds)}</dd></div>}
        {progress && <div><dt>memory</dt><dd>{bytes(progress.memory_bytes)}</dd></div>}
        {running.rounds.length > 0 && <div><dt>refinement</dt><dd>{count(running.rounds.length, "round")}</dd></div>}
      </dl>
      {last && <p class="soft last-round">{last.text}</p>}
      <ul class="decided">
        {running.names.map((name) => {
          const value = running.answered.get(name);
          return <li key={name}>{value === undefined || value === "refused" ? <span class="verdict none">{value ?? "pending"}</span> : <Verdict value={value} />} {name}</li>;
        })}
      </ul>
    </section>
  );
}

const COLUMNS: { head: string; title: string; of: (answer: Answer, stats: Stats) => number | undefined; shown: (value: number) => string }[] = [
  { head: "time", title: "until the verdict", of: (answer) => answer.seconds, shown: duration },
  { head: "states", title: "of the composition, as far as explored", of: (_, stats) => stats.states, shown: plain },
  { head: "nodes", title: "of the game; of the components' games, all together", of: (_, stats) => nodesOf(stats), shown: plain },
  { head: "product nodes", title: "of all products that were built", of: (_, stats) => stats.product_nodes, shown: plain },
  { head: "iterations", title: "rounds of a refinement, or passes", of: (_, stats) => stats.iterations, shown: plain },
  { head: "memory", title: "peak memory", of: (_, stats) => stats.peak_bytes, shown: bytes },
];

function plain(value: number): string {
  return value.toLocaleString("en");
}

function nodesOf(stats: Stats): number | undefined {
  return stats.game_nodes ?? stats.coloured_nodes ?? stats.component_nodes?.reduce((sum, one) => sum + one, 0);
}

function Figures() {
  const results = useStore((state) => state.results);
  const property = useStore((state) => state.property);
  if (results.length === 0) {
    return <section class="card" aria-label="Figures"><Empty title="No figures yet"><p>Check a property, or compare the methods on it: their statistics are compared here.</p></Empty></section>;
  }
  const groups = Map.groupBy(results, (one) => one.answer.property);
  const names = [...groups.keys()].sort((a, b) => Number(b === property) - Number(a === property));
  return (
    <section class="card pad" aria-label="Figures">
      <div class="section-head"><h2>Figures</h2></div>
      <div class="figure-table" tabIndex={0} role="group" aria-label="Table of figures">
        <table>
          <thead>
            <tr><th scope="col">method</th><th scope="col">verdict</th>{COLUMNS.map((column) => <th key={column.head} scope="col" class="number" title={column.title}>{column.head}</th>)}</tr>
          </thead>
          {names.map((name) => <FigureRows key={name} name={name} results={groups.get(name)!} />)}
        </table>
      </div>
    </section>
  );
}

function FigureRows({ name, results }: { name: string; results: Result[] }) {
  const most = COLUMNS.map((column) => Math.max(...results.map((one) => column.of(one.answer, one.answer.stats) ?? 0)));
  const alone = results.length === 1;
  return (
    <tbody>
      <tr class="figure-name"><th scope="rowgroup" colSpan={COLUMNS.length + 2}>{name}</th></tr>
      {results.map((one) => (
        <tr key={one.asked}>
          <th scope="row">{one.asked}{one.asked !== one.answer.method && <span class="soft"> → {one.answer.method}</span>}</th>
          <td><Verdict value={one.answer.verdict} /></td>
          {COLUMNS.map((column, index) => <Cell key={column.head} value={column.of(one.answer, one.answer.stats)} most={alone ? 0 : most[index]!} shown={column.shown} />)}
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ value, most, shown }: { value: number | undefined; most: number; shown: (value: number) => string }) {
  if (value === undefined) return <td class="number soft" title="not measured by this method">–</td>;
  return (
    <td class="number">
      {shown(value)}
      {most > 0 && <meter class="bar-of" min={0} max={most} value={value} aria-hidden="true" />}
    </td>
  );
}
