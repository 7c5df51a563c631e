// The page in Firefox: files, keyboard, languages, colours, widths and the check of accessibility.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { after, before, test } from "node:test";

import { sampleFiles } from "../../../www/samples/make.mjs";
import { serve } from "../../../www/serve.mjs";
import { folder, run } from "../node/replay-command.mjs";

import { inFirefox, withoutFirefox } from "./firefox.mjs";
import {
  SEEN,
  bad,
  extremeText,
  hostileEvents,
  hostileMessages,
  halfAMillionCalls,
} from "./hostile-sessions.mjs";
import { lines } from "./session-lines.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const options = { skip: withoutFirefox, timeout: 900_000 };
let server;
let origin;

before(async () => {
  server = await serve(path.resolve(process.env.TURNKEEPER_SITE));
  origin = `http://127.0.0.1:${server.address().port}/`;
});
after(() => server.close());

/** Notes what the page does that it should not. */
const watch = (firefox) =>
  firefox.run(() => {
    // In the page itself: what a script of the driver has in variables is gone with it.
    const { dataset } = document.documentElement;
    const complain = (text) => (dataset.complaints += `${text}\n`);
    dataset.complaints = "";
    addEventListener("error", (event) => complain(event.message));
    document.addEventListener("securitypolicyviolation", (event) =>
      complain(`${event.violatedDirective} ${event.blockedURI}`),
    );
  });
const complaints = (firefox) => firefox.run(() => document.documentElement.dataset.complaints);

const COMPLETE = {
  sessions: ".others tbody tr:nth-child(4)",
  context: ".row.block",
  prompt: ".items",
  terminals: ".terminal",
  memory: ".marked",
};

for (const { language, dark } of [
  { language: "en-US", dark: false },
  { language: "zh-CN", dark: true },
]) {
  test(`every view, ${language}, ${dark ? "dark" : "light"}`, options, () =>
    inFirefox({ language, dark }, async (firefox) => {
      for (const [view, complete] of Object.entries(COMPLETE)) {
        await firefox.open(`${origin}?${view}#view=${view}`);
        await watch(firefox);
        await firefox.until(complete);
        await firefox.until(`html[lang|=${language.slice(0, 2)}]`);
        for (const width of [1_600, 390]) {
          await firefox.resize(width);
          await firefox.eventually(() => window.innerWidth, width);
          const overflow = await firefox.run(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          );
          assert.ok(overflow <= 0, `${view} is ${overflow} pixels too wide at ${width}`);
        }
        // What is wrong at one width alone, Chromium has shown.
        await firefox.run(`${AXE};`);
        const found = await firefox.run(() =>
          globalThis.axe
            .run()
            .then(({ violations }) =>
              violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 160)}`),
            ),
        );
        assert.deepEqual(found, [], view);
        assert.equal(await complaints(firefox), "");
      }
    }),
  );
}

test("a file is opened, and has the numbers of the command", options, () =>
  inFirefox({}, async (firefox) => {
    const { name, text } = sampleFiles().patchAgain;
    const file = path.join(folder, name);
    writeFileSync(file, text);
    const { stdout } = await run(["audit", "--jsonl", file]);
    const { calls } = JSON.parse(stdout);
    await firefox.open(origin);
    await firefox.until(".headline", "40 calls");
    await watch(firefox);
    await firefox.run(() => document.querySelector("input[accept]").removeAttribute("hidden"));
    await firefox.choose("input[accept]", file);
    await firefox.until(".session-name", name);
    await firefox.until(".headline", `${calls} calls`);
    await firefox.until(".figures dd", calls.toLocaleString("en-US"));
    assert.equal(await complaints(firefox), "");
  }),
);

test("the keyboard alone is enough", options, () =>
  inFirefox({}, async (firefox) => {
    await firefox.open(origin);
    await firefox.until(".list .row");
    const focus = () =>
      firefox.run(
        () => document.activeElement.getAttribute("role") ?? document.activeElement.textContent,
      );
    const tabTo = async (wanted) => {
      for (let count = 0; count < 60; count += 1) {
        await firefox.press("Tab");
        if ((await focus()) === wanted) return;
      }
      assert.fail(`${wanted} is not reached`);
    };
    await tabTo("Step");
    await firefox.press("Enter");
    await firefox.until("output", "call 2 of 40");
    await tabTo("listbox");
    await firefox.press("End");
    await firefox.until("[role=option][aria-selected=true]", "rounded half up now");
  }),
);

test("the prompt editor marks what is typed", options, () =>
  inFirefox({}, async (firefox) => {
    await firefox.open(`${origin}#view=prompt&prompt=Look%20at%20`);
    await firefox.until(".items");
    await watch(firefox);
    await firefox.run(() =>
      document.querySelector(".editor").shadowRoot.querySelector(".cm-content").focus(),
    );
    await firefox.press("End", ..."@[src/price.ts]");
    await firefox.until(".items", "src/price.ts");
    await firefox.eventually(
      () => document.querySelector(".editor").shadowRoot.querySelector(".mark-file")?.textContent,
      "@[src/price.ts]",
    );
    assert.equal(await complaints(firefox), "");
  }),
);

test("a session is dropped, or pasted", options, () =>
  inFirefox({}, async (firefox) => {
    const { patchAgain, sameSearch } = sampleFiles();
    await firefox.open(origin);
    await firefox.until(".headline", "40 calls");
    await watch(firefox);
    await firefox.run(
      (name, text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], name));
        for (const type of ["dragenter", "dragover", "drop"])
          document.body.dispatchEvent(
            new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
          );
      },
      patchAgain.name,
      patchAgain.text,
    );
    await firefox.until(".session-name", "Codex rollout");
    await firefox.until(".session-name", patchAgain.name);
    await firefox.run((text) => {
      // Firefox makes the data of such an event itself, of these two.
      const paste = { dataType: "text/plain", data: text, bubbles: true };
      document.body.dispatchEvent(new ClipboardEvent("paste", paste));
    }, sameSearch.text);
    await firefox.until(".session-name", "pasted");
    await firefox.until(".headline", "21 calls");
    assert.equal(await complaints(firefox), "");
  }),
);

/** Opens a file by the field behind the button. */
async function openFile(firefox, file) {
  await firefox.run(() => document.querySelector("input[accept]").removeAttribute("hidden"));
  await firefox.choose("input[accept]", file);
  await firefox.until(".session-name", path.basename(file));
}

test("hostile sessions stay text", options, () =>
  inFirefox({}, async (firefox) => {
    const isInert = async () => {
      const { owned, elements, text } = await firefox.run(() => ({
        owned: window.owned,
        elements: document.querySelectorAll(
          "img:not(.cm-widgetBuffer), body script, iframe, object, embed, [onerror], [onload]",
        ).length,
        text: document.body.textContent,
      }));
      assert.equal(owned ?? undefined, undefined);
      assert.equal(elements, 0);
      assert.doesNotMatch(text, SEEN);
      assert.equal(await complaints(firefox), "");
    };
    await firefox.open(origin);
    await firefox.until(".headline", "40 calls");
    await watch(firefox);
    const events = path.join(folder, "hostile.jsonl");
    writeFileSync(events, lines(hostileEvents));
    await openFile(firefox, events);
    await firefox.until(".list .row.stop");
    await isInert();
    const history = path.join(folder, "api_conversation_history.json");
    writeFileSync(history, JSON.stringify(hostileMessages));
    await openFile(firefox, history);
    await firefox.until(".headline", "8 calls");
    await firefox.click("nav a[href*='view=context']");
    await firefox.until(".row.block", "<img src=x");
    await isInert();
    const broken = path.join(folder, "broken.jsonl");
    writeFileSync(broken, `{"type":"text","text":"a"}\n${bad}\n`);
    await openFile(firefox, broken);
    await firefox.until("[role=alert]", "is not JSON");
    await isInert();
  }),
);

test("megabyte strings and half a million calls are shown", options, () =>
  inFirefox({}, async (firefox) => {
    await firefox.open(origin);
    await firefox.until(".headline", "40 calls");
    await watch(firefox);
    const extreme = path.join(folder, "extreme.jsonl");
    writeFileSync(extreme, extremeText());
    await openFile(firefox, extreme);
    await firefox.until(".headline", "6 calls");
    await firefox.until(".whole-event", "characters more are not shown");
    const size = await firefox.run(() => document.body.textContent.length);
    assert.ok(size < 1_000_000, `${size} characters are on the page`);
    await openFile(firefox, halfAMillionCalls());
    await firefox.until(".headline", "500,000 calls");
    await firefox.until(".list [aria-posinset='1']");
    await firefox.run(() => document.querySelector("[role=listbox]").focus());
    await firefox.press("End");
    await firefox.until(".list [aria-posinset='500000']");
    assert.equal(await complaints(firefox), "");
  }),
);
