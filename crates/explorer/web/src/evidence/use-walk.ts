// The walk as state of the page: keys move it, the address keeps its place, the model view follows it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { GraphExplanation } from "../api/types";
import { change, now } from "../state/store";
import { walking as keys } from "../ui/keys";
import { branch, choose, forwards, goTo, type Run, runOf, startOf, stepBackwards, stepForwards, type Walk } from "./walk";

export interface Walking {
  walk: Walk;
  run: Run;
  goTo: (node: number) => void;
  goToIndex: (at: number) => void;
  take: (successor: number) => void;
  back: () => void;
  forward: () => void;
  start: () => void;
}

/** Where a kept address says that one stood. */
function begun(evidence: GraphExplanation): Walk {
  const kept = Number(now().node ?? NaN);
  const start = startOf(evidence);
  return Number.isInteger(kept) && kept >= 0 && kept < evidence.nodes.length ? goTo(evidence, start, kept) : start;
}

export function useWalk(evidence: GraphExplanation): Walking {
  const [walk, setWalk] = useState(() => begun(evidence));
  const told = useRef(evidence);
  if (told.current !== evidence) {
    told.current = evidence;
    setWalk(startOf(evidence));
  }
  const run = useMemo(() => runOf(evidence, walk), [evidence, walk.root, walk.choices]);
  const node = run.nodes[walk.at];
  useEffect(() => tell(evidence, node), [evidence, node]);

  const verbs = {
    forward: () => setWalk((old) => stepForwards(evidence, old, runOf(evidence, old))),
    back: () => setWalk((old) => stepBackwards(evidence, old, runOf(evidence, old))),
    start: () => setWalk((old) => ({ ...old, at: 0 })),
    goTo: (target: number) => setWalk((old) => goTo(evidence, old, target)),
    goToIndex: (at: number) => setWalk((old) => ({ ...old, at })),
    take: (successor: number) => setWalk((old) => forwardsBy(evidence, old, successor)),
  };
  useEffect(() => {
    keys.forwards = verbs.forward;
    keys.backwards = verbs.back;
    keys.start = verbs.start;
    keys.next = () => setWalk((old) => branch(evidence, old, runOf(evidence, old), 1));
    keys.previous = () => setWalk((old) => branch(evidence, old, runOf(evidence, old), -1));
  }, [evidence]);
  return { walk, run, ...verbs };
}

function forwardsBy(evidence: GraphExplanation, old: Walk, successor: number): Walk {
  const node = runOf(evidence, old).nodes[old.at]!;
  const chosen = choose(old, node, successor);
  return forwards(chosen, runOf(evidence, chosen));
}

/** Says in the address and to the model where one stands. */
function tell(evidence: GraphExplanation, node: number | undefined) {
  if (node === undefined) return;
  const members = evidence.states[evidence.nodes[node]!.state]!.members;
  const standing = Object.fromEntries(evidence.components.flatMap((name, index) => (members[index] ? [[name, members[index].name]] : [])));
  change({ node: String(node), standing, line: undefined });
}
