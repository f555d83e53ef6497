// Who cannot see colours, uses keys only, or has a small screen: every view in light and dark, checked by axe.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { drawn, openPage, shot } from "./browser.mjs";
import { serving } from "./server.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** axe is put into a world of its own, past the policy of the page. */
async function violations(page) {
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ["violations"] })`);
  return found.violations
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join("; ")}`);
}

const VIEWS = ["model", "checks", "evidence", "diagnosis", "walk"];

async function judged(page, view, where) {
  await page.locator(`.body[data-view=${view}]`).waitFor();
  await page.locator("#main").filter({ hasText: /\S/ }).waitFor();
  if (view !== "checks" && view !== "walk") await drawn(page);
  await shot(page, `${view}-${where}`);
  assert.deepEqual(await violations(page), [], `${view}, ${where}`);
}

export async function accessible(context) {
  await serving(["examples/arbiter.tm"], async (server) => {
    for (const scheme of ["light", "dark"]) {
      const { page, faults } = await openPage(context, `${server.address}&property=${encodeURIComponent("a grant can come")}`, { scheme });
      await page.getByRole("button", { name: "Check all" }).click();
      await page.locator(".verdict.unknown").first().waitFor();
      for (const [index, view] of VIEWS.entries()) {
        await page.locator("body").press(String(index + 1));
        await judged(page, view, `arbiter-${scheme}`);
      }
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await shot(page, `help-${scheme}`);
      assert.deepEqual(await violations(page), [], `help, ${scheme}`);
      await page.keyboard.press("Escape");
      assert.deepEqual(faults, []);
      await page.close();
    }
  });
}

export async function small(context) {
  await serving(["examples/alternating-bit.tm"], async (server) => {
    const name = encodeURIComponent("delivery is certain");
    for (const view of VIEWS) {
      const look = { width: 360, height: 740, scheme: view === "diagnosis" ? "dark" : "light" };
      const { page, faults } = await openPage(context, `${server.address}&view=${view}&property=${name}`, look);
      if (view === "model") await page.getByRole("tab", { name: "Drawing" }).click();
      await judged(page, view, "phone");
      const wide = await page.evaluate(() => Math.max(...["html", ".body", "#main"].map((part) => document.querySelector(part).scrollWidth)));
      assert.ok(wide <= 360, `${view} is ${wide} wide on a phone`);
      assert.deepEqual(faults, []);
      await page.close();
    }
  });
}

/** From the start of the page to a counterexample and back, without a mouse. */
export async function keyboard(context) {
  await serving(["examples/alternating-bit.tm"], async (server) => {
    const { page } = await openPage(context, server.address, { scheme: "dark" });
    await page.locator(".property").first().waitFor();
    for (const key of ["n", "n", "n", "c"]) await page.keyboard.press(key);
    await page.locator(".property[data-chosen] .verdict.false").waitFor();
    await page.keyboard.press("3");
    await drawn(page);
    for (let step = 0; step < 2; step++) await page.keyboard.press("l");
    assert.match(await page.locator(".here .steps-at").innerText(), /^step 2 \//);
    await page.keyboard.press("Home");
    assert.match(await page.locator(".here .steps-at").innerText(), /^step 0 \//);
    await page.getByRole("tab", { name: "Sequence" }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".sequence svg").waitFor();
    await shot(page, "sequence-dark");
    const theme = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press("t");
    assert.notEqual(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    await page.keyboard.press("t");
    await page.close();
  });
}
