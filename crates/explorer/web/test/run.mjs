// Runs the browser tests one after the other, or those whose names are given: npm test -- newcomer
import { executable, launch } from "./browser.mjs";
import { accessible, keyboard, small } from "./access.mjs";
import { games, languages, parts, stranger } from "./diagnosis.mjs";
import { cancelling, firstPaint, million, smoothness } from "./limits.mjs";
import { newcomer } from "./newcomer.mjs";
import { units } from "./units.mjs";

const TESTS = { units, newcomer, cancelling, games, languages, parts, stranger, keyboard, accessible, small, firstPaint, million, smoothness };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in TESTS));
if (unknown.length > 0) {
  console.error(`no such test: ${unknown.join(", ")}; there are ${Object.keys(TESTS).join(", ")}`);
  process.exit(2);
}

/** Known to crates/cli/tests/browser.rs. */
const NO_BROWSER = 77;
if (executable() === undefined) {
  console.error("skipped: no Chromium was found (install it, or set TERTIUM_CHROMIUM)");
  process.exit(NO_BROWSER);
}

const browser = await launch();
let failed = 0;
for (const [name, test] of Object.entries(TESTS)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const begun = Date.now();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true });
  try {
    await test(context);
    console.log(`ok ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${name}: ${error.stack}`);
  } finally {
    await context.close();
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
