// What a repair takes away from the text of a file, and what it must not: numbers, escapes, spaces and fields in
// whatever way they are written.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";

import { random, seed } from "../node/random.mjs";
import { file, folder, run } from "../node/replay-command.mjs";

let count = 0;
/** The repaired bytes of a file. */
async function repaired(name, content, args = []) {
  count += 1;
  const target = path.join(folder, `spelt-${count}`);
  const source = file(`${count}-${name}`, content);
  const { code, stderr } = await run(["repair", source, "-o", target, ...args]);
  assert.deepEqual([code, stderr], [0, ""]);
  return readFileSync(target, "utf8");
}

const env = (n) => `<environment_details>\\nblock ${n}\\n</environment_details>`;
const block = (n, rest = "") => `{"type":"text","text":"${env(n)}"${rest}}`;
const user = (parts) => `{"role":"user","content":${parts}}`;

describe("what stays", () => {
  test("keeps its own spaces, where they differ from place to place", async () => {
    const parts = (gone) => `[\t"a" ,"b"${gone},\n\n "c",  "d" ]`;
    const original = user(parts(` , ${block(1)}`).replace(" ]", ` , ${block(2)} ]`));
    const expected = user(parts("").replace(" ]", ` , ${block(2)} ]`));
    assert.equal(await repaired("spaces.json", `[${original}]`), `[${expected}]`);
  });

  test("may be a hundred thousand equal parts", { timeout: 120_000 }, async () => {
    const same = '"x",'.repeat(100_000);
    const result = await repaired("equal.json", `[${user(`[${same}${block(1)},${block(2)}]`)}]`);
    assert.equal(result, `[${user(`[${same}${block(2)}]`)}]`);
  });

  test("may come after spaces that JSON does not know, and after marks", async () => {
    const line = (n) => user(n === 1 ? `[${block(1)},${block(2)}]` : `[${block(2)}]`);
    for (const space of ["\u00a0", "\f", "\v\u2003 ", "\ufeff", "\ufeff ".repeat(20_000)]) {
      const result = await repaired("space.jsonl", `${line(1)}\n${space}${line(1)}\n`);
      assert.equal(result, `${line(2)}\n${space}${line(2)}\n`);
    }
  });

  test("keeps its numbers when a block before it goes and its own text is shortened", async () => {
    const odd = ',"n":12345678901234567890,"m":1.0,"e":1E+2';
    const body = Array.from({ length: 40 }, (_, n) => `${n} some words of a line`).join("\\n");
    const read = (words, rest) =>
      user(
        `[{"type":"text","text":"[read_file for 'a.ts'] Result:"}, ` +
          `${rest === "" ? "" : `${block(1, ',"n":2.0')}, `}{"text":"${words}","type":"text"${odd}}]`,
      );
    const call = '{"role":"assistant","content":"<read_file>\\n<path>a.ts</path>\\n</read_file>"}';
    const history = (first) => `[${user('"Go."')},${call},${first},${call},${read(body, "")}]`;
    const result = await repaired("numbers.json", history(read(body, "block")), [
      "--economy",
      "resume",
    ]);
    const [note] = /\[An older copy of a\.ts[^"]*\]/.exec(result) ?? [];
    assert.ok(note, result.slice(0, 400));
    assert.equal(result, history(read(note, "")));
  });
});

/** JSON in which everything is written in one of its many ways. */
function spelt(value) {
  const space = () => ["", "", " ", "\t", "  ", "\n "][random(6)];
  if (typeof value === "number") return ["1.0", "-0.0", "1e2", "12345678901234567890"][value];
  if (typeof value === "string") {
    // A letter after a backslash is an escape already.
    return JSON.stringify(value).replace(/\\.|[a-z]/g, (letter) =>
      letter.length > 1 || random(30) > 0
        ? letter
        : `\\u00${letter.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  }
  const isArray = Array.isArray(value);
  const members = isArray
    ? value.map(spelt)
    : Object.entries(value).map(([key, each]) => `"${key}"${space()}:${space()}${spelt(each)}`);
  const inside = members.join(`${space()},${space()}`);
  return (isArray ? "[" : "{") + space() + inside + space() + (isArray ? "]" : "}");
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]/gs;

test(`no repair writes a number or a name anew (seed ${seed})`, async () => {
  const odd = () => (random(2) ? { x: random(4), y: [random(4), { z: random(4) }] } : {});
  const text = (words) => ({
    ...(random(2) ? { type: "text", text: words } : { text: words, type: "text" }),
    ...odd(),
  });
  const bodies = [0, 1].map((at) =>
    Array.from({ length: 30 }, (_, n) => `line ${n} of ${at}, "quoted" \\ and more words`).join(
      "\n",
    ),
  );
  const blocks = () =>
    Array.from({ length: random(3) }, () => text(env(random(3)).replaceAll("\\n", "\n")));
  for (let round = 0; round < 6; round += 1) {
    const messages = [{ role: "user", content: "Go." }];
    for (let n = 0; n < 8; n += 1) {
      const name = ["a.ts", "b.ts"][random(2)];
      const id = `call-${n}`;
      const input = { path: name, ...odd() };
      const call = { type: "tool_use", id, name: "read_file", input, ...odd() };
      const body = bodies[random(2)];
      const result = random(2) ? body : [text(body)];
      const answer = { type: "tool_result", tool_use_id: id, content: result, ...odd() };
      messages.push(
        { role: "assistant", content: [text("I look."), call], ...odd() },
        {
          role: "user",
          content: [...blocks(), answer, ...blocks(), text(env(9).replaceAll("\\n", "\n"))],
        },
      );
    }
    const original = spelt(messages);
    const had = new Set(original.match(TOKEN));
    for (const args of [[], ["--economy", "resume"], ["--economy", "compact"]]) {
      const result = await repaired(`round-${round}.json`, original, args);
      JSON.parse(result);
      for (const [token] of result.matchAll(TOKEN)) {
        if (token.includes("An older copy of") || token.includes("stood here")) continue;
        assert.ok(had.has(token), `${args.join(" ")}: ${token.slice(0, 200)}`);
      }
      const again = await repaired(`again-${round}.json`, result, args);
      assert.equal(again, result, "a second time nothing changes");
    }
  }
});
