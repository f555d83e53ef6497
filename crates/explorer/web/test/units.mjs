// What needs no browser: walks, corners of edges, places in texts. The sources are bundled for Node first.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const source = join(dirname(fileURLToPath(import.meta.url)), "../src");

async function load(path) {
  const { outputFiles } = await build({ entryPoints: [join(source, path)], bundle: true, format: "esm", write: false, platform: "node", logLevel: "error" });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);
}

const step = { action: null, must: true, hyper: false };
const position = (state, ...successors) => ({ state, subformula: "f", value: "true", why: "all", successors });
const successor = (node, by = null) => ({ node, transition: by });

/** 0 asks 1 (a literal) and 2 in the same state; 2 goes to 3 or 4; 4 goes back to 0. */
const evidence = {
  components: ["A"],
  states: [0, 1, 2].map((name) => ({ members: [{ name: `s${name}`, true: [], unknown: [] }] })),
  nodes: [position(0, successor(1), successor(2)), position(0), position(0, successor(3, step), successor(4, step)), position(1), position(2, successor(0, step))],
  roots: [0],
};

async function walks() {
  const walk = await load("evidence/walk.ts");
  const start = walk.startOf(evidence);
  assert.deepEqual(walk.runOf(evidence, start), { nodes: [0, 2, 4], backTo: 0 }, "it goes on for ever");
  const aside = walk.goTo(evidence, start, 3);
  assert.equal(aside.at, 2);
  assert.deepEqual(walk.runOf(evidence, aside), { nodes: [0, 2, 3], backTo: undefined });
  const there = walk.goTo(evidence, start, 4);
  assert.equal(there.at, 2);
  assert.equal(walk.forwards(there, walk.runOf(evidence, there)).at, 0, "round the loop");
  const run = walk.runOf(evidence, start);
  assert.equal(walk.stepForwards(evidence, start, run).at, 2, "over the subformulas of a state");
  assert.equal(walk.stepForwards(evidence, there, run).at, 0, "round the loop");
  assert.equal(walk.stepBackwards(evidence, there, run).at, 0);
  assert.equal(walk.stepBackwards(evidence, { ...start, at: 1 }, run).at, 0, "to the first subformula");
  assert.equal(walk.stepBackwards(evidence, start, run).at, 0);
  const other = walk.branch(evidence, start, walk.runOf(evidence, start), 1);
  assert.deepEqual(walk.runOf(evidence, other).nodes, [0, 1]);
  assert.deepEqual(walk.rowsOf(evidence, there, walk.runOf(evidence, there)).map(({ state, from, to }) => [state, from, to]), [[0, 0, 1], [2, 2, 2]]);
  assert.equal(walk.loopOf(evidence, there, walk.runOf(evidence, there), walk.rowsOf(evidence, there, walk.runOf(evidence, there))).row, 0);
}

async function corners() {
  const { relative } = await load("graph/layout.ts");
  const bent = relative([{ x: 0, y: 0 }, { x: 50, y: 20 }, { x: 100, y: 0 }]);
  assert.deepEqual(bent, { weights: [0.5], distances: [20] });
  assert.equal(relative([{ x: 0, y: 0 }, { x: 100, y: 0 }]), undefined);
}

async function places() {
  const { stateIn } = await load("editor/places.ts");
  const text = "component A kripke { init s; s: {} -> t; // t: no\n t: {} -> s; }\ncomponent B kripke { init t; t: {} -> t; }\ncomponent C kripke { init s; s: {} -> s; }";
  assert.equal(stateIn(text, "A", "t").from, text.indexOf("t: {} -> s"));
  assert.equal(stateIn(text, "B", "t").from, text.lastIndexOf("t: {}"));
  assert.equal(stateIn(text, "B", "s"), undefined);
  assert.equal(stateIn(text, "D", "s"), undefined);
}

export async function units() {
  await walks();
  await corners();
  await places();
}
