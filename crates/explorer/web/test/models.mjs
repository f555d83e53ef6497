// Models for the tests that no example is large enough for.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "explorer-models-"));

function write(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** Counters that go round independently: as a whole, more states than anybody can look at. */
export function endless() {
  const count = 14;
  const states = 9;
  const component = (which) => {
    const lines = Array.from({ length: states }, (_, state) => `  s${state}: -a${which}-> s${(state + 1) % states};`);
    return `component C${which} lts {\n  init s0;\n${lines.join("\n")}\n}\n`;
  };
  const names = Array.from({ length: count }, (_, which) => which);
  return write("endless.tm", `${names.map(component).join("\n")}
system ${names.map((which) => `C${which}`).join(" || ")};
property "goes on for ever": mcf [true*] <true> true;
property "first can move": mcf <a0> true;
`);
}

/** Six counters, which as a whole make a game of 1,572,864 nodes. */
export function large() {
  const states = 8;
  const component = (which) => {
    const lines = Array.from({ length: states }, (_, state) => `s${state}: -a${which}-> s${(state + 1) % states};`);
    return `component C${which} lts { init s0; ${lines.join(" ")} }`;
  };
  const names = [0, 1, 2, 3, 4, 5];
  return write("large.tm", `${names.map(component).join("\n")}
system ${names.map((which) => `C${which}`).join(" || ")};
property live: mcf [true*] <true*.a0> true;
`);
}

/** One component of 1,000 states in a grid. */
export function grid() {
  const [wide, high] = [25, 40];
  const lines = [];
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const next = [x + 1 < wide ? `s${x + 1}_${y}` : "", y + 1 < high ? `s${x}_${y + 1}` : ""].filter(Boolean);
      const label = (x + y) % 3 === 0 ? "p" : "";
      lines.push(`  s${x}_${y}: {${label}}${next.length > 0 ? ` -> ${next.join(", ")}` : ` -> s${x}_${y}`};`);
    }
  }
  return write("grid.tm", `component Grid kripke {\n  props p;\n  init s0_0;\n${lines.join("\n")}\n}\nproperty reach: ctl EF p;\n`);
}
