// A session is written by others: nothing in it may act on the page, or make it hang.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { call, onPage, openFile, pictured, rows, showFile } from "./site-page.mjs";
import {
  HTML,
  SEEN,
  bad,
  extremeText,
  hostileEvents,
  hostileMessages,
  halfAMillionCalls,
} from "./hostile-sessions.mjs";
import { settled } from "./watched-worker.mjs";

async function isInert(page) {
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.equal(
    await page.locator("img:not(.cm-widgetBuffer), body script, iframe, object, embed").count(),
    0,
  );
  assert.equal(await page.locator("[onerror], [onclick], [onload]").count(), 0);
  const links = await page
    .locator("a[href]:not(.links a)")
    .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
  for (const link of links) assert.match(link, /^#/);
  assert.doesNotMatch(await page.textContent("body"), SEEN);
  const titles = await page
    .locator("title, [title], [aria-label]:not(.cm-content)")
    .evaluateAll((all) =>
      all
        .map((each) => `${each.textContent}${each.getAttribute("title")}${each.ariaLabel}`)
        .join(""),
    );
  assert.doesNotMatch(titles, SEEN);
}

describe("hostile content stays text, and its control characters are visible", () => {
  test("in events", () =>
    onPage({}, async (page) => {
      await showFile(page, `${HTML.replaceAll("/", "-")}\u202e.jsonl`, hostileEvents);
      await page.locator(".list .row.stop").first().waitFor();
      for (const summary of await page.locator(".findings summary").all()) await summary.click();
      for (let at = 0; at < 5; at += 1) {
        await page.locator(`.list [aria-posinset='${at + 1}']`).click();
        await page.locator(`.list [aria-posinset='${at + 1}'][aria-selected=true]`).waitFor();
        await page.locator(".whole-event").waitFor();
        await settled(page);
      }
      await isInert(page);
      assert.match((await rows(page))[1].text, /<img src=x onerror=.*\\x1b\[2J\\x07\\x9b31m\\x7f/);
    }));

  test("in a history, by every view", () =>
    onPage({ at: "#view=context" }, async (page) => {
      await showFile(page, "api_conversation_history.json", JSON.stringify(hostileMessages));
      await page.locator(".list .row.block").nth(3).waitFor();
      await settled(page);
      await isInert(page);
      await page.getByRole("link", { name: "Sessions" }).click();
      await page.locator(".lanes").first().waitFor();
      await settled(page);
      await isInert(page);
    }));

  test("in an address", () =>
    onPage(
      {
        at: `#${new URLSearchParams({ view: HTML, sample: bad, profile: bad, calls: bad, preset: bad, language: bad, theme: bad, row: bad })}`,
      },
      async (page) => {
        await pictured(page);
        await settled(page);
        assert.equal(await page.getByRole("alert").count(), 0, "as if it said nothing");
        await isInert(page);
      },
    ));

  test("in a prompt", () =>
    onPage(
      { at: `#${new URLSearchParams({ view: "prompt", prompt: `@[${bad}] ${bad}` })}` },
      async (page) => {
        await page.locator(".preview pre").waitFor();
        await settled(page);
        await isInert(page);
      },
    ));
});

test("what a broken file contains stays text in the complaint", () =>
  onPage({}, async (page) => {
    const event = JSON.stringify({ type: "text", text: "a" });
    await openFile(page, "broken.jsonl", `${event}\n${bad}\n`);
    await page
      .getByRole("alert")
      .filter({ hasText: /line 2: is not JSON .*<img/ })
      .waitFor();
    await isInert(page);
  }));

test("megabyte strings, deep nesting and broken Unicode are shown in parts", () =>
  onPage({}, async (page) => {
    await showFile(page, "large.jsonl", extremeText());
    // The rest of the file counts.
    await page.getByRole("alert").filter({ hasText: "line 9: is nested too deep" }).waitFor();
    await page.locator(".headline", { hasText: "6 calls" }).waitFor();
    await page.locator(".list [role=option]").first().click();
    await page.getByText("characters more are not shown").waitFor();
    const size = await page.evaluate(() => document.body.textContent.length);
    assert.ok(size < 1_000_000, `${size} characters are on the page`);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], "nothing widens the page");
  }));

test("half a million calls are shown", { timeout: 900_000 }, () =>
  onPage({}, async (page) => {
    await page.locator("input[accept]").setInputFiles(halfAMillionCalls());
    await page.locator(".headline", { hasText: "500,000 calls" }).waitFor({ timeout: 800_000 });
    const list = page.getByRole("listbox");
    await list.focus();
    await page.keyboard.press("End");
    await page.locator("#main [aria-posinset='500000']").waitFor();
    await page.locator(".list .row.call", { hasText: "499999" }).first().waitFor();
    await page.keyboard.press("Home");
    await page.locator("#main [aria-posinset='1']").waitFor();
    const stripes = await page.locator(".timeline rect").count();
    assert.ok(stripes > 0 && stripes < 1_000, `${stripes} stripes`);
  }),
);

test("the policy would stop a script that got in, and markup cannot", async () => {
  await assert.rejects(
    onPage({}, async (page) => {
      await pictured(page);
      await page.evaluate((html) => {
        document.body.innerHTML = html;
      }, HTML);
    }),
    /TrustedHTML/,
  );
});

test("neither the page nor its worker can ask the network for anything", async () => {
  for (const attempt of [
    () => fetch("other.txt"),
    () =>
      new Promise((resolve, reject) => {
        const source =
          "fetch('/other.txt').then(() => postMessage('asked'), (e) => postMessage(String(e)))";
        const address = URL.createObjectURL(new Blob([source]));
        try {
          new Worker(address);
          resolve("started");
        } catch (error) {
          reject(error);
        }
      }),
  ]) {
    await assert.rejects(
      onPage({}, async (page) => {
        await pictured(page);
        await page.evaluate(attempt);
      }),
      /Failed to fetch|TrustedScriptURL/,
    );
  }
});
