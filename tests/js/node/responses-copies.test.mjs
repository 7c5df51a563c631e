// Copies of files among the items of OpenAI's Responses API, as Codex saves them: what a command printed that
// names one file and does nothing else.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";

const { dedupeHistory, restoreHistory } = turnkeeper;
const { fromMessages, toMessages } = load("turnkeeper/adapters/openai");

const OLD = 'export const answer = "42";\n'.repeat(20);
const NEW = `${OLD}export const question = "?";\n`;
const said = (words) => ({
  type: "message",
  role: "user",
  content: [{ type: "input_text", text: words }],
});

let calls = 0;
/** A call and its result, in the ways of several releases. */
const WAYS = {
  "a function's call": (command, output) => {
    const call_id = `call_${(calls += 1)}`;
    const args = JSON.stringify({ command: ["bash", "-lc", command], workdir: "/work" });
    return [
      { type: "function_call", call_id, name: "shell", arguments: args },
      { type: "function_call_output", call_id, output },
    ];
  },
  "a function's call with parts": (command, output) => {
    const call_id = `call_${(calls += 1)}`;
    return [
      {
        type: "function_call",
        call_id,
        name: "exec_command",
        arguments: JSON.stringify({ cmd: command }),
      },
      { type: "function_call_output", call_id, output: [{ type: "input_text", text: output }] },
    ];
  },
  "a shell's call": (command, output) => {
    const call_id = `call_${(calls += 1)}`;
    const action = { type: "exec", command: ["bash", "-lc", command], working_directory: "/work" };
    return [
      { type: "local_shell_call", id: `ls_${calls}`, call_id, action, status: "completed" },
      { type: "local_shell_call_output", call_id, output },
    ];
  },
  "a custom tool's call": (command, output) => {
    const call_id = `call_${(calls += 1)}`;
    return [
      { type: "custom_tool_call", call_id, name: "shell", input: JSON.stringify({ command }) },
      { type: "custom_tool_call_output", call_id, output },
    ];
  },
};
/** How a result holds what a command printed. */
const RESULTS = {
  bare: (output) => output,
  "under a heading": (output) => `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${output}`,
  "under a newer heading": (output) =>
    `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\n${output}`,
  "in JSON": (output) =>
    `{"output":${JSON.stringify(output)},"metadata":{"exit_code":0,"duration_seconds":1.0}}`,
};

const ROOT =
  "<environment_details>\n# Current Working Directory (/work) Files\n</environment_details>";
function shorten(...items) {
  const history = [said("Go."), said(ROOT), ...items.flat()];
  const messages = fromMessages(history);
  const { messages: shortened, report } = dedupeHistory(messages, {
    files: "newest",
    root: "/work",
  });
  const after = toMessages(shortened);
  assert.equal(after.length, history.length);
  const undone = toMessages(restoreHistory(shortened, report));
  assert.deepEqual(JSON.stringify(undone), JSON.stringify(history));
  const again = dedupeHistory(fromMessages(after), { files: "newest", root: "/work" });
  assert.equal(again.report.messagesChanged, 0, "at rest");
  return { history, after, report };
}

for (const [way, call] of Object.entries(WAYS)) {
  for (const [form, result] of Object.entries(RESULTS)) {
    // Nobody writes JSON into parts; what looks like it is left alone.
    if (way.endsWith("with parts") && form === "in JSON") continue;
    test(`${way}, its result ${form}: an older copy gives way, and nothing around it`, () => {
      const { history, after, report } = shorten(
        call("cat src/a.ts", result(OLD)),
        call("cat 'src/a.ts'", result(NEW)),
      );
      assert.deepEqual(
        report.files.map(({ path, index, newest }) => [path, index, newest]),
        [[report.files[0].path, 3, 5]],
      );
      after.forEach((item, at) => at !== 3 && assert.equal(item, history[at]));
      const text = (item) => (typeof item.output === "string" ? item.output : item.output[0].text);
      const line = `[An older copy of ${report.files[0].path}, ${OLD.length} characters, stood here; the newest is in message 5.]`;
      assert.equal(text(after[3]), result(line));
      assert.deepEqual({ ...after[3], output: 0 }, { ...history[3], output: 0 });
    });
  }

  describe(`${way} that shows no newer copy`, () => {
    const patch = "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch";
    const id = "call_patch";
    const others = {
      "of two files": call("cat src/a.ts src/b.ts", NEW),
      "with a pipe": call("cat src/a.ts | head -5", NEW),
      "of another file": call("cat src/b.ts", NEW),
      "of a range": call("sed -n '1,20p' src/a.ts", NEW),
      "that failed": call("cat src/a.ts", `Exit code: 1\nWall time: 0 seconds\nOutput:\n${NEW}`),
      "that failed, in JSON": call(
        "cat src/a.ts",
        `{"output":${JSON.stringify(NEW)},"metadata":{"exit_code":1,"duration_seconds":0.0}}`,
      ),
      "that was cut": call("cat src/a.ts", `${OLD}\n…812 tokens truncated…\n${OLD}`),
      "of a search": call("rg answer src/a.ts", NEW),
      "a patch, whose answer names the file alone": [
        { type: "custom_tool_call", call_id: id, name: "apply_patch", input: patch },
        {
          type: "custom_tool_call_output",
          call_id: id,
          output: `{"output":"Success. Updated the following files:\\nM src/a.ts\\n","metadata":{"exit_code":0,"duration_seconds":0.0}}`,
        },
      ],
    };
    for (const [name, items] of Object.entries(others)) {
      test(name, () => {
        const { history, after, report } = shorten(call("cat src/a.ts", OLD), items);
        assert.deepEqual(report.files, []);
        after.forEach((item, at) => assert.equal(item, history[at]));
      });
    }
  });
}

test("a range from before a patch is not superseded by the same range after it", () => {
  const call = WAYS["a function's call"];
  const range = () => call("sed -n '1,20p' src/a.ts", OLD);
  const patch = call(
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/a.ts\nEOF",
    "Done!",
  );
  assert.equal(shorten(range(), range()).report.files.length, 1);
  assert.equal(shorten(range(), patch, range()).report.files.length, 0);
});

test("what the model says in one request counts as one", () => {
  const call = WAYS["a function's call"];
  const [one, result] = call("cat src/a.ts", OLD);
  const [other, otherResult] = call("cat src/a.ts", NEW);
  const words = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "?" }],
  };
  const [last, lastResult] = call("cat src/b.ts", "b();\n");
  const { report } = shorten(words, one, result, words, other, otherResult, last, lastResult);
  const { characters, requestCharacters } = report.kinds.file;
  assert.equal(requestCharacters, 2 * characters);
});

test("a long result in JSON is read, however many escapes it has", () => {
  const call = WAYS["a shell's call"];
  const long = '"\\\n'.repeat(3_000_000);
  const { after, report } = shorten(
    call("cat src/a.ts", RESULTS["in JSON"](long)),
    call("cat src/a.ts", RESULTS["in JSON"](long)),
  );
  assert.equal(report.files.length, 1);
  assert.match(JSON.parse(after[3].output).output, /^\[An older copy of /);
});
