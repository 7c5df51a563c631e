import assert from "node:assert/strict";
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { turnkeeper } from "../node/installed-package.mjs";
import { random, seed } from "../node/random.mjs";
import { file, folder, replay, run } from "../node/replay-command.mjs";
import { FIRST_WRITE, injected, limited, noInjection } from "./injected.mjs";

const { dedupeHistory } = turnkeeper;
const RESUMED = fileURLToPath(new URL("../../data/histories/resumed-task.json", import.meta.url));
const SAVED = fileURLToPath(new URL("../../data/saved", import.meta.url));

const repair = (args, options) => run(["repair", ...args], options);
let count = 0;
/** The repaired bytes of a file. */
async function repaired(name, args = []) {
  const target = path.join(folder, `repaired-${(count += 1)}`);
  const { code, stderr } = await repair([name, "-o", target, ...args]);
  assert.deepEqual([code, stderr], [0, ""]);
  return readFileSync(target, "utf8");
}

const env = (n) => `<environment_details>\nblock ${n}\n</environment_details>`;
const text = (words) => ({ type: "text", text: words });
const double = { role: "user", content: [text("Go."), text(env(1)), text(env(2))] };
const single = { role: "user", content: [text("Go."), text(env(2))] };

describe("a repaired file", () => {
  test("is what dedupeHistory makes of the history", async () => {
    const history = JSON.parse(readFileSync(RESUMED, "utf8"));
    const result = JSON.parse(await repaired(RESUMED));
    assert.deepEqual(result, dedupeHistory(history).messages);
    assert.notDeepEqual(result, history);
  });

  test("differs from the original by whole lines that went, however it is indented", async () => {
    for (const indent of [undefined, 1, 2, "\t"]) {
      const original = JSON.stringify([single, double, single], null, indent);
      const result = await repaired(file(`indent-${indent}.json`, original));
      assert.equal(result, JSON.stringify([single, single, single], null, indent));
    }
  });

  test("keeps unknown fields, odd numbers, escapes, order, space and line ends as they were", async () => {
    const block = (n) => `{"text":"${env(n).replaceAll("\n", "\\n")}","type":"text"}`;
    const rest =
      '"n":1.0,"big":12345678901234567890,"esc":"\\u00e9\\/\\ud83d\\ude00","role":"user"';
    const part = '{ "type" : "text" ,"text":"caf\\u00e9", "x":[1e2 , -0.0]}';
    const message = (parts) => `{ ${rest} ,"content" :[ ${parts.join(" , ")} ],"after":{}}`;
    const wrap = (parts) => `\r\n[\r\n ${message(parts)}\r\n ,\t${message([part])} ]\r\n`;
    const result = await repaired(file("odd.json", wrap([block(1), part, block(2)])));
    assert.equal(result, wrap([part, block(2)]));
  });

  test("keeps the rest of a string as it was written", async () => {
    const quote = (words) => JSON.stringify(words).replaceAll("\u00e9", "\\u00e9");
    const message = (content) => `[{"role":"user","content":${content}}]`;
    const before = `caf\u00e9 "x"\n`;
    const original = message(quote(`${before}${env(1)}\n${env(2)}`));
    const result = await repaired(file("string.json", original));
    const [{ content }] = JSON.parse(result);
    assert.equal(content, dedupeHistory(JSON.parse(original)).messages[0].content);
    assert.ok(result.includes("caf\\u00e9"));
  });

  test("of any format that is a history stays in its format", async () => {
    const line = (message) =>
      JSON.stringify({ type: message.role, uuid: "u", sessionId: "s", cwd: "/a", message });
    const gemini = (parts) => JSON.stringify([{ role: "user", parts }]);
    const gone = [text("Go."), text(env(1)), text(env(2))].map(({ text }) => ({ text }));
    const request = (messages) => `{"model":"m", "messages": ${JSON.stringify(messages)}, "n": 1}`;
    const cases = [
      [
        "lines.jsonl",
        `${line(double)}\n\n${line(single)}\r\n`,
        `${line(single)}\n\n${line(single)}\r\n`,
      ],
      ["gemini.json", gemini(gone), gemini([gone[0], gone[2]])],
      ["request.json", request([double]), request([single])],
    ];
    for (const [name, original, expected] of cases) {
      assert.equal(await repaired(file(name, original)), expected, name);
    }
  });

  test("of a history that needs nothing is the same bytes", async () => {
    const { stdout } = await repair([SAVED, "-o", path.join(folder, "unneeded"), "--json"]);
    const outcomes = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ messagesChanged }) => messagesChanged === 0);
    assert.ok(outcomes.length >= 8, stdout);
    for (const { file: original, output } of outcomes) {
      assert.deepEqual(readFileSync(output), readFileSync(original), original);
    }
  });

  test("can be read again, has the same calls, and needs nothing", async () => {
    const target = path.join(folder, "again.json");
    await repair([RESUMED, "-o", target]);
    const { stdout } = await repair([target, "--json"]);
    assert.equal(JSON.parse(stdout).messagesChanged, 0);
    // A long path of the file's moves the place where its line is broken.
    const calls = async (name) => (await replay(["-q", name])).stdout.match(/(\d+)\s+calls?/)[1];
    assert.equal(await calls(target), await calls(RESUMED));
  });

  // But for empty texts, which only a repair takes out.
  test(`is that of dedupeHistory for random histories (seed ${seed})`, async () => {
    const messages = [];
    for (let n = 0; n < 400; n += 1) {
      const parts = Array.from({ length: random(5) + 1 }, () =>
        random(2) ? text(env(random(3))) : text([".", "\ud83d\ude00 é\n", "<x>", "\\"][random(4)]),
      );
      const words = Array.from({ length: random(4) }, () => env(random(3))).join("\n");
      const content = random(3) ? parts : `é"\\${words}${random(2) ? "\n" : ""}`;
      messages.push({ role: random(4) ? "user" : "assistant", ts: n, content });
    }
    const name = file("random.json", JSON.stringify(messages, null, random(3)));
    for (const [args, options] of [
      [[], {}],
      [["--keep", "first"], { keep: "first" }],
      [["--embedded"], { embedded: true }],
      [["--tag", "x"], { tags: ["x"] }],
    ]) {
      const result = JSON.parse(await repaired(name, args));
      assert.deepEqual(result, dedupeHistory(messages, options).messages, args.join(" "));
    }
  });

  test("of 100 MB does not need 100 MB", async () => {
    const name = path.join(folder, "large.json");
    const descriptor = openSync(name, "w");
    const long = { role: "user", content: [text("x".repeat(100_000)), text(env(1)), text(env(2))] };
    for (let n = 0; n < 1_000; n += 1) {
      writeSync(descriptor, `${n > 0 ? "," : "["}${JSON.stringify(long)}`);
    }
    writeSync(descriptor, "]");
    closeSync(descriptor);
    const target = path.join(folder, "large-repaired.json");
    const child = limited(64_000, ["repair", name, "-o", target], { stdio: "ignore" });
    assert.equal(await new Promise((resolve) => child.on("close", resolve)), 0);
    const gone = Buffer.byteLength(`${JSON.stringify(text(env(1)))},`) * 1_000;
    assert.equal(statSync(target).size, statSync(name).size - gone);
  });
});

describe("what is written", () => {
  test("is nothing without -o and --in-place, and it says so", async () => {
    const before = readdirSync(path.dirname(RESUMED));
    const { stdout, code } = await repair([RESUMED]);
    assert.equal(code, 0);
    assert.match(
      stdout.replace(/\s+/g, " "),
      /would go.* nothing is written without -o or --in-place/,
    );
    assert.deepEqual(readdirSync(path.dirname(RESUMED)), before);
  });

  test("in place leaves a backup, once, and the file's permissions", async () => {
    const name = file("in-place.json", JSON.stringify([double]));
    chmodSync(name, 0o640);
    assert.equal((await repair(["--in-place", name])).code, 0);
    assert.equal(readFileSync(name, "utf8"), JSON.stringify([single]));
    assert.equal(readFileSync(`${name}.bak`, "utf8"), JSON.stringify([double]));
    assert.equal(statSync(name).mode & 0o777, 0o640);
    // It needs nothing now, so the backup may stay.
    const again = await repair(["--in-place", name]);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /nothing to repair/);
    writeFileSync(name, JSON.stringify([double]));
    const third = await repair(["--in-place", name]);
    assert.equal(third.code, 2);
    assert.match(third.stderr, /in-place\.json\.bak exists already/);
    assert.equal(readFileSync(name, "utf8"), JSON.stringify([double]));
  });

  test("that cannot be put into its place leaves nothing behind", async () => {
    const home = path.join(folder, "blocked");
    // A folder stands where the file should go, and it is not empty.
    mkdirSync(path.join(home, "out.json", "out-of.json", "x"), { recursive: true });
    const name = path.join(home, "out-of.json");
    writeFileSync(name, JSON.stringify([double]));
    const { code, stderr } = await repair([name, "-o", path.join(home, "out.json")]);
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
    assert.deepEqual(readdirSync(path.join(home, "out.json")), ["out-of.json"]);
  });

  test("through a link leaves the link", async () => {
    const name = file("linked.json", JSON.stringify([double]));
    const link = path.join(folder, "link.json");
    symlinkSync(name, link);
    assert.equal((await repair(["--in-place", link])).code, 0);
    assert.ok(lstatSync(link).isSymbolicLink());
    assert.equal(readFileSync(name, "utf8"), JSON.stringify([single]));
  });

  test("of a folder keeps its shape, and what is no history stays out", async () => {
    const source = path.join(folder, "tree");
    mkdirSync(path.join(source, "a"), { recursive: true });
    writeFileSync(path.join(source, "a", "one.json"), JSON.stringify([double]));
    writeFileSync(path.join(source, "two.json"), JSON.stringify([single]));
    writeFileSync(path.join(source, "package.json"), '{"name":"x"}');
    writeFileSync(path.join(source, "broken.json"), '[{"role":"user","content":"');
    const target = path.join(folder, "tree-repaired");
    const { code, stderr } = await repair([source, "-o", target]);
    assert.equal(code, 2);
    assert.match(stderr, /^turnkeeper: [^\n]*broken\.json breaks off at element 1\n$/);
    assert.deepEqual(readdirSync(target, { recursive: true }).sort(), [
      "a",
      "a/one.json",
      "two.json",
    ]);
    assert.equal(
      readFileSync(path.join(target, "a", "one.json"), "utf8"),
      JSON.stringify([single]),
    );
  });

  test("is never the input, and never half of it", async () => {
    const name = file("self.json", JSON.stringify([double]));
    const same = await repair([name, "-o", name]);
    assert.equal(same.code, 2);
    assert.match(same.stderr, /its own output/);
    const broken = file("half.json", `[${JSON.stringify(double)},{"role":`);
    const target = path.join(folder, "half-repaired.json");
    assert.equal((await repair([broken, "-o", target])).code, 2);
    assert.equal(existsSync(target), false);
    assert.equal((await repair(["--in-place", broken])).code, 2);
    assert.equal(existsSync(`${broken}.bak`), false);
    assert.equal(readFileSync(broken, "utf8"), `[${JSON.stringify(double)},{"role":`);
    assert.deepEqual(
      readdirSync(folder).filter((entry) => entry.endsWith(".tmp")),
      [],
    );
  });

  for (const signal of ["SIGKILL", "SIGTERM"]) {
    test(
      `is nothing that shows if ${signal} comes in the middle`,
      { skip: noInjection },
      async () => {
        const home = path.join(folder, signal);
        mkdirSync(home);
        const name = path.join(home, "history.json");
        const original = JSON.stringify(Array(5_000).fill(double));
        writeFileSync(name, original);
        const inject = `${FIRST_WRITE}:signal=${signal}`;
        const ended = await injected(["repair", "--in-place", name], { inject });
        assert.deepEqual([ended.code, ended.signal], [null, signal]);
        assert.equal(readFileSync(name, "utf8"), original);
        assert.equal(existsSync(`${name}.bak`), false);
        // Until it is whole the new file has no name, so the system takes it away.
        assert.deepEqual(readdirSync(home), ["history.json"]);
      },
    );
  }
});

describe("what cannot be repaired is named", () => {
  test("a format that is no history", async () => {
    const names = [
      "events.jsonl",
      "cline-export.md",
      "swe-agent.traj",
      "codex-rollout.jsonl",
      "claude-stream.jsonl",
      "gemini-stream.jsonl",
      "openhands-output.jsonl",
      "pi.jsonl",
      "opencode-export.json",
      "goose.jsonl",
      "copilot-chat.json",
    ];
    const { code, stderr, stdout } = await repair(names.map((name) => path.join(SAVED, name)));
    assert.deepEqual([code, stdout], [2, ""]);
    const lines = stderr.trimEnd().split("\n");
    assert.equal(lines.length, names.length, stderr);
    names.forEach((name, at) => {
      assert.match(lines[at], /^turnkeeper: .*cannot be repaired: it records what happened, /);
      assert.ok(lines[at].includes(name), lines[at]);
    });
  });

  test("options that are wrong", async () => {
    for (const args of [
      [],
      [RESUMED, "-o", "x", "--in-place"],
      [RESUMED, RESUMED, "-o", "x"],
      [RESUMED, "--keep", "all"],
      [RESUMED, "--tag", "<x>"],
      [RESUMED, "--nothing"],
      ["--in-place", "-"],
    ]) {
      const { code, stdout, stderr } = await repair(args);
      assert.deepEqual([code, stdout], [2, ""], args.join(" "));
      assert.match(stderr, /^turnkeeper: [^\n]*\n$/);
    }
  });
});

// TURNKEEPER_RECORDINGS names a folder of labelled sessions that is not part of the project; beside
// it, `histories/` has saved conversations of Cline.
const histories = path.join(process.env.TURNKEEPER_RECORDINGS ?? "", "..", "histories");
const skip = (!process.env.TURNKEEPER_RECORDINGS || !existsSync(histories)) && "they are not here";
test("recorded histories lose their duplicates and not a character more", { skip }, async () => {
  for (const name of readdirSync(histories)) {
    const original = readFileSync(path.join(histories, name), "utf8");
    const result = await repaired(path.join(histories, name));
    const { messages } = dedupeHistory(JSON.parse(original));
    assert.deepEqual(JSON.parse(result), messages);
    // The recordings are indented, so what went are whole lines.
    const lines = result.split("\n");
    let at = 0;
    for (const line of original.split("\n")) if (lines[at] === line) at += 1;
    assert.equal(at, lines.length);
  }
});
