// The diagnosis: the games of a property side by side (the paper's Figure 5, alive), and how a refinement unfolds.
import { useMemo, useState } from "preact/hooks";
import type { Game, GameNode, Games } from "../api/types";
import { Formula, markOf } from "../evidence/formula";
import { textOf } from "../graph/game-drawing";
import { asked, question } from "../state/reading";
import { change, now, useStore } from "../state/store";
import { useAnswer } from "../state/use-answer";
import { Tabs } from "../ui/tabs";
import { Empty, Letter, Refused, Unsupported, Verdict, Waiting } from "../ui/words";
import { GamePane } from "./game-pane";
import { GameLegend } from "./legend";
import { Timeline } from "./timeline";

export interface Chosen {
  game: Game;
  node: GameNode;
}

export function DiagnosisView() {
  const property = useStore((state) => state.property);
  const part = useStore((state) => (state.part === "refinement" ? "refinement" : "games"));
  const unsupported = useStore((state) => question(state, state.property)?.unsupported);
  if (property === undefined) return <Empty title="No property is chosen"><p>Choose a property from the list to see the undetermined part of its games.</p></Empty>;
  if (unsupported) return <Unsupported why={unsupported} />;
  return (
    <div class="diagnosis">
      <Tabs label="Games or refinement" class="part-tabs" chosen={part} choose={(key) => change({ part: key })}
        tabs={[{ key: "games", label: "Games" }, { key: "refinement", label: "Refinement" }]} />
      {part === "games" ? <GamesOf key={property} property={property} /> : <Timeline key={property} property={property} />}
    </div>
  );
}

function GamesOf({ property }: { property: string }) {
  const readable = useStore((state) => state.readable);
  const options = useStore((state) => state.options);
  const body = useMemo(() => asked(now(), property), [property, readable, options]);
  const { data, error, waiting } = useAnswer<Games>("/api/game", body);
  if (error !== undefined && !waiting) return <Refused error={error} />;
  if (data === undefined || body === undefined) return <Waiting>solving the games</Waiting>;
  return <SideBySide key={readable} games={data} body={body} />;
}

/** What the figure in the paper shows: the ?-subgraph of each component, and their product. */
function firstShown(games: Game[]): string[] {
  const parts = games.filter((game) => game.kind === "unknown" && game.components.length === 1 && game.nodes > 0).map((game) => game.id);
  const products = games.filter((game) => game.kind === "product").map((game) => game.id);
  const wanted = [...parts.slice(0, 3), ...products.slice(-1)];
  return wanted.length > 0 ? wanted : games.filter((game) => game.nodes > 0).map((game) => game.id).slice(0, 2);
}

/** The game of a kept address is shown too. */
function shownAtFirst(games: Game[]): string[] {
  const kept = now().node?.split(":")[0];
  const first = firstShown(games);
  return kept === undefined || first.includes(kept) || !games.some((game) => game.id === kept) ? first : [...first, kept];
}

function SideBySide({ games, body }: { games: Games; body: object }) {
  const [shown, setShown] = useState(() => shownAtFirst(games.games));
  const [chosen, setChosen] = useState<Chosen>();
  const choose = (one: Chosen) => {
    setChosen(one);
    change({ node: `${one.game.id}:${one.node.id}` });
  };
  const toggle = (id: string) => setShown((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old, id]));
  const mark = chosen && games.subformulas.find((one) => one.id === chosen.node.subformula);
  const where = mark && markOf((name) => games.subformulas.find((one) => one.text === name), mark.text);
  return (
    <>
      <div class="diagnosis-head card pad">
        <h2>{games.property} <Verdict value={games.verdict} /></h2>
        <Formula text={games.formula} mark={where} />
        <div class="game-chips" role="group" aria-label="Games that are shown">
          {games.games.map((game) => <GameChip key={game.id} game={game} shown={shown.includes(game.id)} toggle={() => toggle(game.id)} />)}
        </div>
        {games.notes.map((note) => <p key={note} class="soft">{note}</p>)}
      </div>
      <ChosenCard chosen={chosen} games={games} />
      {shown.length === 0 && <Empty title="No game is shown"><p>Choose one or several above.</p></Empty>}
      <div class="game-panes" data-many={Math.min(shown.length, 3)}>
        {games.games.filter((game) => shown.includes(game.id)).map((game) => (
          <GamePane key={game.id} game={game} games={games} body={body} chosen={chosen} choose={choose} />
        ))}
      </div>
      <GameLegend />
    </>
  );
}

function GameChip({ game, shown, toggle }: { game: Game; shown: boolean; toggle: () => void }) {
  return (
    <button type="button" class="game-chip" aria-pressed={shown} onClick={toggle}>
      <strong>{game.title}</strong>
      <span class="tally"><i class="t">T {game.colours.true.toLocaleString("en")}</i> <i class="f">F {game.colours.false.toLocaleString("en")}</i> <i class="u">? {game.colours.unknown.toLocaleString("en")}</i></span>
    </button>
  );
}

const OWNER: Record<string, string> = { verifier: "The verifier moves: one true successor suffices.", falsifier: "The falsifier moves: all successors must be true." };

function ChosenCard({ chosen, games }: { chosen: Chosen | undefined; games: Games }) {
  if (chosen === undefined) return <p class="chosen card pad soft">Choose a node: its subformula is marked in the formula, and the corresponding nodes are highlighted in the other games.</p>;
  const { node, game } = chosen;
  return (
    <div class="chosen card pad" aria-live="polite">
      <p><Letter value={node.colour} /> <code>{textOf(games.subformulas, node.subformula)}</code> in <code>{node.state}</code> <span class="soft">({game.title})</span></p>
      <p class="soft">
        {node.owner ? OWNER[node.owner] : "A terminal position: the label of the state decides."}
        {node.frontier && " It is definite, at the border of the ?-subgraph."}
        {node.colour === "unknown" && " It is undetermined in this game."}
      </p>
    </div>
  );
}
