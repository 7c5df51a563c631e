// The page for those who use a keyboard, a screen reader, a telephone or a large screen, in either
// language and in light and dark.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "node:test";

import { eventually, onPage } from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** How each view is reached, and what is there when it is complete. */
const VIEWS = {
  sessions: ".others summary",
  context: ".row.block",
  prompt: ".items",
  terminals: ".terminal",
  memory: ".marked",
};

/** What an automated check of accessibility has to say, if anything. */
async function violations(page) {
  // Evaluated by the driver, the library is not subject to the page's policy.
  await page.evaluate(AXE);
  const { violations: found } = await page.evaluate(() => globalThis.axe.run());
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
}

/** Words take room by their language, and are read by their colours: two pairs show both of both. */
const LOOKS = [
  { language: "en", locale: "en-GB", colorScheme: "light" },
  { language: "zh", locale: "zh-CN", colorScheme: "dark" },
];

describe("every view", () => {
  for (const [view, complete] of Object.entries(VIEWS)) {
    for (const { language, ...look } of LOOKS) {
      test(`${view}, ${language}, ${look.colorScheme}: no violation, at 400 and at 1,600 pixels`, () =>
        onPage(
          { at: `#view=${view}`, viewport: { width: 1600, height: 1000 }, ...look },
          async (page) => {
            await page.locator(complete).first().waitFor();
            await page.locator(`html[lang|=${language}]`).waitFor();
            for (const width of [1600, 400]) {
              await page.setViewportSize({ width, height: 1000 });
              await settled(page);
              const overflow = await page.evaluate(
                () => document.documentElement.scrollWidth - innerWidth,
              );
              assert.ok(overflow <= 0, `${overflow} pixels too wide at ${width}`);
              assert.deepEqual(await violations(page), []);
            }
          },
        ));
    }
  }
});

describe("the language", () => {
  test("is the browser's, can be changed, and stays in the link", () =>
    onPage({ locale: "zh-TW" }, async (page) => {
      await page.getByRole("heading", { name: "规则" }).waitFor();
      await page.getByRole("combobox", { name: "语言" }).selectOption("English");
      await page.getByRole("heading", { name: "Rules" }).waitFor();
      await page.waitForFunction(() => location.hash.includes("language=en"));
      await page.locator("html[lang=en]").waitFor();
    }));

  test("is English where the browser has another", () =>
    onPage({ locale: "de-DE" }, async (page) => {
      await page.getByRole("heading", { name: "Rules" }).waitFor();
    }));
});

test("the colours can be chosen", () =>
  onPage({ colorScheme: "light" }, async (page) => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("combobox", { name: "Colours" }).selectOption("dark");
    await eventually(async () => (await background()) !== light, true);
  }));

/** Presses Tab until the focus is on the element, which must be visible there. */
async function tabTo(page, locator, key = "Tab") {
  const target = await locator.elementHandle();
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) {
      const outline = await target.evaluate((element) => getComputedStyle(element).outlineStyle);
      assert.notEqual(outline, "none", "the focus is visible");
      return;
    }
  }
  assert.fail(`${locator} is not reached with ${key}`);
}

describe("with the keyboard alone", () => {
  test("one can choose a sample, set a threshold, play, and read an event", () =>
    onPage({}, async (page) => {
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await eventually(() => page.evaluate(() => document.activeElement.id), "main");
      await tabTo(page, page.getByRole("combobox", { name: "Sample" }));
      await page.keyboard.press("ArrowDown");
      await page.locator(".session-name", { hasText: "same-search.json" }).waitFor();
      await tabTo(page, page.getByLabel("Identical calls"));
      await page.keyboard.type("2");
      await page.waitForFunction(() => location.hash.includes("calls=2"));
      await tabTo(page, page.getByRole("button", { name: "Step" }));
      await page.keyboard.press("Enter");
      await page.locator("output", { hasText: "call 2 of 21" }).waitFor();
      await tabTo(page, page.getByRole("listbox"));
      await page.keyboard.press("End");
      const last = page.locator("[role=option][aria-selected=true]");
      await last.filter({ hasText: "I could not find where the limit is set." }).waitFor();
      await eventually(
        () => page.getByRole("listbox").getAttribute("aria-activedescendant"),
        await last.getAttribute("id"),
      );
      await tabTo(page, page.getByRole("button", { name: "Save the numbers (JSON)" }));
    }));

  test("one can open a file", () =>
    onPage({}, async (page) => {
      // Waited for from the beginning: the browser must know it before the key is pressed.
      const chooser = page.waitForEvent("filechooser");
      await tabTo(page, page.getByRole("button", { name: "Open a file…" }));
      await page.keyboard.press("Enter");
      const text = '{"type":"tool_call","name":"a","args":{}}\n';
      await (await chooser).setFiles({ name: "k.jsonl", mimeType: "", buffer: Buffer.from(text) });
      await page.locator(".headline", { hasText: "1 call, no loop." }).waitFor();
    }));

  test("one can send a command and end it", () =>
    onPage({ at: "#view=terminals" }, async (page) => {
      await page.locator(".terminal").nth(2).waitFor();
      await tabTo(page, page.getByRole("combobox", { name: "Directory", exact: true }));
      await page.keyboard.press("Control+A");
      await page.keyboard.type("/work/shop/docs");
      await page.keyboard.press("Enter");
      await page
        .locator(".log pre")
        .first()
        .filter({ hasText: "cd -- '/work/shop/docs' && npm test" })
        .waitFor();
      await tabTo(page, page.getByRole("button", { name: "Command ends Terminal 1" }));
      await page.keyboard.press("Space");
      await page
        .locator(".terminal", { hasText: "Terminal 1" })
        .locator(".said", { hasText: "idle" })
        .waitFor();
    }));

  test("the editor is left with Tab", () =>
    onPage({ at: "#view=prompt" }, async (page) => {
      await page.locator(".cm-content").focus();
      await page.keyboard.press("Tab");
      await eventually(
        () => page.evaluate(() => document.activeElement.textContent),
        "Send, and write the next one",
      );
    }));
});

test("landmarks and headings are what they are", () =>
  onPage({}, async (page) => {
    for (const role of ["banner", "navigation", "main", "contentinfo"]) {
      await eventually(() => page.getByRole(role).count(), 1);
    }
    await eventually(() => page.getByRole("heading", { level: 1 }).count(), 1);
    await page.locator(".lanes").first().waitFor();
    await eventually(
      async () => (await page.getByRole("heading", { level: 2 }).allTextContents()).join(", "),
      "Session, Rules, What the agent did, Findings, Events, What it cost",
    );
  }));
