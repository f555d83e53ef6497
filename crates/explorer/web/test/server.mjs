// Starts `tertium explore` and ends it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");

export function binary() {
  const path = process.env.TERTIUM ?? join(root, "target/debug/tertium");
  if (!existsSync(path)) throw new Error(`there is no ${path}: build it by cargo build -p cli, or name one in TERTIUM`);
  return path;
}

/** Serves files while something is done with them. */
export async function serving(files, use) {
  const server = await explore(files);
  try {
    await use(server);
  } finally {
    server.child.kill();
  }
}

async function explore(files) {
  const child = spawn(binary(), ["explore", "--no-open", ...files], { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((found, failed) => {
    let told = "";
    child.stdout.on("data", (data) => {
      told += data;
      const match = /http:\/\/\S+/.exec(told);
      if (match) found(match[0]);
    });
    child.on("exit", (code) => failed(new Error(`tertium explore has ended with ${code}: ${told}`)));
  });
  return { address, child };
}
