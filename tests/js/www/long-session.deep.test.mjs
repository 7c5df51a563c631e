// A session of 20 MB: what keeps the page quick with it. How quick it is, `cargo xtask bench page` measures.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CALLS, MESSAGES, longHistoryFile } from "./long-history.mjs";
import { lanesInAll, onPage, pictured } from "./site-page.mjs";
import { hold, release, repliesSoFar, settled } from "./watched-worker.mjs";

const file = longHistoryFile();
const options = { timeout: 600_000 };
const headline = `${CALLS.toLocaleString("en-US")} calls`;

/** Opens the long session on a page that shows its sample already. */
async function openLong(page) {
  await pictured(page);
  await page.locator("input[accept]").setInputFiles(file);
  await page.locator(".headline", { hasText: headline }).waitFor();
}

async function showContext(page) {
  await page.getByRole("link", { name: "Context" }).click();
  const shown = page.locator(".headline", {
    hasText: `${MESSAGES.toLocaleString("en-US")} messages`,
  });
  await shown.waitFor();
}

/** Counts the elements that each portion of work puts on the page. */
const watchPortions = (page) =>
  page.evaluate(() => {
    window.portions = [];
    new MutationObserver((changes) => {
      let elements = 0;
      for (const { addedNodes } of changes)
        for (const node of addedNodes)
          if (node instanceof Element) elements += 1 + node.querySelectorAll("*").length;
      window.portions.push(elements);
    }).observe(document.body, { subtree: true, childList: true });
  });

/** Goes to the end of the list and back, by wheel and by keys. */
async function wander(page, rows) {
  const list = page.getByRole("listbox");
  await list.hover();
  for (let n = 0; n < 20; n += 1) await page.mouse.wheel(0, 900);
  await list.focus();
  for (const key of ["End", "PageUp", "PageUp", "End"]) await page.keyboard.press(key);
  await page.locator(`[role=option][aria-posinset='${rows}'][aria-selected=true]`).waitFor();
  await settled(page);
}

const rowsOf = async (page) =>
  Number(await page.locator("[role=option]").first().getAttribute("aria-setsize"));

describe("20 MB", () => {
  test(
    "are few elements at a time, in both views, and what the worker sends is small",
    options,
    () =>
      onPage({}, async (page) => {
        await pictured(page);
        await settled(page);
        await repliesSoFar(page);
        await openLong(page);
        await settled(page);
        await watchPortions(page);
        const look = async () => {
          const rows = await rowsOf(page);
          assert.ok(rows > CALLS, `${rows} rows`);
          await wander(page, rows);
          const options = await page.locator("[role=option]").count();
          assert.ok(options < 60, `${options} rows are on the page`);
          const elements = await page.evaluate(() => document.querySelectorAll("*").length);
          assert.ok(elements < 2_500, `${elements} elements are on the page`);
        };
        await look();
        await showContext(page);
        await look();
        await page.getByRole("link", { name: "Sessions" }).click();
        await page.locator(".headline", { hasText: headline }).waitFor();
        await settled(page);
        const portions = await page.evaluate(() => window.portions);
        assert.ok(portions.length > 10, `${portions.length} portions`);
        assert.ok(Math.max(...portions) < 1_500, `a portion of ${Math.max(...portions)} elements`);

        const replies = await repliesSoFar(page);
        const largest = replies.reduce((a, b) => (b.length > a.length ? b : a));
        assert.ok(largest.length < 120_000, `${largest.task} sent ${largest.length}`);
        const all = replies.reduce((sum, { length }) => sum + length, 0);
        assert.ok(all < 2_000_000, `${all} in ${replies.length} replies`);
        const tasks = new Set(replies.map(({ task }) => task));
        for (const task of [
          "openSession",
          "judgeSession",
          "sessionRows",
          "judgeHistory",
          "historyRows",
        ])
          assert.ok(tasks.has(task), `${task} was asked for`);
      }),
  );

  test("are judged by another threshold while the profiles are still compared", options, () =>
    onPage({}, async (page) => {
      await pictured(page);
      await settled(page);
      await hold(page, "compareProfiles");
      await openLong(page);
      const lanes = page.locator(".lanes tbody tr");
      assert.equal(await lanes.count(), 1, "the profiles are not compared yet");
      await page.getByRole("listbox").focus();
      await page.keyboard.press("End");
      await page.locator(".whole-event", { hasText: `result` }).waitFor();
      await page
        .locator(".row.call", { hasText: `file-${CALLS - 1}.ts` })
        .first()
        .waitFor();
      await page.getByLabel("Identical calls").fill("0");
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Identical calls").fill("12");
      await page.getByRole("alert").waitFor({ state: "detached" });
      await page.waitForFunction(() => location.hash.includes("calls=12"));
      assert.equal(await lanes.count(), 1, "the profiles are still not compared");
      await release(page);
      await lanes.nth((await lanesInAll(page)) - 1).waitFor({ state: "attached" });
    }),
  );
});

test("typing in the prompt editor does not wait for the worker", () =>
  onPage({ at: "#view=prompt" }, async (page) => {
    await page.locator(".items").waitFor();
    await settled(page);
    await hold(page, "promptPreview");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" Compare @[src/cart.ts] with @[docs/prices.md], please.");
    await page.locator(".cm-content", { hasText: "@[docs/prices.md], please." }).waitFor();
    await page.locator(".cm-content .mark-file", { hasText: "@[docs/prices.md]" }).waitFor();
    await release(page);
    await page.locator(".items tr", { hasText: "docs/prices.md" }).first().waitFor();
  }));
