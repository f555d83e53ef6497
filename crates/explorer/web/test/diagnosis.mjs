// Games and refinements, and the languages other than .tm.
import assert from "node:assert/strict";
import { drawn, openPage, shot } from "./browser.mjs";
import { serving } from "./server.mjs";

export async function games(context) {
  await serving(["examples/c-4.9.tm"], async (server) => {
    const { page, faults } = await openPage(context, `${server.address}&view=diagnosis`);
    await drawn(page);
    assert.deepEqual(await page.locator(".game-pane h3").allInnerTexts(), ["? of M1", "? of M2", "M2 || M1"]);
    await page.locator(".game-pane", { hasText: "M2 || M1" }).locator(".canvas-box").focus();
    await page.keyboard.press("ArrowDown");
    await page.locator(".chosen").waitFor();
    await shot(page, "games-light");
    await page.getByRole("tab", { name: /Refinement/ }).click();
    await page.getByRole("button", { name: "Watch the refinement" }).click();
    await page.locator(".round-list li").first().waitFor();
    assert.match(await page.locator(".round").innerText(), /M2/);
    await page.keyboard.press(".");
    await shot(page, "refinement-light");
    assert.deepEqual(faults, []);
    await page.close();
  });
}

export async function languages(context) {
  for (const file of ["examples/printer.smv", "examples/promela/peterson.pml", "examples/while/division.while", "examples/drinks-plan.tm"]) {
    await serving([file], async (server) => {
      const { page, faults } = await openPage(context, server.address);
      await page.getByRole("status").filter({ hasText: "reads well" }).waitFor();
      await drawn(page);
      await page.getByRole("button", { name: "Check all" }).click();
      await page.locator(".property .verdict:is(.true, .false, .unknown)").first().waitFor();
      await page.getByRole("button", { name: "Check all" }).waitFor();
      await shot(page, `language-${file.split(".").at(-1)}`);
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}

/** Processes and instances of modules have drawings of their own, and what is wrong with a formula is a sentence. */
export async function parts(context) {
  for (const [file, part] of [["examples/promela/peterson.pml", "P[1]"], ["examples/peterson.smv", "left"]]) {
    await serving([file], async (server) => {
      const { page, faults } = await openPage(context, server.address);
      await drawn(page);
      const figures = page.locator(".figures");
      const whole = await figures.innerText();
      await page.getByRole("tab", { name: part, exact: true }).click();
      await figures.filter({ hasNotText: whole }).waitFor();
      await drawn(page);
      await page.locator(".legend").filter({ hasText: "may only" }).waitFor();
      await shot(page, `part-${file.split(".").at(-1)}`);
      await page.locator("#ask-text").fill("AG (");
      await page.locator("#ask-text").press("Enter");
      const complaint = await page.locator(".reason.bad").innerText();
      assert.match(complaint, /^expected .* at character 5/);
      assert.deepEqual(faults, []);
      await page.close();
    });
  }
}

export async function stranger(context) {
  await serving(["examples/mutex.tm"], async (server) => {
    const { page } = await openPage(context, new URL("/#token=wrong", server.address).href);
    await page.locator(".alone h2").waitFor();
    assert.match(await page.locator(".alone").innerText(), /token/i);
    await page.close();
  });
}
