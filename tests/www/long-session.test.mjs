// A session of 20 MB: how soon there is a picture, and whether the page answers meanwhile.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";

import { onPage, pictured } from "./site-page.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-page-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** A Cline history of 20 MB: some thousand calls, and what the tools said to them. */
function history() {
  const messages = [
    { role: "user", content: [{ type: "text", text: "<task>\nTidy up.\n</task>" }] },
  ];
  const source = Array.from(
    { length: 60 },
    (_, n) =>
      `  const value${n} = compute(${n}, "some words of a line"); // a comment that says why`,
  ).join("\n");
  for (let n = 0; n < 3_600; n += 1) {
    const id = `call_${n}`;
    const input = { path: `src/module-${n % 700}/file-${n}.ts` };
    messages.push({
      role: "assistant",
      content: [
        { type: "text", text: `I read the file number ${n}.` },
        { type: "tool_use", id, name: "read_file", input },
      ],
    });
    messages.push({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: `// ${n}\n${source}` },
        {
          type: "text",
          text: `<environment_details>\n# Current Time\n${n}\n\n# Open Tabs\n${"src/file.ts\n".repeat(12)}</environment_details>`,
        },
      ],
    });
  }
  return JSON.stringify(messages);
}

const file = path.join(folder, "api_conversation_history.json");
writeFileSync(file, history());

/** Notes every time that the page was busy for longer than 50 ms. */
const watch = (page) =>
  page.evaluate(() => {
    window.busy = [];
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.busy.push(Math.round(duration));
    }).observe({ type: "longtask" });
  });

const busy = (page) => page.evaluate(() => window.busy);

/**
 * Repeats what is measured until it is good once: the machine is shared, and another program may have had
 * the processor. What is too slow by itself is so every time.
 */
async function bestOf(count, measure, isGood) {
  const all = [];
  for (let n = 0; n < count; n += 1) {
    all.push(await measure());
    if (isGood(all.at(-1))) return all;
  }
  assert.fail(`not once in ${count}: ${JSON.stringify(all)}`);
}

test("the picture of 20 MB is there soon", { timeout: 300_000 }, async (t) => {
  const measure = async () => {
    let took;
    await onPage({}, async (page) => {
      await pictured(page);
      await page.evaluate(() => {
        window.begun = performance.now();
        new MutationObserver(() => {
          const shown = document.querySelector(".headline")?.textContent ?? "";
          if (shown.startsWith("3,600 calls")) window.took ??= performance.now() - window.begun;
        }).observe(document.body, { subtree: true, childList: true, characterData: true });
      });
      await page.locator("input[type=file]").setInputFiles(file);
      await page.waitForFunction(() => window.took, undefined, { timeout: 60_000 });
      took = Math.round(await page.evaluate(() => window.took));
    });
    return took;
  };
  const times = await bestOf(5, measure, (took) => took < 3_000);
  t.diagnostic(`first picture of 20 MB: ${times.join(", ")} ms`);
});

test(
  "scrolling and typing in 20 MB never block the page, also while the profiles are compared",
  { timeout: 300_000 },
  async (t) => {
    const measure = async () => {
      let longest;
      await onPage({}, async (page) => {
        await pictured(page);
        await page.locator("input[type=file]").setInputFiles(file);
        await page.locator(".headline", { hasText: "3,600 calls" }).waitFor({ timeout: 60_000 });
        // The other profiles are still being judged.
        await watch(page);
        const list = page.getByRole("listbox");
        await list.hover();
        for (let n = 0; n < 30; n += 1) await page.mouse.wheel(0, 900);
        await list.focus();
        for (const key of ["End", "PageUp", "PageUp", "Home", "ArrowDown"])
          await page.keyboard.press(key);
        await page.getByLabel("Identical calls").focus();
        await page.keyboard.type("12", { delay: 60 });
        const inSessions = await busy(page);
        await page.getByRole("link", { name: "Context" }).click();
        await page.locator(".headline", { hasText: "7,201 messages" }).waitFor({ timeout: 60_000 });
        await page.getByRole("listbox").hover();
        await watch(page);
        for (let n = 0; n < 30; n += 1) await page.mouse.wheel(0, 900);
        longest = Math.max(0, ...inSessions, ...(await busy(page)));
      });
      return longest;
    };
    const times = await bestOf(5, measure, (longest) => longest <= 50);
    t.diagnostic(`longest task: ${times.join(", ")} ms`);
  },
);

test("typing in the prompt editor never waits for the worker", { timeout: 120_000 }, async (t) => {
  const measure = async () => {
    let longest;
    await onPage({ at: "#view=prompt" }, async (page) => {
      await page.locator(".items").waitFor();
      await page.locator(".cm-content").click();
      await watch(page);
      await page.keyboard.type(" Compare @[src/cart.ts] with @[docs/prices.md], please.", {
        delay: 20,
      });
      await page.locator(".items", { hasText: "docs/prices.md" }).waitFor();
      longest = Math.max(0, ...(await busy(page)));
    });
    return longest;
  };
  const times = await bestOf(5, measure, (longest) => longest <= 50);
  t.diagnostic(`longest task: ${times.join(", ")} ms`);
});
