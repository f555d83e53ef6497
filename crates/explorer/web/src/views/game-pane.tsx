// One game among others: drawn whole if it is small, else summed up, and opened from a node outwards.
import { useEffect, useMemo, useState } from "preact/hooks";
import { post } from "../api/client";
import type { Game, GameGraph, GameGroup, GameNode, GameNodes, Games } from "../api/types";
import { GraphCanvas } from "../graph/canvas";
import { drawGame, mergedGames, textOf } from "../graph/game-drawing";
import { now } from "../state/store";
import { useAnswer } from "../state/use-answer";
import { count, Letter, Refused, Waiting } from "../ui/words";
import type { Chosen } from "./diagnosis";

/** Larger games are summarised first, and drawn only on request. */
const LIMIT = 80;
const MOST_DRAWN = 2000;
const AROUND = 60;
const PAGE = 25;

interface PaneProps {
  game: Game;
  games: Games;
  body: object;
  chosen: Chosen | undefined;
  choose: (chosen: Chosen) => void;
}

export function GamePane({ game, games, body, chosen, choose }: PaneProps) {
  const [limit, setLimit] = useState(LIMIT);
  const { data, error } = useAnswer<GameGraph>("/api/game/graph", { ...body, game: game.id, limit });
  const [grown, setGrown] = useState<GameGraph>();
  const [group, setGroup] = useState<GameGroup>();
  const graph = grown ?? data;
  const drawing = useMemo(() => graph && drawGame(graph, games.subformulas), [graph]);
  const found = useMemo(() => (graph ? matching(graph, game, chosen) : new Set<string>()), [graph, chosen]);
  const around = async (id: number) => {
    const answer = await post<GameGraph>("/api/game/graph", { ...body, game: game.id, from: [id], depth: 1, direction: "both", limit: AROUND });
    setGrown((old) => mergedGames(old, answer));
    const node = answer.nodes.find((one) => one.id === id);
    if (node) choose({ game, node });
  };
  const pick = (id: string) => {
    const node = graph?.nodes.find((one) => String(one.id) === id);
    if (node) choose({ game, node });
    else setGroup(graph?.groups.find((one) => one.id === id));
  };
  const open = (id: string) => {
    const node = graph?.nodes.find((one) => String(one.id) === id);
    if (node === undefined) return pick(id);
    if (node.more > 0) void around(node.id);
  };
  useEffect(() => {
    const kept = chosen === undefined ? keptNode(game) : undefined;
    if (data === undefined || kept === undefined) return;
    const node = data.nodes.find((one) => one.id === kept);
    if (node) choose({ game, node });
    else if (data.groups.length > 0) void around(kept);
  }, [data]);
  const here = chosen?.game.id === game.id ? String(chosen.node.id) : group?.id;
  return (
    <section class="game-pane card" aria-label={game.title}>
      <header class="bar">
        <h3>{game.title}</h3>
        <p class="figures">
          {count(game.nodes, "node")}
          {graph !== undefined && graph.groups.length > 0 && game.nodes <= MOST_DRAWN && <button type="button" class="quiet" onClick={() => setLimit(MOST_DRAWN)}>Draw all</button>}
          {grown && <button type="button" class="quiet" onClick={() => setGrown(undefined)}>Sum up</button>}
        </p>
      </header>
      {error && <Refused error={error} />}
      {game.nodes === 0 && <p class="soft pad">This game has no undetermined positions.</p>}
      {game.nodes > 0 && drawing === undefined && !error && <Waiting>drawing</Waiting>}
      {game.nodes > 0 && drawing && <GraphCanvas drawing={drawing} label={`Game ${game.title}`} current={here} found={found} onPick={pick} onOpen={open} />}
      {group && !grown && <GroupList key={group.id} {...{ group, games, game, body }} open={(id) => void around(id)} close={() => setGroup(undefined)} />}
    </section>
  );
}

/** The node of this game that a kept address names. */
function keptNode(game: Game): number | undefined {
  const [id, node] = now().node?.split(":") ?? [];
  return id === game.id && node !== undefined && /^\d+$/.test(node) ? Number(node) : undefined;
}

/** The nodes that belong to what is chosen in another game: the same question, in states that agree. */
function matching(graph: GameGraph, game: Game, chosen: Chosen | undefined): ReadonlySet<string> {
  if (chosen === undefined || chosen.game.id === game.id) return new Set();
  const agrees = (node: GameNode) =>
    node.subformula === chosen.node.subformula &&
    game.components.every((component, index) => {
      const other = chosen.game.components.indexOf(component);
      return other < 0 || node.states[index] === chosen.node.states[other];
    });
  return new Set(graph.nodes.filter(agrees).map((node) => String(node.id)));
}

interface GroupProps {
  group: GameGroup;
  game: Game;
  games: Games;
  body: object;
  open: (id: number) => void;
  close: () => void;
}

/** The nodes of a group, page by page. */
function GroupList({ group, game, games, body, open, close }: GroupProps) {
  const [offset, setOffset] = useState(0);
  const [query, setQuery] = useState("");
  useEffect(() => setOffset(0), [query]);
  const asked = { ...body, game: game.id, subformula: group.subformula, colour: group.colour, offset, limit: PAGE, ...(query === "" ? {} : { query }) };
  const { data } = useAnswer<GameNodes>("/api/game/nodes", asked);
  const total = data?.total ?? group.count;
  return (
    <div class="group-list">
      <div class="group-head">
        <p><Letter value={group.colour} /> <code>{textOf(games.subformulas, group.subformula)}</code>: {count(total, "node")}</p>
        <input type="search" aria-label="Find a node by its state" placeholder="Find a state" value={query} onInput={(event) => setQuery(event.currentTarget.value)} />
        <button type="button" class="quiet" onClick={close}>Close</button>
      </div>
      <ul>
        {data?.nodes.map((node) => <li key={node.id}><button type="button" class="quiet" onClick={() => open(node.id)}><code>{node.state}</code>{node.initial && <span class="chip">initial</span>}</button></li>)}
      </ul>
      <div class="pager">
        <button type="button" class="quiet" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>Before</button>
        <span class="soft">{total === 0 ? "none" : `${(offset + 1).toLocaleString("en")} to ${Math.min(total, offset + PAGE).toLocaleString("en")}`}</span>
        <button type="button" class="quiet" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>More</button>
      </div>
    </div>
  );
}
