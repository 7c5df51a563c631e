// Sessions of one's own: how they come in, and what is said if they cannot be read.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";

import { app, load } from "../node/installed-package.mjs";
import { sampleFiles } from "../../../www/samples/make.mjs";

import {
  button,
  call,
  downloaded,
  drop,
  eventually,
  lines,
  onPage,
  openFile,
  pictured,
  rows,
  showFile,
  site,
} from "./site-page.mjs";
import { settled } from "./watched-worker.mjs";

const { unzipSync } = createRequire(new URL("../../../www/package.json", import.meta.url))(
  "fflate",
);
const samples = sampleFiles();
const user = { type: "user_message" };
const identical = (count) => Array.from({ length: count }, () => call("build", { all: true }));
const headline = (page) => page.textContent(".headline");
/** The licence of the table of prices, which is in the analysis. */
const PRICES = readFileSync(
  new URL("../../../src/analysis/prices.license.txt", import.meta.url),
  "utf8",
);
const named = (page, name) => page.locator(".session-name bdi", { hasText: name }).waitFor();

describe("a session of one's own", () => {
  test("can be opened, dropped, pasted and typed", () =>
    onPage({}, async (page) => {
      await openFile(page, "mine.jsonl", samples.healthy.text);
      await named(page, "mine.jsonl");
      await pictured(page);
      assert.equal(await headline(page), "25 calls, no loop.");

      await drop(page, samples.patchAgain);
      await named(page, "rollout.jsonl");
      await page.getByText("Codex rollout", { exact: false }).first().waitFor();

      await page.evaluate((text) => {
        const data = new DataTransfer();
        data.setData("text/plain", text);
        document.body.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true }),
        );
      }, samples.sameSearch.text);
      await named(page, "pasted");
      await page.locator(".headline", { hasText: "21 calls" }).waitFor();

      await page.getByText("Paste", { exact: true }).click();
      await page.getByLabel("The text of the session").fill(lines([user, ...identical(4)]));
      await button(page, "Show it").click();
      await page.locator(".headline", { hasText: "4 calls" }).waitFor();
      await page.waitForFunction(() => location.hash.includes("sample=own"));
      await eventually(() => page.getByRole("combobox", { name: "Or a sample" }).inputValue(), "");
    }));

  test("must be one file", () =>
    onPage({}, async (page) => {
      await drop(page, { name: "a.jsonl", text: "" }, { name: "b.jsonl", text: "" });
      await page
        .getByRole("alert")
        .filter({ hasText: /^Drop one file at a time\.$/ })
        .waitFor();
    }));

  test("that takes long gives way to one that is opened meanwhile", () =>
    onPage({}, async (page) => {
      const long = Array.from({ length: 60_000 }, (_, n) => call("read", { n }));
      await openFile(page, "long.jsonl", long);
      await openFile(page, "short.jsonl", [user, ...identical(3)]);
      await page.locator(".headline", { hasText: "3 calls" }).waitFor();
      // The worker has given up the other one by then.
      await settled(page);
      assert.match(await headline(page), /^3 calls/);
    }));

  test("is gone from a link that somebody else opens", () =>
    onPage({ at: "#view=sessions&sample=own" }, async (page) => {
      await named(page, "stuck-tests.jsonl");
    }));
});

describe("a broken file", () => {
  const ok = lines([user]);
  const cases = [
    ["empty.jsonl", "", /empty\.jsonl has no events/],
    ["not-json.jsonl", `${ok}\n{"type":\n`, /line 3.*is not JSON/],
    ["list.jsonl", `${ok}[]\n`, /line 2.*is not an event/],
    ["unknown.jsonl", `${ok}{"type":"of_next_year"}\n${ok}`, /line or element 2: .*type/],
    ["binary.jsonl", Buffer.from([0x1f, 0x8b, 8, 0, 0]), /line 1: is a binary file/],
    ["latin1.jsonl", Buffer.from('{"type":"text","text":"\xe9"}', "latin1"), /is not UTF-8/],
    ["manifest.json", '{\n "name": "x"\n}', /manifest\.json .*"name"/],
    ["cut.json", '[{"role":"user","content":"Hi."},{"ro', /breaks off at element 2/],
    ["utf16.jsonl", Buffer.from(`\ufeff${ok}`, "utf16le"), /is UTF-16 text/],
  ];
  for (const [name, content, expected] of cases) {
    test(`is said what is wrong with: ${name}`, () =>
      onPage({}, async (page) => {
        await pictured(page);
        await openFile(page, name, content);
        await named(page, name);
        await page.getByRole("alert").filter({ hasText: expected }).waitFor();
      }));
  }

  test("is shown up to where it is broken, and forgotten with the next", () =>
    onPage({}, async (page) => {
      await showFile(page, "half.jsonl", `${lines([user, ...identical(4)])}{"type"`);
      await page
        .getByRole("alert")
        .filter({ hasText: /up to line 6/ })
        .waitFor();
      assert.match(await headline(page), /^4 calls/);
      await page
        .getByRole("combobox", { name: "Or a sample", exact: true })
        .selectOption("A healthy session (event lines)");
      await page.locator(".headline", { hasText: "25 calls, no loop." }).waitFor();
      await eventually(() => page.getByRole("alert").count(), 0);
    }));
});

describe("the build", () => {
  test("has the packed package inside", () =>
    onPage({}, async (page) => {
      const { version } = load("turnkeeper/package.json");
      assert.match(await page.textContent("footer"), new RegExp(`turnkeeper ${version},`));
      const file = path.join(app, "node_modules/turnkeeper/dist/index.mjs");
      const [, packed] = /"([A-Za-z0-9+/=]{10000,})"/.exec(readFileSync(file, "utf8"));
      assert.ok(
        readFileSync(path.join(site, "worker.js"), "utf8").includes(packed),
        "worker.js has the module of the tarball",
      );
    }));

  test("works from the file system, too", () =>
    onPage({ address: pathToFileURL(path.join(site, "index.html")).href }, async (page) => {
      await page.locator(".headline", { hasText: "Stopped at call 14" }).waitFor();
      await page.getByRole("link", { name: "Terminals" }).click();
      await page.locator(".terminal").nth(2).waitFor();
      await page.getByLabel("Platform").selectOption("Windows");
      await page.waitForFunction(() => location.hash.includes("platform=win32"));
    }));

  test("is in a zip as one file, for a machine without a network", () =>
    onPage({}, async (page) => {
      const { bytes } = await downloaded(page, () =>
        page.getByRole("link", { name: "Offline" }).click(),
      );
      const folder = mkdtempSync(path.join(tmpdir(), "turnkeeper-zip-"));
      try {
        const files = unzipSync(bytes);
        for (const [file, content] of Object.entries(files)) {
          mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
          if (!file.endsWith("/")) writeFileSync(path.join(folder, file), content);
        }
        const [there] = readdirSync(folder).map((name) => path.join(folder, name));
        const licences = readFileSync(path.join(there, "licenses.txt"), "utf8");
        assert.equal(licences, readFileSync(path.join(site, "licenses.txt"), "utf8"));
        const [named] = /\S+\.html/.exec(readFileSync(path.join(there, "README.txt"), "utf8"));
        await onPage({ address: pathToFileURL(path.join(there, named)).href }, async (offline) => {
          await offline.locator(".headline", { hasText: "Stopped at call 14" }).waitFor();
          const links = offline.locator("a[href]");
          const hrefs = await links.evaluateAll((all) => all.map(({ href }) => href));
          const besides = hrefs.filter((href) => !href.includes("#"));
          for (const href of besides) assert.ok(existsSync(new URL(href)), href);
        });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }));

  test("allows its own script and nothing else", () => {
    const html = readFileSync(path.join(site, "index.html"), "utf8");
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(html)[1];
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self'; img-src 'self'; connect-src 'self';/,
    );
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
    assert.doesNotMatch(html, /https?:\/\/|\son\w+=|<style|style=/);
  });

  test("names the licences of what is in it", () => {
    const texts = readFileSync(path.join(site, "licenses.txt"), "utf8");
    const crates = cratesInside(readFileSync(path.join(site, "offline.html"), "latin1"));
    assert.ok(crates.size > 5, [...crates].join());
    for (const name of ["preact", "@codemirror/view", "turnkeeper", "maud", ...crates]) {
      const [word, version = "\\d\\S*"] = name.split(" ");
      assert.match(texts, new RegExp(`^${word} ${version} \\(.+\\)\\n\\n[^-]`, "m"), name);
    }
    assert.ok(texts.includes(PRICES), "that of the table of prices");
    // These are in the program alone.
    assert.doesNotMatch(texts, /^(clap|rusqlite) \d/m);
  });
});

/** Names and versions of crates, which leave the names of files in the modules behind, for their mistakes. */
function cratesInside(script) {
  const crates = new Set();
  for (const [packed] of script.matchAll(/[\w+/]{100000,}=*/g)) {
    const module = inflateRawSync(Buffer.from(packed, "base64")).toString("latin1");
    for (const [, name, version] of module.matchAll(
      /\/registry\/([\w-]+?)-(\d+\.\d+\.\d+[\w.+-]*)\//g,
    )) {
      crates.add(`${name} ${version.replaceAll(/[.+]/g, "\\$&")}`);
    }
  }
  return crates;
}

test("the rows of the list are the events of the session", () =>
  onPage({}, async (page) => {
    await showFile(page, "rows.jsonl", [
      user,
      { type: "text", text: "I'll " },
      { type: "text", text: "build." },
      ...identical(7).flatMap((each) => [
        each,
        { type: "tool_result", output: "failed", isError: true },
      ]),
    ]);
    await page.locator(".list .row.call").first().waitFor();
    await settled(page);
    const shown = await rows(page);
    assert.deepEqual(shown[1], { label: "text", text: "I'll build. (2 pieces)", said: "" });
    assert.equal(shown[2].text, 'build {"all":true}');
    assert.ok(shown.some(({ said }) => said === "stop"));
    assert.equal(shown.at(-1).said, "after the stop");
  }));
