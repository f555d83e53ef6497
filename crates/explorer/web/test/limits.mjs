// What is large or slow: a check that is cancelled, 1,000 nodes that are moved about, and the first paint.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { drawn, openPage, shot } from "./browser.mjs";
import { endless, grid, large } from "./models.mjs";
import { serving } from "./server.mjs";

export async function cancelling(context) {
  await serving([endless()], async (server) => {
    const { page, faults } = await openPage(context, `${server.address}&view=checks`);
    await page.getByRole("radio", { name: "direct" }).check();
    await page.getByRole("button", { name: "Check goes on for ever" }).click();
    await page.locator(".doing-figures dd").first().waitFor();
    await shot(page, "progress");
    const begun = Date.now();
    await page.locator(".doing").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You cancelled this check.").waitFor();
    console.log(`  cancelled after ${Date.now() - begun} ms`);
    await page.getByRole("radio", { name: "auto" }).check();
    await page.getByRole("button", { name: "Check first can move" }).click();
    await page.locator(".property", { hasText: "first can move" }).locator(".verdict.true").waitFor();
    assert.deepEqual(faults, []);
    await page.close();
  });
}

/** The most memory, in bytes, that a process and its children have used. */
function memoryOf(process) {
  const status = (id) => readFileSync(`/proc/${id}/status`, "utf8");
  const children = readdirSync("/proc").filter((id) => {
    try {
      return /^\d+$/.test(id) && new RegExp(`^PPid:\\s+${process.pid}$`, "m").test(status(id));
    } catch {
      return false; // it has ended meanwhile
    }
  });
  const used = [String(process.pid), ...children].map((id) => Number(/VmHWM:\s+(\d+)/.exec(status(id))?.[1] ?? 0) * 1024);
  return used.reduce((sum, one) => sum + one, 0);
}

/** A game of more than a million nodes is summed up, and opened node by node. */
export async function million(context) {
  await serving([large()], async (server) => {
    const { page, faults } = await openPage(context, `${server.address}&view=diagnosis`);
    const pane = page.locator(".game-pane", { hasText: "1,572,864 nodes" });
    await pane.waitFor();
    await drawn(page);
    await pane.locator(".canvas-box").focus();
    await page.keyboard.press("ArrowDown");
    await pane.locator(".group-list li button").first().click();
    await pane.getByRole("button", { name: "Sum up" }).waitFor();
    await drawn(page);
    await shot(page, "million");
    const inPage = await page.evaluate(() => performance.memory.usedJSHeapSize);
    const inServer = memoryOf(server.child);
    console.log(`  page ${(inPage / 1e6).toFixed(0)} MB, server ${(inServer / 1e6).toFixed(0)} MB`);
    assert.ok(inPage < 500e6 && inServer < 500e6, "too much memory is used");
    assert.deepEqual(faults, []);
    await page.close();
  });
}

/** The times between frames while something is done to the page. */
async function framesOf(page, act) {
  await page.evaluate(() => {
    const times = (window.frameTimes = []);
    let last = performance.now();
    const tick = (time) => {
      times.push(time - last);
      last = time;
      if (window.frameTimes === times) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  await act();
  const times = await page.evaluate(() => {
    const found = window.frameTimes;
    window.frameTimes = undefined;
    return found;
  });
  return times.slice(1).sort((a, b) => a - b);
}

const part = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

async function drag(page) {
  const box = await page.locator(".canvas-box").boundingBox();
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  for (let step = 0; step < 60; step++) {
    await page.mouse.move(middle.x + 120 * Math.sin(step / 8), middle.y + 90 * Math.cos(step / 8));
    await page.waitForTimeout(12);
  }
  await page.mouse.up();
}

async function zoom(page) {
  for (let step = 0; step < 40; step++) {
    await page.mouse.wheel(0, step % 16 < 8 ? -60 : 60);
    await page.waitForTimeout(15);
  }
}

export async function smoothness(context) {
  await serving([grid()], async (server) => {
    const { page, faults } = await openPage(context, server.address);
    await drawn(page);
    await page.getByRole("button", { name: /^Draw all/ }).click();
    await page.waitForFunction(() => !/drawn/.test(document.querySelector(".drawing-pane .figures").textContent));
    const begun = Date.now();
    await drawn(page);
    console.log(`  1,000 nodes laid out and drawn in ${Date.now() - begun} ms`);
    await page.getByRole("button", { name: "Show all" }).click();
    await shot(page, "thousand");
    for (const [name, act] of [["pan", drag], ["zoom", zoom]]) {
      const times = await framesOf(page, () => act(page));
      console.log(`  ${name}: ${times.length} frames, median ${part(times, 0.5).toFixed(1)} ms, 95 % ${part(times, 0.95).toFixed(1)} ms, worst ${times.at(-1).toFixed(1)} ms`);
      assert.ok(part(times, 0.5) < 34, `${name} is not smooth: median ${part(times, 0.5)} ms`);
    }
    assert.deepEqual(faults, []);
    await page.close();
  });
}

export async function firstPaint(context) {
  const times = [];
  for (const file of ["examples/mutex.tm", "examples/alternating-bit.tm", "examples/printer.smv"]) {
    await serving([file], async (server) => {
      const { page } = await openPage(context, server.address);
      await page.locator(".property").first().waitFor();
      const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
      const usable = await page.evaluate(() => performance.now());
      console.log(`  ${file}: first paint after ${painted.toFixed(0)} ms, properties within ${usable.toFixed(0)} ms`);
      times.push(painted);
      await page.close();
    });
  }
  const usual = times.sort((a, b) => a - b)[1];
  assert.ok(usual < 1000, `first paint took ${usual} ms`);
}
