// The path that a newcomer takes: open an example, break it, see the error, repair it, check, open the
// counterexample, walk it, export it, and come back by a kept address.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { drawn, openPage, shot } from "./browser.mjs";
import { serving } from "./server.mjs";

const property = (page, name) => page.locator(".property", { hasText: name });

/** Puts the cursor before the semicolon that ends a line of the text. */
async function endOf(page, text) {
  await page.locator(".cm-line", { hasText: text }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
}

async function opens(page) {
  await page.getByRole("status").filter({ hasText: "reads well" }).waitFor();
  await drawn(page);
  assert.equal(await page.locator(".property").count(), 3);
  assert.match(await page.locator(".drawing-pane .figures").innerText(), /9 states, 14 transitions/);
  assert.ok((await page.locator(".cm-line span").count()) > 20, "the text is highlighted");
  await shot(page, "model-light");
}

async function breaks(page) {
  await endOf(page, "want1:");
  for (let letter = 0; letter < "first1".length; letter++) await page.keyboard.press("Backspace");
  await page.keyboard.type("frist1");
  const diagnostic = page.locator(".diagnostic.error");
  await diagnostic.waitFor();
  assert.match(await diagnostic.innerText(), /unknown state\s*frist1/);
  assert.match(await diagnostic.innerText(), /mutex\.tm:14:\d+/);
  assert.match(await diagnostic.innerText(), /did you mean\s*first1/);
  await page.locator(".cm-lintRange-error", { hasText: "frist1" }).waitFor();
  await shot(page, "error-light");
}

async function repairs(page) {
  const well = page.getByRole("status").filter({ hasText: "reads well" });
  await page.locator(".cm-content").focus();
  for (let tries = 0; tries < 30 && !(await page.locator(".cm-line", { hasText: "-> in1, first1;" }).count()); tries++) {
    await page.keyboard.press("Control+z");
  }
  await well.waitFor();
  assert.equal(await page.locator(".cm-lintRange-error").count(), 0);
}

async function checks(page) {
  await page.getByRole("button", { name: "Check all" }).click();
  for (const name of ["never both", "who waits gets in", "no deadlock"]) {
    await property(page, name).locator(".verdict.true").waitFor();
  }
  await endOf(page, "first1: {w1");
  await page.keyboard.type(", in2w");
  await property(page, "who waits gets in").locator(".verdict[data-stale]").waitFor();
  await page.getByRole("status").filter({ hasText: "reads well" }).waitFor();
  await page.keyboard.press("Control+Enter");
  await property(page, "who waits gets in").locator(".verdict.false:not([data-stale])").waitFor();
  await property(page, "never both").locator(".verdict.true:not([data-stale])").waitFor();
}

async function walks(page) {
  await property(page, "who waits gets in").getByRole("button", { name: "Why?" }).click();
  await page.getByText("Counterexample").waitFor();
  const place = page.locator(".here .steps-at");
  assert.match(await place.innerText(), /^step 0 \//);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.match(await place.innerText(), /^step 2 \//);
  await page.keyboard.press("ArrowLeft");
  assert.match(await place.innerText(), /^step 1 \//);
  await page.getByRole("button", { name: "Next →" }).click();
  assert.match(await place.innerText(), /^step 2 \//);
  await page.keyboard.press("Home");
  const marks = new Set([await page.locator(".formula mark").innerText()]);
  for (let position = 0; position < 4; position++) {
    await page.locator(".successor[aria-pressed=true]").click();
    marks.add(await page.locator(".formula mark").innerText());
  }
  assert.ok(marks.size > 1, `the formula is followed: ${[...marks]}`);
  await shot(page, "evidence-light");
}

async function looksAtForms(page) {
  await page.getByRole("tab", { name: "Tree" }).click();
  assert.equal(await page.locator("[role=treeitem][aria-selected=true]").count(), 1);
  await shot(page, "tree-light");
  await page.getByRole("tab", { name: "Table" }).click();
  assert.ok((await page.locator("td.changed").count()) > 0);
  await page.locator(".loop-row").waitFor();
  await shot(page, "table-light");
  await page.getByRole("button", { name: "Go to step 2" }).click();
  assert.equal(await page.locator("tr[data-here]").count(), 1);
  await page.getByRole("tab", { name: "Graph" }).click();
  await drawn(page);
}

async function saved(page, name) {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

async function exports(page) {
  await page.locator(".menu summary").click();
  const html = await saved(page, "HTML page");
  assert.match(html.name, /\.html$/);
  assert.match(html.text, /<!doctype html>/i);
  assert.doesNotMatch(html.text, /(?:src|href)=["']?https?:/i, "the page needs no network");
  const svg = await saved(page, "SVG drawing");
  assert.match(svg.text, /<svg/);
  const json = JSON.parse((await saved(page, "JSON")).text);
  assert.equal(json.verdict, "false");
  assert.equal(json.property, "who waits gets in");
  await page.locator(".menu summary").click();
}

/** From a state of the evidence on, the steps are one's own. */
async function walksFreely(page) {
  await page.getByRole("button", { name: "Walk from here" }).click();
  const steps = page.locator("main .successor");
  await steps.first().waitFor();
  await page.locator(".walked-formulas li", { hasText: "who waits gets in" }).waitFor();
  await steps.first().click();
  await page.locator(".walk .row-number").first().waitFor();
  assert.ok((await page.locator(".walk .changed").count()) > 0, "what has changed is marked");
  await shot(page, "walk-light");
  await page.getByRole("button", { name: "← Back" }).click();
  await page.locator(".walk .row-number").waitFor({ state: "detached" });
  await page.keyboard.press("3");
  await page.getByText("Counterexample").waitFor();
}

async function keepsItsPlace(page) {
  // The place follows when the evidence is shown.
  await page.waitForFunction(() => /node=\d+/.test(location.hash));
  const before = await page.locator(".here-value").innerText();
  const hash = new URL(page.url()).hash;
  assert.match(hash, /view=evidence/);
  assert.doesNotMatch(hash, /token/);
  assert.notEqual(before, "");
}

/** A reload keeps the view, the property, the place and what was changed in the text. */
async function comesBack(page) {
  await property(page, "never both").locator(".property-main").click();
  await page.getByText("Witness").waitFor();
  await drawn(page);
  for (let step = 0; step < 2; step++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => /node=\d*[1-9]/.test(location.hash));
  await page.reload();
  await page.locator(".notice", { hasText: "Your changes are still here." }).waitFor();
  await page.getByText("Witness").waitFor();
  await drawn(page);
  assert.match(new URL(page.url()).hash, /property=never\+both/);
  const { name, shown } = await page.evaluate(() => ({
    name: document.querySelector(".property[data-chosen] .property-name")?.textContent,
    shown: document.querySelector("#views [aria-selected=true]")?.textContent,
  }));
  assert.deepEqual({ name, shown }, { name: "never both", shown: "Evidence" });
  await shot(page, "reloaded");
  await page.keyboard.press("1");
  await page.locator(".cm-line", { hasText: "-> in1w, in2w;" }).waitFor();
  await page.getByRole("button", { name: "Reset" }).click();
  await page.locator(".cm-line", { hasText: /-> in1w;$/ }).waitFor();
}

export async function newcomer(context) {
  await serving(["examples/mutex.tm"], async (server) => {
    const { page, faults } = await openPage(context, server.address);
    for (const step of [opens, breaks, repairs, checks, walks, looksAtForms, exports, walksFreely, keepsItsPlace, comesBack]) {
      try {
        await step(page);
      } catch (error) {
        await shot(page, `failed-${step.name}`);
        throw new Error(`${step.name}: ${error.message}`, { cause: error });
      }
    }
    assert.deepEqual(faults, []);
    await page.close();
  });
}
