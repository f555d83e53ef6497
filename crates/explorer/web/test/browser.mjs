// A browser of Debian's, without a network of its own, and what every test wants of a page.
import { chromium } from "playwright-core";
import { existsSync, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { root } from "./server.mjs";

export const PATIENCE = 45_000;
export const artefacts = process.env.ARTEFACTS ?? join(root, "crates/explorer/web/artefacts");
mkdirSync(artefacts, { recursive: true });

const ARGUMENTS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The program that TERTIUM_CHROMIUM names, or the first that is on the path. */
export function executable() {
  const named = process.env.TERTIUM_CHROMIUM;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Launches a browser with a profile that is thrown away. */
export function launch() {
  return chromium.launch({ executablePath: executable(), args: ARGUMENTS, timeout: PATIENCE });
}

/** A page on which nothing may go wrong unseen: errors, breaches of the policy, and requests that leave the machine. */
export async function openPage(context, address, look = {}) {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const faults = [];
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("console", (message) => message.type() === "error" && faults.push(`console: ${message.text()}`));
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith("http") && url.hostname !== "127.0.0.1") faults.push(`request: ${request.url()}`);
  });
  await page.emulateMedia({ colorScheme: look.scheme ?? "light" });
  await page.setViewportSize({ width: look.width ?? 1440, height: look.height ?? 900 });
  await page.goto(address);
  return { page, faults };
}

export async function shot(page, name) {
  await page.waitForTimeout(250);
  await page.screenshot({ path: join(artefacts, `${name}.png`) });
}

/** Nothing is waited for, and every drawing on the page has been laid out. */
export async function drawn(page) {
  await page.waitForFunction(() => {
    const boxes = [...document.querySelectorAll(".canvas-box")];
    return !document.querySelector("main .waiting") && boxes.length > 0 && boxes.every((box) => box.dataset.drawn === "yes");
  });
}
