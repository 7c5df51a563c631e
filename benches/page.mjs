// How quick the web page is with a session of 20 MB, and the prompt editor as one types:
//   node benches/page.mjs [--json] [--rounds N]
// `cargo xtask bench page` builds the page and runs this. A task is what keeps the page from answering; a browser
// reports those of 50 ms and more, so a smaller figure is given as "under 50".

import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";

import { CALLS, MESSAGES, longHistoryFile } from "../tests/js/www/long-history.mjs";
import { serve } from "../www/serve.mjs";

const { chromium } = createRequire(new URL("../tests/js/package.json", import.meta.url))(
  "playwright-core",
);
const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, rounds: { type: "string", default: "5" } },
});
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error("--rounds takes a whole number");

const { args } = JSON.parse(
  readFileSync(new URL("../tests/js/webdriver.json", import.meta.url), "utf8"),
)["goog:chromeOptions"];
const file = longHistoryFile();
const server = await serve(process.env.TURNKEEPER_SITE);
const origin = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({
  executablePath: process.env.TURNKEEPER_CHROME,
  args: args.filter((flag) => flag !== "--headless"),
});

/** The figures of every round, by what was measured. */
const figures = new Map();
const note = (what, value) => figures.set(what, [...(figures.get(what) ?? []), Math.round(value)]);

async function onPage(hash, look) {
  const page = await browser.newPage({ locale: "en-US" });
  await page.addInitScript(() => {
    globalThis.busy = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        globalThis.busy = Math.max(globalThis.busy, duration);
    }).observe({ type: "longtask" });
  });
  await page.goto(origin + hash);
  await look(page);
  await page.close();
}

/** The longest task of what is done to a page, until it is quiet again. */
async function longestTask(page, what, act) {
  const quiet = () =>
    page.evaluate(
      () =>
        new Promise((done) => requestIdleCallback(() => setTimeout(done, 100), { timeout: 5_000 })),
    );
  await quiet();
  await page.evaluate(() => {
    globalThis.busy = 0;
  });
  await act();
  await quiet();
  note(`longest task: ${what}`, await page.evaluate(() => globalThis.busy));
}

const words = (number, thing) => `${number.toLocaleString("en-US")} ${thing}`;
const headline = (page, text) => page.locator(".headline", { hasText: text }).waitFor();
async function scroll(page) {
  await page.getByRole("listbox").hover();
  for (let n = 0; n < 30; n += 1) await page.mouse.wheel(0, 900);
  await page.getByRole("listbox").focus();
  for (const key of ["End", "PageUp", "PageUp", "Home", "ArrowDown"])
    await page.keyboard.press(key);
}

async function longSession() {
  await onPage("#view=sessions", async (page) => {
    await page.locator("section:not([aria-busy='true']) .headline").waitFor();
    await longestTask(page, "reading and judging 20 MB", async () => {
      await page.evaluate(
        (expected) => {
          let begun;
          document
            .querySelector("input[type=file]")
            .addEventListener("change", () => (begun = performance.now()), { capture: true });
          new MutationObserver(() => {
            const shown = document.querySelector(".headline")?.textContent ?? "";
            if (shown.startsWith(expected)) globalThis.took ??= performance.now() - begun;
          }).observe(document.body, { subtree: true, childList: true, characterData: true });
        },
        words(CALLS, "calls"),
      );
      await page.locator("input[type=file]").setInputFiles(file);
      await page.waitForFunction(() => globalThis.took, undefined, { timeout: 120_000 });
    });
    note("first picture of 20 MB", await page.evaluate(() => globalThis.took));
    await longestTask(page, "scrolling the events", () => scroll(page));
    await longestTask(page, "typing a threshold", async () => {
      await page.getByLabel("Identical calls").focus();
      await page.keyboard.type("12", { delay: 60 });
    });
    await longestTask(page, "to the context", async () => {
      await page.getByRole("link", { name: "Context" }).click();
      await headline(page, words(MESSAGES, "messages"));
    });
    await longestTask(page, "scrolling the blocks", () => scroll(page));
    await longestTask(page, "back to the sessions", async () => {
      await page.getByRole("link", { name: "Sessions" }).click();
      await headline(page, words(CALLS, "calls"));
    });
  });
}

async function promptEditor() {
  await onPage("#view=prompt", async (page) => {
    await page.locator(".items").waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+End");
    await longestTask(page, "typing a prompt", async () => {
      await page.keyboard.type(" Compare @[src/cart.ts] with @[docs/prices.md], please.", {
        delay: 20,
      });
      await page.locator(".items", { hasText: "docs/prices.md" }).waitFor();
    });
  });
}

for (let round = 0; round < rounds; round += 1) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[Kround ${round + 1} of ${rounds} …`);
  await longSession();
  await promptEditor();
}
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
const version = browser.version();
await browser.close();
server.close();

const lines = [...figures].map(([what, all]) => {
  const sorted = all.toSorted((a, b) => a - b);
  return {
    what,
    median: sorted[Math.floor(sorted.length / 2)],
    best: sorted[0],
    worst: sorted.at(-1),
  };
});
if (values.json) {
  console.log(JSON.stringify(lines, undefined, 2));
} else {
  const isTask = (what) => what.startsWith("longest task");
  const shown = (what, ms) =>
    isTask(what) && ms < 50 ? "under 50 ms" : `${ms.toLocaleString("en-US")} ms`;
  console.log(
    `Chromium ${version}, ${cpus()[0]?.model ?? "unknown processor"}, ${rounds} rounds\n`,
  );
  const row = (...cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(42) : cell.padStart(13))).join(""));
  row("", "median", "best", "worst");
  for (const { what, median, best, worst } of lines)
    row(what, shown(what, median), shown(what, best), shown(what, worst));
}
