// What each view shows, and that a link shows the same picture.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";

import { sampleFiles } from "../../../www/samples/make.mjs";
import { folder } from "../node/replay-command.mjs";

import {
  button,
  call,
  compared,
  downloaded,
  eventually,
  lanesInAll,
  onPage,
  openFile,
  origin,
  pictured,
  showFile,
  site,
} from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

const headline = (page) => page.textContent(".headline");
const lane = (page, profile) =>
  page.locator(".lanes tbody tr").filter({ has: page.getByRole("rowheader", { name: profile }) });

describe("sessions", () => {
  test("a loop is found, joined and counted, and each profile is compared", () =>
    onPage({}, async (page) => {
      await pictured(page);
      assert.match(await headline(page), /^40 calls, 1 loop\. Stopped at call 14\.$/);
      assert.equal(await page.locator("svg.timeline rect.loop-stop").count(), 1);
      await page.getByText("The rules of 4 other agents").click();
      await lane(page, "roo").waitFor();
      assert.match(await lane(page, "roo").textContent(), /call 13/);
      assert.match(
        await page.textContent(".findings"),
        /Bash was called 5 times with the same arguments/,
      );
    }));

  test("profile, model and thresholds change the picture at once, and are in the link", () =>
    onPage({}, async (page) => {
      await pictured(page);
      await page.getByRole("combobox", { name: "Profile" }).selectOption("standard");
      await page.locator(".headline", { hasText: "Stopped at call 19" }).waitFor();
      await page.getByLabel("Identical calls").fill("4");
      await page.locator(".headline", { hasText: "Stopped at call 13" }).waitFor();
      await page.waitForFunction(() => location.hash.includes("calls=4"));
      const link = page.url();
      assert.match(link, /#view=sessions&profile=standard&calls=4/);
      await compared(page, await lanesInAll(page, { withOwnRules: true }));
      await page.getByLabel("Identical calls").fill("0");
      await page
        .getByRole("alert")
        .filter({ hasText: /identicalCalls/ })
        .waitFor();
      await page.goto("about:blank");
      await page.goto(link);
      await page.locator(".headline", { hasText: "Stopped at call 13" }).waitFor();
      await eventually(() => page.getByLabel("Identical calls").inputValue(), "4");

      await page
        .getByRole("combobox", { name: "Sample" })
        .selectOption("File after file (event lines)");
      await page.getByLabel("Identical calls").fill("");
      await page.locator(".headline", { hasText: "Stopped at call 4" }).waitFor();
      await page.getByRole("textbox", { name: "Model" }).fill("gemini-2.0-flash");
      await page.locator(".headline", { hasText: "no loop" }).waitFor();
    }));

  test("the calls are played, with the run's counts", () =>
    onPage({}, async (page) => {
      await pictured(page);
      await button(page, "Play").click();
      await page.locator(".whole-event", { hasText: /the longest run: \d+ of \d+/ }).waitFor();
      await button(page, "Pause").click();
      // A call that was asked for before is shown yet.
      await settled(page);
      const at = await page.textContent(".play output");
      await page.waitForTimeout(800);
      assert.equal(await page.textContent(".play output"), at);
      await button(page, "Show call 14").click();
      await page.locator(".play output", { hasText: "call 14 of 40" }).waitFor();
      // The call that was stopped is the fifth of five, also where a result is what stopped it.
      await page.locator(".play output", { hasText: "the longest run: 5 of 5 stop" }).waitFor();
      await button(page, "Back").click();
      await page
        .locator(".play output", { hasText: /call 13 of 40 · the longest run: 4 of \d/ })
        .waitFor();
      await button(page, "Show call 14").click();
      await page
        .locator(".row.stop[aria-selected=true], .row[aria-selected=true]", { hasText: "14" })
        .waitFor();
      await page.locator("svg.timeline").click({ position: { x: 5, y: 10 } });
      await page.locator(".play output", { hasText: "call 1 of 40" }).waitFor();
    }));
});

test("the tools are there by the room that they took, and lead to their first call", () =>
  onPage({}, async (page) => {
    await pictured(page);
    const rows = page.locator(".tools tbody tr");
    await rows.first().waitFor();
    const cells = await rows.evaluateAll((all) =>
      all.map(({ cells }) => [...cells].map(({ textContent }) => textContent)),
    );
    assert.deepEqual(
      cells.map(([tool, , calls, failed]) => [tool, calls, failed]),
      [
        ["Bash", "32", "28"],
        ["Read", "4", ""],
        ["Edit", "2", ""],
        ["Grep", "2", ""],
      ],
    );
    await button(page, "Edit").click();
    await page.locator(".play output", { hasText: "call 9 of 40" }).waitFor();
    await page.locator(".row[aria-selected=true]", { hasText: "Edit" }).waitFor();
  }));

test("words are found from event to event, and an event has its time", () =>
  onPage({ timezoneId: "Asia/Tokyo" }, async (page) => {
    await pictured(page);
    const field = page.getByLabel("Find in the events");
    await field.fill("ROUNDS half");
    await field.press("Enter");
    const whole = page.locator(".whole-event");
    const found = whole.filter({ hasText: "rounds half up" });
    await found.waitFor();
    assert.match(await found.textContent(), /result.*line \d+ · Feb 3, 2026, 6:0\d:\d\d PM/);
    const first = await found.textContent();
    await button(page, "Next").click();
    await eventually(async () => (await whole.textContent()) !== first, true);
    assert.match(await whole.textContent(), /rounds half up/);
    await field.fill("nowhere to be found");
    await button(page, "Next").click();
    await page.locator(".find", { hasText: "Nowhere" }).waitFor();
  }));

describe("the first answer", () => {
  const shown = async (page) => ({
    money: await page.textContent(".money"),
    headline: await headline(page),
    stripes: await page.locator("svg.timeline rect:not(.head)").count(),
    adaptive: await lane(page, "adaptive").textContent(),
    tabs: await page.locator(".views li").allTextContents(),
    drop: await page.textContent(".drop"),
  });

  test("is there without any script, in 60 KB", async () => {
    let before;
    await onPage({ javaScriptEnabled: false }, async (page) => {
      before = await shown(page);
    });
    await onPage({}, async (page) => {
      await pictured(page);
      assert.deepEqual(await shown(page), before);
    });
    const files = ["index.html", "language.js", "style.css"].map((name) =>
      readFileSync(path.join(site, name)),
    );
    const bytes = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    assert.ok(bytes < 60_000, `${bytes} bytes`);
  });

  for (const [whose, options] of [
    ["the browser's", { locale: "zh-CN" }],
    ["the link's", { at: "?in=link#view=sessions&language=zh" }],
  ]) {
    test(`is in ${whose} language before the page's script has come, which changes nothing`, () =>
      onPage(options, async (page) => {
        let comes;
        const held = new Promise((resolve) => (comes = resolve));
        await page.route("**/app.js", (route) => held.then(() => route.continue()));
        await page.reload({ waitUntil: "commit" });
        await page.locator("#page[lang=zh-CN] footer").waitFor();
        const before = await shown(page);
        assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
        assert.match(before.money, /^23 个调用/);
        comes();
        await pictured(page);
        assert.deepEqual(await shown(page), before);
        await page.unroute("**/app.js");
      }));
  }
});

test("the address of a session opens it where its server allows that, and asks no other", async () => {
  const { name, text } = sampleFiles().sameSearch;
  const allowing = createServer((request, response) => {
    const isOpen = request.url === `/${name}`;
    response.writeHead(200, isOpen ? { "access-control-allow-origin": "*" } : {}).end(text);
  });
  await new Promise((resolve) => allowing.listen(0, "127.0.0.1", resolve));
  const there = `http://127.0.0.1:${allowing.address().port}/`;
  const address = (file) => `${origin()}index.html?session=${encodeURIComponent(there + file)}`;
  try {
    await onPage({ address: address(name), others: [there] }, async (page) => {
      await pictured(page);
      assert.match(await headline(page), /^21 calls/);
      assert.match(page.url(), /open\.html\?session=/);
      const narrowed = page.locator("meta[http-equiv=Content-Security-Policy]").last();
      assert.equal(
        await narrowed.getAttribute("content"),
        `connect-src 'self' ${new URL(there).origin}`,
      );
    });
  } finally {
    allowing.close();
  }
});

test("the verdict, the money and the picture are on the first screen of a telephone", () =>
  onPage({ viewport: { width: 390, height: 844 } }, async (page) => {
    await pictured(page);
    const bottom = async (part) => {
      const box = await page.locator(part).boundingBox();
      return box.y + box.height;
    };
    assert.ok((await bottom(".headline")) < 422, "the verdict is in the upper half");
    assert.ok((await bottom(".money")) < 844);
    assert.ok((await bottom("svg.timeline")) < 844);
  }));

test("the pictures of the profiles are on the axis of the calls, across the card", () =>
  onPage({}, async (page) => {
    await pictured(page);
    await compared(page, await lanesInAll(page));
    const edges = (part) =>
      page
        .locator(part)
        .first()
        .evaluate((element) => {
          const { left, right } = element.getBoundingClientRect();
          return [Math.round(left), Math.round(right)];
        });
    const calls = await edges("svg.timeline");
    assert.deepEqual(await edges(".lane-picture"), calls);
    const card = await page.locator(".picture").evaluate((element) => {
      const { paddingLeft, borderLeftWidth } = getComputedStyle(element);
      const inset = parseFloat(paddingLeft) + parseFloat(borderLeftWidth);
      const { left, right } = element.getBoundingClientRect();
      return [Math.round(left + inset), Math.round(right - inset)];
    });
    assert.deepEqual(calls, card);
  }));

test("links lead to the documents in the page's language, and to the package", () =>
  onPage({ locale: "zh-CN" }, async (page) => {
    const { origin } = new URL(page.url());
    const seen = new Set();
    const hrefs = () =>
      page
        .locator("a[href]")
        .evaluateAll((links) => links.map((link) => link.href.replace(/#.*/, "")));
    for (const href of await hrefs()) seen.add(href);
    await page.getByRole("link", { name: "文档" }).click();
    await page.locator("html[lang=zh-CN] .document h1").waitFor();
    for (const href of await hrefs()) seen.add(href);
    await page.getByRole("link", { name: "English" }).click();
    await page.locator("html[lang=en] .document h1").waitFor();
    for (const href of await hrefs()) seen.add(href);
    const files = [...seen].filter((href) => href.startsWith(origin));
    assert.ok(files.some((href) => href.endsWith(".tgz")));
    assert.ok(files.length > 10, `${files.length} links`);
    for (const href of files) assert.equal((await fetch(href)).status, 200, href);
  }));

test("the picture that people post is as large as they need it", () =>
  onPage({}, async (page) => {
    await pictured(page);
    const { name, bytes } = await downloaded(page, () =>
      button(page, "Save as a picture (PNG)").click(),
    );
    assert.equal(name, "turnkeeper.png");
    assert.equal(bytes.subarray(1, 4).toString(), "PNG");
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
    assert.ok(bytes.length > 10_000, `${bytes.length} bytes`);
  }));

test("the report is saved as a page, without the session's texts unless they are asked for", () =>
  onPage({}, async (page) => {
    await pictured(page);
    const saved = async () => {
      const save = () => button(page, "Save as a page (HTML)").click();
      return (await downloaded(page, save)).bytes.toString();
    };
    const own = /billing|The invoice total|npm test/;
    const without = await saved();
    assert.match(without, /Claude Code: 1 session; 23 calls, \$1\.79 of \$2\.88 \(62 %\)/);
    assert.doesNotMatch(without, own);
    await page.getByLabel("The page has the session's title, folder and texts").check();
    assert.match(await saved(), own);
  }));

test("the folder of an agent is there to be copied", () =>
  onPage({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
    await page.getByText("Where is my session?").click();
    await button(page, "Copy the folder of Claude Code").click();
    await page.locator(".places button", { hasText: "Copied" }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, "~/.claude/projects");
  }));

test("a folder shows what its sessions cost, and opens one at its loop", () =>
  onPage({}, async (page) => {
    await pictured(page);
    const target = path.join(folder, "week");
    mkdirSync(path.join(target, "sub"), { recursive: true });
    const { resumedTask, stuckTests } = sampleFiles();
    writeFileSync(path.join(target, "sub/api_conversation_history.json"), resumedTask.text);
    writeFileSync(path.join(target, stuckTests.name), stuckTests.text);
    writeFileSync(path.join(target, "settings.json"), "{}");
    await page.locator("input[webkitdirectory]").setInputFiles(target);
    const rows = page.locator("table.sessions tbody tr");
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    assert.match(await page.textContent(".folder"), /1 file skipped/);
    assert.match(await page.textContent("table.sessions"), /2,095/);
    assert.match(
      await page.textContent(".folder .headline"),
      /^week: 2 sessions; 23 calls, \$1\.79 of \$2\.88 \(62 %\) could have been saved/,
    );
    assert.equal(await page.locator("svg.timeline").count(), 0, "the folder stands alone");
    await rows.filter({ hasText: /1$/ }).getByRole("button").click();
    await page.locator(".session-name", { hasText: stuckTests.name }).waitFor();
    await page.locator(".play output", { hasText: /call 10 of/ }).waitFor();
  }));

describe("context", () => {
  test("what gives way is struck through, and a format that is no history is said to be none", () =>
    onPage({ at: "#view=context&preset=resume" }, async (page) => {
      await pictured(page);
      assert.match(
        await headline(page),
        /^27 messages, 14 changed: 2,095 tokens less, 57 % of the history\.$/,
      );
      await page.locator(".row.removed del").first().waitFor();
      assert.match(
        await page.locator(".row.new ins").first().textContent(),
        /older copy of src\/router\.ts/,
      );
      assert.ok((await page.locator(".bar rect.removed").count()) > 10);
      await page.locator(".gone li", { hasText: /outdated blocks of environment/ }).waitFor();
      const offered = page.getByRole("combobox", { name: "Sample" }).locator("option");
      assert.deepEqual(await offered.allTextContents(), [
        "Stuck on a test (Claude Code)",
        "A resumed task (Cline)",
      ]);
      const { patchAgain } = sampleFiles();
      await openFile(page, patchAgain.name, patchAgain.text);
      await page.getByText("a record of what happened, not a history").waitFor();
    }));
});

test("a history is made no smaller than it has to be", () =>
  onPage({ at: "#view=context&preset=compact&target=4000" }, async (page) => {
    await page.locator(".headline", { hasText: "27 messages, 2 changed" }).waitFor();
    const size = page.getByLabel("Size to reach, in tokens");
    await eventually(() => size.inputValue(), "4000");
    await size.fill("");
    await page.locator(".headline", { hasText: /27 messages, 1\d changed/ }).waitFor();
  }));

describe("the prompt editor", () => {
  const type = async (page, text) => {
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
  };

  test("marks references as one types, and shows the block, why each item is there, and the budget", () =>
    onPage({ at: "#view=prompt" }, async (page) => {
      for (const kind of ["file", "tool", "image", "macro"]) {
        await page.locator(`.cm-content .mark-${kind}`).first().waitFor();
      }
      await type(page, "Look at @[src/price.ts] and @[src");
      await page.locator(".cm-content .mark-file", { hasText: "@[src/price.ts]" }).waitFor();
      await page.locator(".cm-content .mark-error").waitFor();
      await page.locator(".diagnostics", { hasText: "unclosed_reference" }).first().waitFor();
      const items = page.locator(".items tbody tr");
      await page.locator(".items", { hasText: "src/price.ts" }).waitFor();
      await page.waitForFunction(() => document.querySelectorAll(".items tbody tr").length === 2);
      await items
        .nth(1)
        .filter({ hasText: /this prompt names it/ })
        .waitFor();

      await button(page, "Send, and write the next one").click();
      await page.locator("span", { hasText: "1 prompt sent." }).waitFor();
      await type(page, "And @[src/cart.ts]?");
      await page
        .locator(".items tr", { hasText: "src/price.ts" })
        .filter({ hasText: "prompt 1 named it" })
        .waitFor();
      const messages = page.locator("pre.message");
      await messages.nth(1).filter({ hasText: "src/price.ts" }).waitFor();
      assert.doesNotMatch(await messages.nth(0).textContent(), /content_reference/);
      await page.getByLabel("Placement of the block").selectOption("delta");
      await messages.nth(0).filter({ hasText: "content_reference" }).waitFor();
      assert.doesNotMatch(await messages.nth(1).textContent(), /export function discounted/);
      assert.match(await messages.nth(1).textContent(), /"unchanged": \[\s+"src\/price\.ts"/);

      await page.getByLabel("Placement of the block").selectOption("latest");
      await page.getByLabel("Budget in tokens").fill("120");
      await page.getByText("Left out for the budget: src/price.ts").waitFor();
    }));

  test("forgets an item of an earlier prompt, and takes that back", () =>
    onPage({ at: "#view=prompt" }, async (page) => {
      await type(page, "Look at @[src/price.ts].");
      const item = page.locator(".items tbody tr", { hasText: "src/price.ts" });
      await item.filter({ hasText: "this prompt names it" }).waitFor();
      await button(page, "Send, and write the next one").click();
      await type(page, "Go on.");
      await item.filter({ hasText: "prompt 1 named it" }).waitFor();
      await button(page, "Forget src/price.ts").click();
      await item.waitFor({ state: "detached" });
      const last = page.locator("pre.message").last();
      await last.filter({ hasNotText: "export function discounted" }).waitFor();
      await button(page, "Undo src/price.ts").click();
      await last.filter({ hasText: "export function discounted" }).waitFor();
      await button(page, "Forget money").click();
      await page.locator(".items tbody tr", { hasText: "money" }).waitFor({ state: "detached" });
      await page.getByText("money was forgotten after 1 prompt.").waitFor();
    }));

  test("has files that can be edited, and a link that carries the prompt when asked", () =>
    onPage({ at: "#view=prompt" }, async (page) => {
      await type(page, "@[docs/prices.md]");
      await page.getByText("docs/prices.md", { exact: true }).first().click();
      await page.getByLabel("Content").first().waitFor({ state: "attached" });
      await page.locator(".workspace details[open] textarea").fill("Prices are in yen.");
      await page.locator("pre.message", { hasText: "Prices are in yen." }).waitFor();
      assert.doesNotMatch(page.url(), /prices/);
      await page.getByLabel("The link carries the prompt").check();
      await page.waitForFunction(() => location.hash.includes("prices.md"));
      await page.reload();
      await page.locator(".cm-content .mark-file", { hasText: "@[docs/prices.md]" }).waitFor();
    }));
});

describe("the terminal board", () => {
  test("says which terminal is chosen, why, and the exact line", () =>
    onPage({ at: "#view=terminals" }, async (page) => {
      await page.locator(".terminal").nth(2).waitFor();
      await button(page, "Empty board").click();
      await page.getByText("No terminal yet").waitFor();
      const log = page.locator(".log li");
      await button(page, "Send").click();
      await log.first().filter({ hasText: "new" }).waitFor();
      await button(page, "Command ends Terminal 1").click();
      await page
        .getByRole("combobox", { name: "Directory", exact: true })
        .fill("/work/shop/it's here");
      await button(page, "Send").click();
      await log.first().filter({ hasText: "reuse after cd" }).waitFor();
      assert.equal(
        await log.first().locator("pre").textContent(),
        "cd -- '/work/shop/it'\\''s here' && npm test",
      );
      assert.match(await log.first().textContent(), /Terminal 1.*tier 2.*above it/);

      await button(page, "Directory unknown Terminal 1").click();
      await page.locator(".terminal", { hasText: "directory unknown" }).waitFor();
      await button(page, "Send").click();
      await page.locator(".terminal").nth(1).waitFor();
      await button(page, "Fails Terminal 1").click();
      await page.locator(".terminal.failed").waitFor();
      await button(page, "Close Terminal 1").click();
      await page.waitForFunction(() => document.querySelectorAll(".terminal").length === 1);
      await page.getByRole("combobox", { name: "Directory", exact: true }).fill("relative");
      await button(page, "Send").click();
      await log.first().filter({ hasText: "Refused:" }).waitFor();
    }));

  test("keeps to a number of terminals, and leads them where it may", () =>
    onPage({ at: "#view=terminals&terminals=1" }, async (page) => {
      const log = page.locator(".log li");
      const first = page.locator(".terminal", { hasText: "Terminal 1" });
      await log.first().waitFor();
      await button(page, "Empty board").click();
      await page.getByText("No terminal yet").waitFor();
      await button(page, "Send").click();
      await log.first().filter({ hasText: "new" }).waitFor();
      await page.locator(".terminal .said.reported").waitFor();
      await button(page, "Send").click();
      await log.first().filter({ hasText: "wait until Terminal 1 is idle" }).waitFor();
      await eventually(() => page.locator(".terminal").count(), 1);
      await button(page, "Command ends Terminal 1").click();
      const directory = page.getByRole("combobox", { name: "Directory", exact: true });
      await directory.fill("/tmp");
      await button(page, "Send").click();
      await log.first().filter({ hasText: "closes Terminal 1" }).waitFor();
      await button(page, "Undo").click();
      // Without a limit, the command that had to wait gets a terminal of its own.
      await page.getByLabel("A cd may lead").selectOption("anywhere");
      await page.getByLabel("Terminals at most").fill("");
      await button(page, "Send").click();
      await log.first().filter({ hasText: "reuse after cd Terminal 1" }).waitFor();
      await button(page, "Command ends Terminal 1").click();
      await first.locator(".said.expected").waitFor();
      await button(page, "Reports its directory Terminal 1").click();
      await first.locator(".said.reported").waitFor();
      await button(page, "Directory unknown Terminal 1").click();
      await first.filter({ hasText: "directory unknown" }).waitFor();
      await page.waitForFunction(() => location.hash.includes("reach=anywhere"));
    }));

  test("gives its reasons in Chinese, too", () =>
    onPage({ at: "#view=terminals&language=zh" }, async (page) => {
      const reasons = page.locator(".log .hint");
      await reasons.nth(4).waitFor();
      for (const reason of await reasons.allTextContents())
        assert.match(reason, /^\p{Script=Han}/u);
      assert.equal(await page.locator(".log .hint[lang]").count(), 0);
    }));

  test("knows a shell by the path of its program", () =>
    onPage({ at: "#view=terminals" }, async (page) => {
      await page.locator(".terminal").nth(2).waitFor();
      for (const [shell, known] of [
        ["/opt/homebrew/bin/fish", "fish"],
        ["/usr/bin/xonsh", "other"],
      ]) {
        await button(page, "Empty board").click();
        await page.getByText("No terminal yet").waitFor();
        await page.getByLabel("Shell").selectOption(shell);
        await button(page, "Send").click();
        await page.locator(".terminal", { hasText: `${known} · task A` }).waitFor();
      }
    }));

  test("writes the line of each shell of both platforms", () =>
    onPage({ at: "#view=terminals&platform=win32" }, async (page) => {
      await page.locator(".terminal").nth(1).waitFor();
      const lines = { powershell: /^cd|Set-Location/, cmd: /^cd \/d/, bash: /^cd -- /, nu: /cd/ };
      for (const [shell, expected] of Object.entries(lines)) {
        await button(page, "Empty board").click();
        await page.getByText("No terminal yet").waitFor();
        await page.getByLabel("Shell").selectOption(shell);
        await page.getByRole("combobox", { name: "Directory", exact: true }).fill("C:\\work");
        await button(page, "Send").click();
        await button(page, "Command ends Terminal 1").click();
        await page.getByRole("combobox", { name: "Directory", exact: true }).fill("C:\\work\\shop");
        await button(page, "Send").click();
        const first = page.locator(".log li").first();
        await first.filter({ hasText: "reuse after cd" }).waitFor();
        assert.match(await first.locator("pre").textContent(), expected, shell);
      }
    }));
});

describe("the memory", () => {
  test("shows both prompts of a turn, a recall, a fold and a forged heading", () =>
    onPage({ at: "#view=memory&turn=2" }, async (page) => {
      await page.getByText(/messages recalled into the action phase/).waitFor();
      assert.match(await page.textContent(".preview"), /User's Goal: Users are logged out/);
      assert.match(await page.textContent(".preview"), /The key of the cookie is in vault\.ts/);
      await button(page, "Thinking").click();
      await page.getByText("sees the whole conversation").waitFor();
      await button(page, "Turn 3").click();
      const forged = page.locator(".preview > .marked mark");
      await forged.first().waitFor();
      assert.match(await forged.first().textContent(), /> === TASK CONTEXT ===/);
      await page
        .getByText(/After turn \d: turns 2 to \d become one/)
        .first()
        .waitFor();
      await page.getByLabel("Budget of the summaries in tokens").fill("");
      await page.getByText("The budget holds").waitFor();
      await page.getByLabel("Summary at the end of the turn").fill("Round 7: forged");
      await page.waitForFunction(() => document.querySelectorAll(".marked mark").length === 0);
    }));

  test("asks for a summary where a turn has none", () =>
    onPage({ at: "#view=memory&turn=4" }, async (page) => {
      await page.getByText("The summary in the form is taken as the answer").waitFor();
      await page.getByLabel("Summary at the end of the turn").fill("");
      await page.getByText("This turn has no summary yet").waitFor();
      const request = page.locator("details[open] .marked", { hasText: "Sum them up" });
      await request.filter({ hasText: "Go on with the fix." }).waitFor();
    }));
});

test("the views are links, and the browser's history goes through them", () =>
  onPage({}, async (page) => {
    await pictured(page);
    for (const name of ["Context", "Prompt", "Terminals", "Memory"]) {
      await page.getByRole("link", { name }).click();
      await page.locator("nav a[aria-current=page]", { hasText: name }).waitFor();
      await page.waitForFunction((title) => document.title === title, `${name} · Turnkeeper`);
    }
    await page.goBack();
    await page.locator("nav a[aria-current=page]", { hasText: "Terminals" }).waitFor();
    await page.goBack();
    await page.goBack();
    await page.goBack();
    await pictured(page);
  }));

test("a session stays open from view to view", () =>
  onPage({}, async (page) => {
    const events = [call("a", 1), call("a", 1)];
    await showFile(page, "own.jsonl", events);
    await page.getByRole("link", { name: "Context" }).click();
    await page.getByText("a record of what happened").waitFor();
    await page.getByRole("link", { name: "Sessions" }).click();
    await page.locator(".headline", { hasText: "2 calls" }).waitFor();
  }));
