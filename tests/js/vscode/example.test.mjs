// The example for VS Code: built, loaded on the desktop's extension host and on the web's, asked in the chat and
// from its view, and asked again after a reload of the window.

import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { before, describe, test } from "node:test";

import { temporaryFolder } from "../packaging/app.mjs";
import { buildExample } from "./extension-build.mjs";
import { endsWell, leaveTraces, withLimit } from "./visit.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

// Generous, because all that it costs is how long a hopeless visit lasts.
const LIMIT = 300_000;

const SETTINGS = { "chat.disableAIFeatures": false, "chat.restoreLastPanelSession": true };
/** VS Code keeps it in the window's memory: it lies on no machine, and there are no terminals. */
const IN_MEMORY = "tmp:/project";

async function visitExample(host) {
  const seen = {};
  let server, workbench;
  try {
    const extension = await buildExample();
    server = await VsCodeServer.start(realpathSync(temporaryFolder()), SETTINGS);
    const folder = host === "web" ? IN_MEMORY : server.workspace;
    workbench = await Workbench.open(server, extension);
    workbench.page.setDefaultTimeout(LIMIT);
    void allowCommands(workbench.page).catch(() => {});
    await withLimit(async () => {
      const first = endsWell(workbench.run(host, "tests/example.js", folder));
      seen.screen = await readScreen(workbench, first);
      await leaveTraces(`example-${host}-screen`, undefined, workbench);
      await askFromView(workbench);
      await first;
      seen.first = noted(workbench);
      // VS Code writes down which terminals and chats a window has some time after they were made.
      await workbench.page.waitForTimeout(10_000);
      workbench.console.length = 0;
      await endsWell(workbench.run(host, "tests/example-later.js", folder));
      seen.later = noted(workbench);
      workbench.console.length = 0;
      const folders = host === "web" ? folder : twoFolders(server.workspace);
      await endsWell(workbench.run(host, "tests/example-more.js", folders));
      [seen.more, seen.after] = noted(workbench);
      workbench.console.length = 0;
      await endsWell(workbench.run(host, "tests/example-empty.js", null));
      [seen.empty] = noted(workbench);
    }, LIMIT);
  } catch (error) {
    seen.failure = error;
  }
  seen.traces = await leaveTraces(`example-${host}`, server, workbench);
  await workbench?.close();
  await server?.stop();
  return seen;
}

/** A workspace of two folders beside `workspace`. */
function twoFolders(workspace) {
  const home = path.dirname(workspace);
  for (const name of ["one", "two"]) mkdirSync(path.join(home, name));
  const file = path.join(home, "two.code-workspace");
  writeFileSync(file, JSON.stringify({ folders: [{ path: "one" }, { path: "two" }] }));
  return file;
}

const PROMPT = "What is in @[notes.md:1]? @{if}";

/** The state of chat and view when the model has been stopped, and what the view says of a prompt. */
async function readScreen(workbench, run) {
  const view = viewIn(workbench);
  const work = view.locator("#work");
  const chat = workbench.page.locator(".interactive-session");
  const stop = "was called 5 times";
  await Promise.race([run, work.getByText(stop).first().waitFor()]);
  await Promise.race([run, chat.getByText(stop).waitFor()]);
  await view.locator("#prompt").fill(PROMPT);
  return {
    work: await work.innerText(),
    chat: await chat.innerText(),
    refersTo: await view.locator("#refers-to").innerText(),
  };
}

const askFromView = (workbench) => viewIn(workbench).locator("#ask").click();

function viewIn({ page }) {
  return page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
}

/** Presses "Run" whenever the agent asks, until the page is closed. */
async function allowCommands(page) {
  const toasts = page.locator(".notifications-toasts");
  for (;;) {
    const run = toasts.getByRole("button", { name: "Run" }).first();
    await run.waitFor({ timeout: 0 });
    const button = await run.elementHandle();
    await button.click();
    // A second click in the same place would meet something else.
    await button.waitForElementState("hidden");
  }
}

/** The notes of the tests inside. */
function noted({ console }) {
  return console.flatMap((line) => {
    const at = line.indexOf('noted {"');
    return at < 0 ? [] : [JSON.parse(line.slice(at + "noted ".length))];
  });
}

for (const [host, title] of [
  ["node", "on the desktop's extension host"],
  ["web", "on the web's, in a folder that is on no machine"],
]) {
  describe(`the example for VS Code ${title}`, () => {
    const isWeb = host === "web";
    let seen, listed, asked, looped, fromView, later;
    before(async () => {
      seen = await visitExample(host);
      if (seen.failure) throw new Error(`${seen.failure.stack}\n${seen.traces}`);
      [listed, asked, looped, , { fromView }] = seen.first;
      [later] = seen.later;
    });

    test("runs in that host, from the one bundle that is made for it", () => {
      for (const { isWorker } of [seen.first[3], seen.later[1]]) assert.equal(isWorker, isWeb);
    });

    test("runs commands of two folders in one terminal, where there are terminals", () => {
      const [offered, results] = listed.requests;
      if (isWeb) {
        assert.match(offered, /You can call read_file\./);
        assert.deepEqual([listed.requests.length, seen.first[3].terminals], [1, 0]);
        assert.match(seen.screen.work, /Terminal selector\nnone was needed\n/);
        return;
      }
      assert.match(offered, /You can call read_file and run_command\./);
      assert.match(results, /"main\.ts\\n.*"(.*\\n)?notes\.md\\nsrc\\n/);
      assert.equal(seen.first[3].terminals, 1);
      assert.match(seen.screen.work, /Terminal selector\nreuse_with_cd: /);
    });

    test("tells the user in the chat that the model loops, and then that it is stopped", () => {
      const said = "was called %d times in a row with the same arguments";
      const [hint, stop] = [3, 5].map((times) =>
        seen.screen.chat.indexOf(said.replace("%d", times)),
      );
      assert.ok(0 < hint && hint < stop, seen.screen.chat);
      assert.equal(looped.requests.length, 5);
    });

    test("tells the model once, after the result that it is about", () => {
      const hinted = looped.requests.filter((request) => request.includes("You seem to be stuck"));
      assert.equal(hinted.length, 2);
      for (const request of hinted) {
        const [before, hint, ...more] = request.split("You seem to be stuck");
        assert.deepEqual(more, []);
        assert.equal(before.match(/"tool_result"/g).length, 3);
        assert.match(hint, /^: read_file .*was called 3 times in a row/);
      }
    });

    test("sends each prompt with one ghost block, one environment, and the turns before", () => {
      for (const { requests } of [asked, looped, later]) {
        for (const request of requests) {
          assert.equal(request.split("<content_reference>").length, 2);
          assert.equal(request.split("<environment_details>").length, 2);
        }
      }
      assert.match(asked.requests[0], /notes\.md.{5,10}Note 0 is about the cart/);
      assert.match(asked.requests[0], /secret\.txt.{5,20}error.{5,10}denied/);
      assert.match(looped.requests[0], /\[Turn 2\] The answer was given\./);
    });

    test("replaces what it read of a file in the turn before by a line", () => {
      const lines = fromView.match(/An older copy of notes\.md, \d+ characters, stood here/g);
      assert.equal(lines.length, 4);
    });

    test("shows in the view what the five machines did", () => {
      const { work } = seen.screen;
      assert.match(work, /^Loop detector\nStopped: read_file .*was called 5 times/);
      const [, tokens] = /\nHistory deduper\n(\d+) tokens saved\n/.exec(work);
      assert.ok(Number(tokens) > 0);
      assert.match(work, /\nGhost block\nnotes\.md\n\.\.\/secret\.txt \(denied: /);
      assert.match(work, /\nSummary injector\n.*\n\[Turn 1\] .*\n+\[Turn 2\] The answer/);
    });

    test("says in the view what a prompt refers to, and asks it in the chat", () => {
      assert.equal(
        seen.screen.refersTo,
        "file notes.md\nthis command is not written as it has to be",
      );
      assert.ok(fromView.includes(PROMPT), fromView);
    });

    test("goes on after a reload, with what it knew and in the same terminal", () => {
      assert.match(later.requests[0], /\[Turn 3\] Stopped: read_file .*was called 5 times/);
      if (isWeb) return;
      assert.match(later.requests[1], /"main\.ts\\n/);
      assert.equal(seen.later[1].terminals, 1);
    });

    test("reads the files that the user attaches, of all folders of the workspace", () => {
      const [request] = seen.more.files;
      for (let at = 0; at < (isWeb ? 1 : 2); at++) {
        assert.ok(request.includes(`The words of folder ${at}.`), request);
      }
    });

    test("sees a folder that is opened later, and goes on with what it knew", () => {
      // With one folder, VS Code restarts the extension.
      if (isWeb) return;
      const [request] = seen.more.opened;
      assert.match(request, /The words of another folder\./);
      assert.match(request, /\[Turn 5\] The answer was given\./);
    });

    test("offers and runs the tools of other extensions", () => {
      assert.equal(seen.more.used.length, 2);
      assert.match(seen.more.used[1], /There are 4711\./);
    });

    test("runs commands in any folder, and those of two chats in one terminal", () => {
      const { looked, other, terminals } = seen.more;
      if (isWeb) return assert.equal(terminals, 0);
      for (const requests of [looked, other]) assert.match(requests[1], /words\.md.*exit code 0/);
      assert.equal(terminals, 1);
    });

    test("ends a turn with too many requests, and says so", () => {
      assert.equal(seen.more.long, 25);
      assert.match(seen.more.stopped, /^Stopped after 25 requests/);
    });

    test("keeps summaries by the model, or a short one", () => {
      const { summed, summaries, saved } = seen.more;
      assert.match(summed, /\[Turn 5\] The answer was given\./);
      const [, kept] = /\[Turn 6\] (.*?)\\n/.exec(summed);
      assert.match(kept, /^It is a long story:/);
      assert.ok(kept.length <= 500, kept);
      for (const asked of summaries) assert.ok(asked.length < 12_000, asked);
      assert.ok(saved < 60_000, `${saved} characters`);
    });

    test("disposes of a source of cancellation for each turn", () => {
      const { turns, released } = seen.after;
      assert.ok(turns > 0);
      assert.equal(released, turns);
    });

    test("says in a window without a folder what to do", () => {
      assert.deepEqual(seen.empty, { said: "Open a folder, and ask again.", requests: [] });
    });
  });
}
