// Bundles the page into dist. The same sources give the same bytes, so that `--verify` can tell whether what
// is checked in is current.
import { build, context } from "esbuild";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const MOST_BYTES = 1_500_000;

function options(folder) {
  return {
    absWorkingDir: here,
    entryPoints: { app: "src/main.tsx", early: "src/early.ts" },
    outdir: folder,
    bundle: true,
    minify: true,
    format: "esm",
    splitting: true,
    chunkNames: "part-[hash]",
    target: ["es2022"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    charset: "utf8",
    logLevel: "warning",
  };
}

/** What the page is made of besides its own sources, with the licences that ask to be passed on. */
function licences() {
  const { dependencies } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
  const all = new Set();
  const visit = (name) => {
    if (all.has(name)) return;
    all.add(name);
    const manifest = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    Object.keys(manifest.dependencies ?? {}).forEach(visit);
  };
  Object.keys(dependencies).forEach(visit);
  return [...all].sort().map(licence).join("\n");
}

function licence(name) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? readFileSync(join(folder, file), "utf8").trim() : "";
  return `${name} ${version}, ${license}\n${"-".repeat(72)}\n${text}\n`;
}

/** elkjs is under the EPL and is shipped as it is: the page starts it as a worker. */
function copyStatic(folder) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(here, "static"), folder, { recursive: true });
  cpSync(join(here, "node_modules/elkjs/lib/elk-worker.min.js"), join(folder, "elk-worker.js"));
  writeFileSync(join(folder, "licences.txt"), licences());
}

async function make(folder) {
  rmSync(folder, { recursive: true, force: true });
  copyStatic(folder);
  await build(options(folder));
}

function files(folder, under = folder) {
  return readdirSync(folder)
    .flatMap((name) => {
      const path = join(folder, name);
      return statSync(path).isDirectory() ? files(path, under) : [relative(under, path)];
    })
    .sort();
}

function measure(folder) {
  let total = 0;
  for (const name of files(folder)) {
    const bytes = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
    total += bytes;
    console.log(`${String(bytes).padStart(9)}  ${name}`);
  }
  console.log(`${String(total).padStart(9)}  all, compressed (at most ${MOST_BYTES})`);
  if (total > MOST_BYTES) throw new Error("the page is too large");
}

async function verify() {
  const folder = mkdtempSync(join(tmpdir(), "explorer-dist-"));
  try {
    await make(folder);
    const names = new Set([...files(folder), ...(existsSync(dist) ? files(dist) : [])]);
    const stale = [...names].filter((name) => !same(join(folder, name), join(dist, name)));
    if (stale.length > 0) throw new Error(`dist is not what the sources give; run npm run build: ${stale.join(", ")}`);
    measure(dist);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function same(one, other) {
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

async function watch() {
  copyStatic(dist);
  const watching = await context({ ...options(dist), logLevel: "info" });
  await watching.watch();
}

try {
  if (process.argv.includes("--verify")) await verify();
  else if (process.argv.includes("--watch")) await watch();
  else {
    await make(dist);
    measure(dist);
  }
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
