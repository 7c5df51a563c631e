// Copies of files in every format that agents have, and what is none.

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { load, turnkeeper } from "./installed-package.mjs";
import { frozen } from "./made-up-histories.mjs";

const { HistoryDeduper, TurnkeeperError, dedupeHistory, restoreHistory } = turnkeeper;

const FILE = "export const answer = 42;\n".repeat(20);
const NEWER = `${FILE}export const question = "?";\n`;
const NOTICE = /^\[An older copy of [^\n]*\]$/;

const text = (value) => ({ type: "text", text: value });
const user = (...content) => ({ role: "user", content });
const assistant = (...content) => ({ role: "assistant", content });

let calls = 0;
/** A call and its result, as Anthropic's messages have them. */
function native(name, input, content, more) {
  const id = `call-${(calls += 1)}`;
  return [
    assistant({ type: "tool_use", id, name, input }),
    user({ type: "tool_result", tool_use_id: id, content, ...more }),
  ];
}

/** A call and its result, as Cline has them in texts. */
function inText(tool, input, ...said) {
  const parameters = Object.entries(input).map(([name, value]) => `<${name}>${value}</${name}>`);
  const subject = input.path ?? input.command;
  return [
    assistant(text(`<${tool}>\n${parameters.join("\n")}\n</${tool}>`)),
    user(text(`[${tool} for '${subject}'] Result:`), ...said.map(text)),
  ];
}

const saved = (path, content) =>
  `The content was successfully saved to ${path}.\n\nHere is the full, updated content of the file that was saved:\n\n<final_file_content path="${path}">\n${content}\n</final_file_content>\n\nIMPORTANT: use it.`;
const numbered = (content) =>
  content.replace(/^(?=.)/gm, () => `${String((lines += 1)).padStart(6)}\u2192`);
let lines = 0;
const listed = (content) => ((lines = 0), numbered(content));

/** What goes of a history, as the indexes of messages and of those that have the newest. */
function gone(messages, options = { files: "newest" }) {
  frozen(messages);
  const { messages: shortened, report } = dedupeHistory(messages, options);
  const kept = JSON.parse(JSON.stringify(report));
  assert.deepEqual(restoreHistory(shortened, kept), messages);
  assert.deepEqual(dedupeHistory(shortened, options).messages, shortened);
  messages.forEach((message, at) => {
    const isChanged = report.changes.some(({ index }) => index === at);
    assert.equal(shortened[at] === message, !isChanged, `message ${at}`);
  });
  return report.files.map(({ index, newest }) => [index, newest]);
}

describe("a newer copy supersedes an older one", () => {
  const older = {
    "a tool's result": native("read_file", { path: "a.ts" }, FILE),
    "a result of one text part": native("read_file", { path: "a.ts" }, [text(FILE)]),
    "Claude Code's Read, with a reminder": native(
      "Read",
      { file_path: "a.ts" },
      `${listed(FILE)}\n\n<system-reminder>\nBe careful.\n</system-reminder>\n`,
    ),
    "Codex' cat": native(
      "shell",
      { command: ["bash", "-lc", "cat a.ts"] },
      `Exit code: 0\nWall time: 0.1 seconds\nOutput:\n${FILE}`,
    ),
    "Codex' sed": native("exec_command", { cmd: "sed -n '1,200p' a.ts" }, FILE),
    "the text editor's view": native("str_replace_editor", { command: "view", path: "a.ts" }, FILE),
    "Cline's heading and a part": inText("read_file", { path: "a.ts" }, FILE),
    "Roo Code's list": inText(
      "read_file",
      { args: "<file><path>a.ts</path></file>" },
      `<files>\n<file><path>a.ts</path>\n<content lines="1-20">\n${FILE}</content>\n</file>\n</files>`,
    ),
    "the answer to an edit": inText(
      "replace_in_file",
      { path: "a.ts", diff: "" },
      saved("a.ts", FILE),
    ),
    "the answer to an edit that failed": inText(
      "replace_in_file",
      { path: "a.ts", diff: "" },
      `The tool execution failed with the following error:\n<error>\n<file_content path="a.ts">\n${FILE}\n</file_content>\n</error>`,
    ),
    "a mention": [
      assistant(text("?")),
      user(text(`See 'a.ts'.\n\n<file_content path="a.ts">\n${FILE}\n</file_content>`)),
    ],
  };
  const newer = {
    "a tool's result": native("read_file", { path: "./a.ts" }, NEWER),
    "a heading and a part": inText("read_file", { path: "a.ts" }, NEWER),
    "the answer to an edit": inText(
      "write_to_file",
      { path: "a.ts", content: NEWER },
      saved("a.ts", NEWER),
    ),
    "an argument": native("Write", { file_path: "a.ts", content: NEWER }, "File created."),
  };
  for (const [name, before] of Object.entries(older)) {
    for (const [newest, after] of Object.entries(newer)) {
      test(`${name}, and then ${newest}`, () => {
        const messages = [...before, ...after];
        const found = gone(messages);
        assert.deepEqual(
          found.map(([index]) => index),
          [1],
        );
        const { messages: shortened } = dedupeHistory(messages, { files: "newest" });
        assert.ok(!JSON.stringify(shortened[1]).includes("answer = 42"));
        assert.match(JSON.stringify(shortened[1]), /An older copy of [^\]]*a\.ts/);
      });
    }
  }
});

describe("what is no newer copy supersedes nothing", () => {
  const others = {
    "a result that is an error": native("read_file", { path: "a.ts" }, NEWER, { is_error: true }),
    "a refusal": native("read_file", { path: "a.ts" }, "The user denied this operation."),
    "a refusal in other words": native("read_file", { path: "a.ts" }, "Not now, please."),
    "an error in a text": inText(
      "read_file",
      { path: "a.ts" },
      "The tool execution failed with the following error:\n<error>x</error>",
    ),
    "another file": native("read_file", { path: "b.ts" }, NEWER),
    "a range": native("read_file", { path: "a.ts", start_line: 2, end_line: 9 }, NEWER),
    "an unknown part": native("read_file", { path: "a.ts", symbol: "answer" }, NEWER),
    "a range that the text tells": native(
      "read_file",
      { path: "a.ts" },
      `(Showing lines 1-20 of 400 total)\n${NEWER}`,
    ),
    "a text that was cut": native(
      "read_file",
      { path: "a.ts" },
      `${NEWER}[... 300 lines omitted ...]`,
    ),
    "a search": native("search_files", { path: "a.ts", regex: "x" }, NEWER),
    "a command that does more": native("Bash", { command: "cat a.ts | head -5" }, NEWER),
    "a command that failed": native(
      "Bash",
      { command: "cat a.ts" },
      `Exit code: 1\nOutput:\n${NEWER}`,
    ),
    "an edit that does not show the file": native(
      "Edit",
      { file_path: "a.ts", old_string: "x", new_string: NEWER },
      "The file has been updated.",
    ),
    "a write that failed": native("Write", { file_path: "a.ts", content: NEWER }, "no space left", {
      is_error: true,
    }),
    "a write without a result": [
      assistant({
        type: "tool_use",
        id: "x",
        name: "Write",
        input: { file_path: "a.ts", content: NEWER },
      }),
    ],
    "what the agent says": [
      assistant(text(`It is\n<final_file_content path="a.ts">\n${NEWER}\n</final_file_content>`)),
    ],
    "a quotation in another result": inText(
      "execute_command",
      { command: "type log.json" },
      saved("a.ts", NEWER),
    ),
    "an element that is not closed": inText(
      "replace_in_file",
      { path: "a.ts", diff: "" },
      `<final_file_content path="a.ts">\n${NEWER}`,
    ),
  };
  for (const [name, after] of Object.entries(others)) {
    test(name, () => {
      for (const before of [
        native("read_file", { path: "a.ts" }, FILE),
        inText("read_file", { path: "a.ts" }, FILE),
      ]) {
        assert.deepEqual(gone([...before, ...after]), []);
      }
    });
  }
});

test("only the copy gives way, not what stands around it", () => {
  const messages = [
    ...inText("replace_in_file", { path: "src/a.ts", diff: "" }, saved("src/a.ts", FILE)),
    ...inText("read_file", { path: "src/a.ts" }, NEWER),
  ];
  const { messages: shortened, report } = dedupeHistory(messages, { files: "newest" });
  const [, said] = shortened[1].content;
  const [before, after] = messages[1].content[1].text.split(FILE);
  assert.ok(said.text.startsWith(before) && said.text.endsWith(after));
  const notice = said.text.slice(before.length, said.text.length - after.length);
  assert.match(notice, NOTICE);
  assert.match(notice, /src\/a\.ts, 520 characters, .*message 3\./);
  assert.deepEqual(report.files, [
    {
      kind: "file",
      from: "edit",
      path: "src/a.ts",
      index: 1,
      part: 1,
      characters: FILE.length - notice.length,
      newest: 3,
    },
  ]);
  assert.deepEqual(
    report.changes.map(({ reason }) => reason),
    ["files"],
  );
});

test("a file that quotes the tags around it goes whole", () => {
  const quoting = `${FILE}</final_file_content>\n<final_file_content path="b.ts">\n${FILE}`;
  const messages = [
    ...inText("write_to_file", { path: "a.md", content: "x" }, saved("a.md", quoting)),
    ...inText("write_to_file", { path: "a.md", content: "y" }, saved("a.md", NEWER)),
  ];
  const { messages: shortened } = dedupeHistory(messages, { files: "newest" });
  assert.ok(!shortened[1].content[1].text.includes("answer = 42"));
  assert.equal(shortened[1].content[1].text.split("</final_file_content>").length, 2);
});

test("writes shorten arguments, and the JSON and the tags stay valid", () => {
  const options = { files: "newest", writes: true };
  const messages = [
    ...native("Write", { file_path: "a.ts", content: FILE, own: 1 }, "File created."),
    ...inText("write_to_file", { path: "a.ts", content: `\n${FILE}\n` }, "saved"),
    ...native("read_file", { path: "a.ts" }, NEWER),
  ];
  // A model that calls tools as parts means its text as text.
  assert.deepEqual(gone(messages, options), [[0, 5]]);
  const { messages: shortened, report } = dedupeHistory(messages, options);
  assert.deepEqual(Object.keys(shortened[0].content[0].input), ["file_path", "content", "own"]);
  assert.match(shortened[0].content[0].input.content, NOTICE);
  assert.equal(report.kinds.write.items, 1);
  const inTexts = messages.slice(2);
  assert.deepEqual(gone(inTexts, options), [[0, 3]]);
  const [call] = dedupeHistory(inTexts, options).messages[0].content;
  assert.match(
    call.text,
    /^<write_to_file>\n<path>a\.ts<\/path>\n<content>\n\[An older copy [^\n]*\]\n<\/content>\n<\/write_to_file>$/,
  );
  assert.deepEqual(gone(messages), []);
});

test("of repeated large results the last stays", () => {
  const log = "ok 1 - it works\n".repeat(40);
  const options = { repeatedResults: true };
  const messages = [
    ...native("Bash", { command: "npm test" }, log),
    ...native("Bash", { command: "npm test" }, [text(log)]),
    ...native("Bash", { command: "npm test" }, `${log}#`),
    ...native("Bash", { command: "npm test" }, log),
    ...native("Bash", { command: "ls" }, "short"),
    ...native("Bash", { command: "ls" }, "short"),
    ...native("read_file", { path: "a.ts" }, FILE),
    ...native("read_file", { path: "b.ts" }, FILE),
  ];
  const { messages: shortened, report } = dedupeHistory(frozen(messages), options);
  assert.deepEqual(
    report.results.map(({ index, part, newest }) => [index, part, newest]),
    [
      [1, 0, 7],
      [3, 0, 7],
    ],
  );
  assert.match(
    shortened[1].content[0].content,
    /^\[The same result, 640 characters, is in message 7\.\]$/,
  );
  assert.equal(report.kinds.result.items, 2);
  assert.deepEqual(restoreHistory(shortened, JSON.parse(JSON.stringify(report))), messages);
  assert.deepEqual(dedupeHistory(shortened, options).messages, shortened);
});

test("paths are compared from the root, by the rules of the platform that it is of", () => {
  const read = (path) => native("read_file", { path }, FILE);
  const two = (one, other, root) =>
    gone([...read(one), ...read(other)], { files: "newest", ...(root && { root }) }).length;
  assert.equal(two("src/a.ts", "/work/src/a.ts", "/work"), 1);
  assert.equal(two("src/a.ts", "/work/src/a.ts"), 0);
  assert.equal(two("src\\a.ts", "c:/Work/SRC/a.ts", "C:\\work"), 1);
  assert.equal(two("src/a.ts", "src/A.ts", "/work"), 0);
  const environment =
    "<environment_details>\n# Current Working Directory (/work) Files\na.ts\n</environment_details>";
  const messages = [
    user(text("Go on."), text(environment)),
    ...read("a.ts"),
    ...read("/work/a.ts"),
  ];
  assert.deepEqual(gone(messages), [[2, 4]]);
});

test("a tool of the host's own reads files if it is named", () => {
  const messages = [
    ...native("fetch_source", { path: "a.ts" }, FILE),
    ...native("fetch_source", { path: "a.ts" }, NEWER),
  ];
  assert.deepEqual(gone(messages), []);
  const options = { files: "newest", readTools: { fetch_source: "path" } };
  assert.deepEqual(gone(messages, options), [[1, 3]]);
});

test("a tool of the host's own may have its paths anywhere among its arguments", () => {
  const read = (operations, content) =>
    native("fs_read", { operations, summary: "Look." }, content);
  const options = { files: "newest", readTools: { fs_read: "operations[].path", peek: "at.uri" } };
  const whole = [{ mode: "Line", path: "a.ts" }];
  assert.deepEqual(gone([...read(whole, FILE), ...read(whole, NEWER)], options), [[1, 3]]);
  const range = [{ mode: "Line", path: "a.ts", start_line: 1, end_line: 2 }];
  assert.deepEqual(gone([...read(whole, FILE), ...read(range, "one\ntwo")], options), []);
  const two = [{ path: "a.ts" }, { path: "b.ts" }];
  assert.deepEqual(gone([...read(two, FILE), ...read(whole, FILE)], options), []);
  const peek = (content) => native("peek", { at: { uri: "a.ts" } }, content);
  assert.deepEqual(gone([...read(whole, FILE), ...peek(NEWER)], options), [[1, 3]]);
  for (const input of [{}, { operations: "a.ts" }, { operations: [null, { path: 1 }] }]) {
    const odd = native("fs_read", input, FILE);
    assert.deepEqual(gone([...odd, ...odd], options), []);
  }
});

test("a line within a file begins no result where the only call is answered", () => {
  const quoting = `${FILE}\n[read_file for 'b.ts'] Result:\n${FILE}`;
  const call = "<read_file>\n<path>a.ts</path>\n</read_file>";
  const heading = "[read_file for 'a.ts'] Result:";
  const shapes = [
    (content) => [text(heading), text(content)],
    (content) => [text(`${heading}\n${content}`)],
    (content) => `${heading}\n${content}`,
  ];
  for (const shape of shapes) {
    const read = () => [assistant(text(call)), { role: "user", content: shape(quoting) }];
    assert.deepEqual(gone([user(text("Go.")), ...read(), ...read()]), [[2, 4]]);
  }
  // Of two calls both may have been answered in one text.
  const both = `${call}\n${call.replace("a.ts", "b.ts")}`;
  const read = () => [assistant(text(both)), { role: "user", content: shapes[2](quoting) }];
  assert.deepEqual(gone([user(text("Go.")), ...read(), ...read()]), []);
});

test("a block and a copy in one string give way together", () => {
  const env = (time) => `<environment_details>\n# Time\n${time}\n</environment_details>`;
  const mention = (content) => `See.\n<file_content path="a.ts">\n${content}\n</file_content>`;
  const messages = [
    { role: "user", content: `${mention(FILE)}\n\n${env(1)}\n${env(2)}\n` },
    { role: "user", content: `${mention(NEWER)}\n\n${env(3)}` },
  ];
  const { messages: shortened, report } = dedupeHistory(frozen(messages), { economy: "resume" });
  assert.match(
    shortened[0].content,
    /^See\.\n<file_content path="a\.ts">\n\[An older copy [^\n]*\]\n<\/file_content>\n\n\n$/,
  );
  assert.equal(shortened[1], messages[1]);
  assert.deepEqual(
    report.files.map(({ part }) => part),
    [-1],
  );
  assert.deepEqual(restoreHistory(shortened, report), messages);
});

test("the report tells each kind, in the history and over all requests", () => {
  const env = (time) => text(`<environment_details>\n# Time\n${time}\n</environment_details>`);
  const messages = [
    user(text("Go on."), env(10), env(11)),
    ...native("read_file", { path: "a.ts" }, FILE),
    ...native("read_file", { path: "a.ts" }, NEWER),
    assistant(text("Done.")),
    user(text("Thanks."), env(12)),
  ];
  const { kinds } = dedupeHistory(messages, { economy: "resume" }).report;
  const block = env(10).text.length;
  // Three assistant messages answer the requests that carried the first message, and one all others.
  const tokens = kinds.duplicate.tokens;
  assert.deepEqual(kinds.duplicate, {
    items: 1,
    characters: block,
    tokens,
    requestCharacters: 3 * block,
  });
  assert.equal(kinds.environment.requestCharacters, 3 * block);
  assert.equal(kinds.file.items, 1);
  assert.equal(kinds.file.requestCharacters, 2 * kinds.file.characters);
  assert.equal(kinds.result.items + kinds.write.items, 0);
});

describe("when older messages are rewritten", () => {
  const messages = [];
  for (let step = 0; step < 20; step++)
    messages.push(...native("read_file", { path: "a.ts" }, `// ${step}\n${FILE}`));

  test("compact stops at the size that is asked for, the oldest first", () => {
    // Every four units of what is said, called and answered are a token.
    const size = (value) => {
      if (typeof value === "string") return Math.ceil(value.length / 4);
      if (value.type === "tool_use") return size(value.name) + size(JSON.stringify(value.input));
      if (value.type === "tool_result") return size(value.content);
      if (value.type === "text") return size(value.text);
      return Object.values(value).reduce((sum, inner) => sum + size(inner), 0);
    };
    const contents = messages.map(({ content }) => content);
    const targetTokens = size(contents) - 500;
    const { messages: shortened, report } = dedupeHistory(messages, {
      economy: "compact",
      targetTokens,
    });
    const indexes = report.files.map(({ index }) => index);
    assert.deepEqual(
      indexes,
      indexes.map((_, at) => 2 * at + 1),
      "the oldest",
    );
    assert.ok(report.files.length > 2 && report.files.length < 8, `${report.files.length} copies`);
    assert.ok(size(shortened.map(({ content }) => content)) <= targetTokens);
    assert.equal(
      dedupeHistory(messages, { economy: "compact", targetTokens: 1e9 }).report.files.length,
      0,
    );
    assert.equal(dedupeHistory(messages, { economy: "compact" }).report.files.length, 19);
  });

  test("while the cache is warm nothing changes until it pays, and then all at once", () => {
    const files = (cache) =>
      dedupeHistory(messages, { files: "newest", cache }).report.files.length;
    assert.equal(files({ idleMs: 0 }), 0);
    assert.equal(files({ idleMs: 0, requests: 1 }), 0);
    assert.equal(files({ idleMs: 0, requests: 10 }), 19);
    assert.equal(files({ idleMs: 0, requests: 10, prices: { read: 0.001, write: 1.25 } }), 0);
    assert.equal(files({ idleMs: 300_001 }), 19);
  });
});

describe("other providers' histories, there and back", () => {
  const openai = load("turnkeeper/adapters/openai");
  const gemini = load("turnkeeper/adapters/gemini");
  const sdk = load("turnkeeper/adapters/ai-sdk");

  function check(history, { fromMessages, toMessages }, says) {
    const given = fromMessages(frozen(history));
    const { messages, report } = dedupeHistory(given, { files: "newest" });
    assert.deepEqual(
      report.files.map(({ index, newest }) => [index, newest]),
      [[1, 3]],
    );
    const back = toMessages(messages);
    assert.match(says(back[1]), NOTICE);
    back.forEach((message, at) => at !== 1 && assert.equal(message, history[at]));
    assert.deepEqual(Object.keys(back[1]), Object.keys(history[1]));
    assert.deepEqual(toMessages(restoreHistory(messages, report)), history);
  }

  test("OpenAI's chat messages", () => {
    const read = (id, content) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id, type: "function", function: { name: "read_file", arguments: '{"path":"a.ts"}' } },
        ],
      },
      { role: "tool", tool_call_id: id, content },
    ];
    check([...read("1", FILE), ...read("2", NEWER)], openai, ({ content }) => content);
  });

  test("Gemini's contents", () => {
    const read = (id, output) => [
      {
        role: "model",
        parts: [{ functionCall: { id, name: "read_file", args: { absolute_path: "/a.ts" } } }],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id, name: "read_file", response: { output } } }],
      },
    ];
    check(
      [...read("1", FILE), ...read("2", NEWER)],
      gemini,
      ({ parts }) => parts[0].functionResponse.response.output,
    );
  });

  test("the AI SDK's messages", () => {
    const read = (toolCallId, value) => [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId, toolName: "readFile", input: { path: "a.ts" } }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId,
            toolName: "readFile",
            output: { type: "text", value },
          },
        ],
      },
    ];
    check([...read("1", FILE), ...read("2", NEWER)], sdk, ({ content }) => content[0].output.value);
  });

  test("a call of OpenAI's first kind, which is no list, keeps its arguments", () => {
    const write = (content) => [
      {
        role: "assistant",
        content: null,
        function_call: { name: "write_file", arguments: JSON.stringify({ path: "a.ts", content }) },
      },
      { role: "function", name: "write_file", content: "written" },
    ];
    const given = [...write(FILE), ...write(NEWER)];
    const { messages, report } = dedupeHistory(given, { files: "newest", writes: true });
    assert.deepEqual(messages, given);
    assert.deepEqual(report.files, []);
  });
});

describe("restoreHistory", () => {
  const messages = [
    ...native("read_file", { path: "a.ts" }, FILE),
    ...native("read_file", { path: "a.ts" }, NEWER),
  ];
  const { messages: shortened, report } = dedupeHistory(messages, { files: "newest" });

  test("leaves alone what was added since, and what was not repaired", () => {
    const later = [...shortened, user(text("And now?"))];
    const restored = restoreHistory(later, report);
    assert.deepEqual(restored, [...messages, later[4]]);
    assert.equal(restored[3], messages[3]);
  });

  test("undoes what was pushed", () => {
    const env = (time) => text(`<environment_details>${time}</environment_details>`);
    const given = [
      user(env(1), text("x"), env(2)),
      assistant(text("y")),
      user(`z${env(1).text}${env(2).text}`),
    ];
    const deduper = new HistoryDeduper();
    const pushed = given.map((message) => deduper.push(message));
    assert.deepEqual(restoreHistory(pushed, JSON.parse(JSON.stringify(deduper.report))), given);
    deduper.dispose();
  });

  test("refuses what does not belong together, and says where", () => {
    const refuses = (call, field) =>
      assert.throws(call, (error) => {
        assert.ok(error instanceof TurnkeeperError);
        assert.deepEqual([error.code, error.detail?.field], ["invalid_argument", field]);
        return true;
      });
    refuses(() => restoreHistory("x", report), "messages");
    refuses(() => restoreHistory(shortened, null), "report");
    refuses(() => restoreHistory(shortened, {}), "report.undo");
    refuses(() => restoreHistory(shortened, { undo: [7] }), "report.undo[0]");
    refuses(
      () => restoreHistory(shortened, { undo: [{ index: 99, content: "" }] }),
      "report.undo[0]",
    );
    const undo = [{ index: 1, content: [{ kept: 5 }] }];
    refuses(() => restoreHistory(shortened, { undo }), "messages[1]");
  });
});
