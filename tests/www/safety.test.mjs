// A session is written by others: nothing in it may act on the page, or make it hang.

import assert from "node:assert/strict";
import { mkdtempSync, openSync, rmSync, closeSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";

import { call, onPage, openFile, pictured, rows, showFile } from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const HTML = `<img src=x onerror="window.owned=1"><script>window.owned=1</script></pre></details>`;
const CONTROLS = "\u001b[2J\u0007\u009b31m\u007f\u202e\u2066\u200b\ufeff\ud800\u{e0041}\u2028";
const bad = `${HTML}${CONTROLS}\r\n\t{{owned}}\${owned}javascript:window.owned=1`;
const SEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff\u{e0000}-\u{e007f}]/u;

const hostileEvents = [
  { type: "prompt_started", promptId: bad, model: `${bad}preview`, userPrompt: bad },
  { type: "text", text: bad },
  { type: "reasoning", text: bad.repeat(30) },
  { type: "tool_result", output: bad.repeat(30), isError: true },
  ...[1, 1, 1, 1, 1, 1, 1, 1, 1, 1].flatMap((n) => [
    call(`t${bad}`, { [bad]: bad, n, __proto__: bad }),
    { type: "tool_result", output: bad },
  ]),
];
const hostileMessages = [
  { role: "user", content: `${bad}<environment_details>${bad}</environment_details>` },
  ...Array.from({ length: 8 }, (_, n) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `${bad}${n}`, name: bad, input: { [bad]: bad } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `${bad}${n}`, content: bad }] },
  ]).flat(),
];

async function isInert(page) {
  assert.equal(await page.evaluate(() => window.owned), undefined);
  assert.equal(
    await page.locator("img:not(.cm-widgetBuffer), body script, iframe, object, embed").count(),
    0,
  );
  assert.equal(await page.locator("[onerror], [onclick], [onload]").count(), 0);
  const links = await page
    .locator("a[href]")
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
      await page.locator(".lanes").waitFor();
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
    await openFile(page, "broken.jsonl", `${bad}\n`);
    await page
      .getByRole("alert")
      .filter({ hasText: /line 1: is not JSON .*<img/ })
      .waitFor();
    await isInert(page);
  }));

test("megabyte strings, deep nesting and broken Unicode are shown in parts", () =>
  onPage({}, async (page) => {
    const long = "x".repeat(3_000_000);
    const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
    const events = [
      { type: "text", text: long },
      ...Array.from({ length: 6 }, () => call(long.slice(0, 1_000_000), { [long]: "\ud800" })),
      { type: "tool_result", output: `${"\udc00\ud800".repeat(500_000)}` },
    ];
    const text = `${events.map((event) => JSON.stringify(event)).join("\n")}\n{"type":"tool_call","name":"deep","args":${deep}}\n`;
    await showFile(page, "large.jsonl", text);
    assert.equal(await page.getByRole("alert").count(), 0, "what can be read of arguments counts");
    await page.locator(".list [role=option]").first().click();
    await page.getByText("characters more are not shown").waitFor();
    const size = await page.evaluate(() => document.body.textContent.length);
    assert.ok(size < 1_000_000, `${size} characters are on the page`);
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(widths[0] <= widths[1], "nothing widens the page");
  }));

test("a million calls are shown", { timeout: 900_000 }, () =>
  onPage({}, async (page) => {
    const file = path.join(folder, "million.jsonl");
    const out = openSync(file, "w");
    for (let part = 0; part < 100; part += 1) {
      const lines = Array.from(
        { length: 10_000 },
        (_, n) => `{"type":"tool_call","name":"read","args":${part * 10_000 + n}}\n`,
      );
      writeSync(out, lines.join(""));
    }
    closeSync(out);
    await page.locator("input[type=file]").setInputFiles(file);
    await page.locator(".headline", { hasText: "1,000,000 calls" }).waitFor({ timeout: 800_000 });
    const list = page.getByRole("listbox");
    await list.focus();
    await page.keyboard.press("End");
    await page.locator("#main [aria-posinset='1000000']").waitFor();
    await page.locator(".list .row.call", { hasText: "999999" }).first().waitFor();
    await page.keyboard.press("Home");
    await page.locator("#main [aria-posinset='1']").waitFor();
    const stripes = await page.locator(".calls rect").count();
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
