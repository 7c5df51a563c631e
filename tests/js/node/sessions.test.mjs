// turnkeeper/sessions: saved sessions as a host reads them, and histories that seed a detector.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { FORMATS } from "./adapter-formats.mjs";
import { load, turnkeeper } from "./installed-package.mjs";
import { random, seed } from "./random.mjs";

const { detectFormat, eventsOf, readSession } = load("turnkeeper/sessions");
const { LoopDetector, TurnkeeperError } = turnkeeper;

const saved = new URL("../../data/saved/", import.meta.url);
const expected = JSON.parse(readFileSync(new URL("../../data/saved-events.json", import.meta.url)));
const fixtures = readdirSync(saved).map((name) => ({
  name,
  bytes: new Uint8Array(readFileSync(new URL(name, saved))),
  format: expected[name].format,
  // Without the place, which only the command tells, and the starts of prompts, which are no events.
  events: expected[name].events
    .map((line) => line.slice(line.indexOf(" ") + 1))
    .filter((event) => !event.startsWith("prompt_started ")),
}));

/** An event on one line, as the fixtures have it. */
function shown({ type, id, name, args, output, text, isError, exitCode }) {
  const says = {
    tool_call: () => `${name} ${typeof args === "string" ? args : JSON.stringify(args)}`,
    tool_result: () =>
      `${isError ? "error " : ""}${exitCode === undefined ? "" : `exit ${exitCode} `}${output}`,
    text: () => text,
    reasoning: () => text,
  }[type];
  return [type, id && `#${id}`, says?.()].filter((part) => part !== undefined).join(" ");
}

async function* pieces(bytes) {
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random(400);
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** Whether a beginning ends before the first answer, by which alone Qwen Code's files of 2025 are told from gemini-cli's. */
function isSiblings(name, seen, bytes, length) {
  const hasAnswer = new TextDecoder().decode(bytes.subarray(0, length)).includes('"id": "q3"');
  return name === "qwen-code-2025.json" && seen === "gemini-cli" && !hasAnswer;
}

describe("a saved session is read, whichever agent saved it", () => {
  for (const { name, bytes, format, events } of fixtures) {
    test(`${name}: as text, as bytes, and as a stream that is cut anywhere`, async () => {
      const text = new TextDecoder().decode(bytes);
      for (const content of [text, bytes, pieces(bytes), pieces(bytes)]) {
        const session = await readSession(content, { name });
        assert.equal(session.format, format);
        assert.deepEqual(session.events.map(shown), events, `seed ${seed}`);
        assert.equal(session.cutOff, undefined);
        const { title, model } = expected[name];
        assert.deepEqual([session.title, session.model], [title, model]);
      }
    });

    test(`${name}: a detector takes its events`, async () => {
      const detector = new LoopDetector({ profile: "adaptive" });
      detector.startPrompt("resumed");
      assert.equal(detector.observeAll((await readSession(bytes)).events).action, "ok");
      detector.dispose();
    });

    test(`${name}: its format is seen from its beginning`, () => {
      assert.equal(detectFormat(bytes, name), format);
      assert.equal(detectFormat(new TextDecoder().decode(bytes)), format);
      // A beginning may end anywhere, and then says the same, less, or nothing.
      for (let round = 0; round < 50; round += 1) {
        const length = random(bytes.length);
        const seen = detectFormat(bytes.subarray(0, length));
        const isLess = [undefined, "messages"].includes(seen) || seen === format;
        assert.ok(
          isLess || /^(anthropic|openai)$/.test(seen) || isSiblings(name, seen, bytes, length),
          `${seen} at ${length}, seed ${seed}`,
        );
      }
    });
  }

  const LIKE_A_PROVIDER = ["anthropic", "openai", "gemini", "ai-sdk", "cline", "mini-swe-agent"];
  for (const { name, bytes, format } of fixtures) {
    if (!LIKE_A_PROVIDER.includes(format)) continue;
    test(`${name}: its messages are those of the file, and have its events`, async () => {
      const { events, messages } = await readSession(bytes, { name });
      const file = JSON.parse(new TextDecoder().decode(bytes));
      const array = Array.isArray(file) ? file : Object.values(file).find(Array.isArray);
      assert.deepEqual(messages, array);
      assert.deepEqual(eventsOf(messages, format), events);
    });
  }

  test("messages inside lines come out of them", async () => {
    for (const name of ["claude-code.jsonl", "codex-rollout.jsonl"]) {
      const { format, messages, events } = await readSession(readFileSync(new URL(name, saved)));
      assert.ok(messages.length > 3);
      const again = eventsOf(messages, format);
      const calls = (all) => all.filter(({ type }) => /^tool_/.test(type));
      assert.deepEqual(calls(again), calls(events));
    }
  });

  test("what is no message is not among them", async () => {
    const { messages } = await readSession(readFileSync(new URL("openhands-sdk.jsonl", saved)));
    assert.equal(messages, undefined);
  });

  test("with the directory that it ends in, and the model", async () => {
    const { workingDirectory } = await readSession(
      readFileSync(new URL("claude-code.jsonl", saved)),
    );
    assert.match(workingDirectory, /^\//);
    const turn = (model) => ({ role: "assistant", model, content: "Yes." });
    const history = [{ role: "user", content: "Is it?" }, turn("model-1"), turn("model-2")];
    assert.equal((await readSession(JSON.stringify(history))).model, "model-2");
  });
});

describe("a file of lines that was cut off in its last", () => {
  const lines = readFileSync(new URL("claude-code.jsonl", saved), "utf8").trimEnd().split("\n");
  const whole = lines.slice(0, -1).join("\n");
  const last = lines.at(-1);

  test("is read up to there, wherever that is", async () => {
    const before = await readSession(whole);
    assert.equal(before.cutOff, undefined);
    for (const length of [1, 2, 10, last.length >> 1, last.length - 1]) {
      const { cutOff, ...session } = await readSession(`${whole}\n${last.slice(0, length)}`);
      assert.deepEqual(session, before);
      assert.equal(cutOff.line, lines.length);
      assert.match(cutOff.reason, /is not JSON/);
    }
  });

  test("also in the middle of a character", async () => {
    const content = Buffer.concat([
      Buffer.from(`${whole}\n{"type":"us`),
      Buffer.from([0xe4, 0xbd]),
    ]);
    const { cutOff, events } = await readSession(new Uint8Array(content));
    assert.equal(cutOff.line, lines.length);
    assert.ok(events.length > 0);
  });

  test("is left out if a line ends it, and broken if there is nothing else", async () => {
    const half = last.slice(0, 40);
    const before = await readSession(whole);
    for (const [content, events] of [
      [`${whole}\n${half}\n`, before.events],
      [`${whole}\n${half}\n${last}`, (await readSession(`${whole}\n${last}`)).events],
    ]) {
      const { cutOff, leftOut, ...session } = await readSession(content);
      assert.deepEqual(session.events, events);
      assert.equal(cutOff, undefined);
      assert.deepEqual(
        leftOut.map(({ line, element }) => [line, element]),
        [[lines.length, undefined]],
      );
      assert.match(leftOut[0].reason, /is not JSON/);
    }
    await assert.rejects(readSession(half), { code: "broken_session" });
  });
});

describe("what of a session cannot be read costs itself alone, and is told", () => {
  const user = '{"role":"user","content":"Hi."}';
  const model = '{"role":"assistant","content":"Hello."}';
  const strange = '{"role":"wizard","content":""}';
  const cases = [
    ["lines", [user, "oops", strange, model].join("\n"), [{ line: 2 }, { line: 3 }]],
    ["lines at the beginning", ['{"ro', user, model].join("\n"), [{ line: 1 }]],
    ["elements", `[${[user, strange, "{}", model]}]`, [{ element: 2 }, { element: 3 }]],
    ["an array that breaks off", `[${[user, model]},{"ro`, [{}]],
  ];
  for (const [what, content, places] of cases) {
    test(what, async () => {
      const { events, leftOut } = await readSession(content);
      assert.deepEqual(
        events.map(({ type }) => type),
        ["user_message", "turn_started", "text"],
      );
      assert.deepEqual(
        leftOut.map(({ reason, ...place }) => place),
        places,
      );
      for (const { reason } of leftOut) assert.ok(reason.length > 5, reason);
    });
  }
});

test("the properties of a session stand in one order, however its file comes", async () => {
  const lines = [
    { type: "user", cwd: "/a", message: { role: "user", content: "Go on." } },
    { type: "assistant", message: { role: "assistant", model: "m", content: "Done." } },
    { type: "ai-title", aiTitle: "A title", sessionId: "s" },
  ].map((line) => JSON.stringify(line));
  // Of a file that is long enough, the first lines are read before the rest has come.
  const content = [...lines, "not JSON", ...Array(100).fill(lines[1]), '{"ty'].join("\n");
  const whole = await readSession(content);
  const facts = ["title", "model", "workingDirectory"];
  const names = ["format", "events", "messages", ...facts, "cutOff", "leftOut"];
  assert.deepEqual(Object.keys(whole), names);
  for (const part of [content, lines.toReversed().join("\n").repeat(20)]) {
    const bytes = new TextEncoder().encode(part);
    const [first, second] = [await readSession(bytes), await readSession(pieces(bytes))];
    assert.equal(JSON.stringify(second), JSON.stringify(first), `seed ${seed}`);
  }
});

test("what stands in a file twice was said once", async () => {
  for (const name of ["claude-code.jsonl", "pi.jsonl", "codex-rollout.jsonl", "codebuddy.jsonl"]) {
    const lines = readFileSync(new URL(name, saved), "utf8").trimEnd().split("\n");
    const once = await readSession(lines.join("\n"));
    const twice = await readSession([...lines, ...lines].join("\n"));
    const hasKeys = name !== "codex-rollout.jsonl";
    assert.equal(twice.events.length, once.events.length * (hasKeys ? 1 : 2), name);
    assert.equal(
      twice.messages?.length,
      once.messages?.length && once.messages.length * (hasKeys ? 1 : 2),
      name,
    );
  }
});

describe("what cannot be read is named with the reason and the place", () => {
  const message = '{"role":"user","content":"Hi."}';
  const cases = [
    ["an empty file", "", "broken_session", /has no events/],
    ["an empty array", "[]", "broken_session", /has no events/],
    ["an array that breaks off at once", "[{}", "broken_session", /breaks off at element 1/],
    ["a manifest", '{\n "name": "x",\n "files": []\n}', "unknown_format", /"name"/],
    ["numbers", "[1, 2]", "unknown_format", /element 2 is a number/],
    ["prose", "# Notes\n", "unknown_format", /it is no JSON/],
    ["a log", "[note] started\n[warn] late\n", "unknown_format", /is not JSON/],
    ["a section", "[core]\nbare = false\n", "unknown_format", /is not JSON/],
    ["a table", "[1,2],3\n", "unknown_format", /trailing content/],
    ["a template", "{{ name }}\n", "unknown_format", /is not JSON/],
    ["settings", '{\n  // mine\n  "a": 1\n}\n', "unknown_format", /is not JSON/],
    ["bytes", new Uint8Array([80, 75, 3, 4, 0, 0]), "unknown_format", /binary/],
    [
      "a call without a name",
      '[{"role":"assistant","content":[{"type":"tool_use"}]}]',
      "broken_session",
      /element 1: .*without a name/,
    ],
  ];
  for (const [what, content, code, reason] of cases) {
    test(what, async () => {
      await assert.rejects(readSession(content, { name: "notes.json" }), (error) => {
        assert.ok(error instanceof TurnkeeperError);
        assert.equal(error.code, code);
        assert.match(error.message, reason);
        assert.match(error.message, /^notes\.json/);
        assert.equal(error.detail.name, "notes.json");
        return true;
      });
    });
  }

  test("an error of the host's stream comes out as it is", async () => {
    const failure = new Error("The disk is gone.");
    async function* stream() {
      yield new TextEncoder().encode(`[${message},`);
      throw failure;
    }
    await assert.rejects(readSession(stream()), failure);
  });

  test("arguments of another type", async () => {
    for (const content of [undefined, null, 7, {}, []]) {
      await assert.rejects(readSession(content), { code: "invalid_argument" });
    }
    async function* text() {
      yield message;
    }
    await assert.rejects(readSession(text()), { code: "invalid_argument" });
    await assert.rejects(readSession(message, { name: 7 }), { detail: { field: "name" } });
    for (const messages of [undefined, null, "text", {}]) {
      assert.throws(() => eventsOf(messages), { code: "invalid_argument" });
    }
    assert.throws(() => eventsOf([JSON.parse(message), 7]), { detail: { field: "messages[1]" } });
    assert.throws(() => eventsOf([{ of: "next year" }]), { detail: { field: "messages" } });
    const circle = {};
    circle.circle = circle;
    const withCircle = [JSON.parse(message), { role: circle, content: "" }];
    assert.throws(() => eventsOf(withCircle), { detail: { field: "messages[1]" } });
  });

  test("what says too little has no format", () => {
    for (const start of ["", "[", "{", '{"a":1}', "text", "[1]", new Uint8Array([0, 1])]) {
      assert.equal(detectFormat(start), undefined);
    }
  });
});

describe("a history seeds a detector", () => {
  for (const [name, format] of Object.entries(FORMATS)) {
    const history = [format.user("Fix it.")];
    for (let n = 0; n < 8; n += 1)
      history.push(...format.read(`c${n}`, "a.ts", "const one = 1;\n"));

    test(`of ${name}: with its calls and their results`, () => {
      const events = eventsOf(history);
      const types = events.map(({ type }) => type);
      const turn = ["turn_started", "tool_call", "tool_result"];
      assert.deepEqual(types, ["user_message", ...Array(8).fill(turn).flat()]);
      const [call, result] = events.slice(2);
      assert.equal(call.name, "read_file");
      const args = typeof call.args === "string" ? JSON.parse(call.args) : call.args;
      assert.deepEqual(args, { path: "a.ts" });
      assert.equal(result.output, "const one = 1;\n");
      assert.equal(result.id, call.id);
    });

    test(`of ${name}: which then says what it would have said`, () => {
      const verdicts = history.map((_, resumed) => {
        const detector = new LoopDetector({ profile: "adaptive" });
        detector.startPrompt("prompt-1");
        detector.observeAll(eventsOf(history.slice(0, resumed)));
        detector.observeAll(eventsOf(history.slice(resumed)));
        const { action, report } = detector.verdict;
        detector.dispose();
        return [action, report?.rule, report?.count, report?.firstIndex, report?.lastIndex];
      });
      assert.equal(verdicts[0][0], "stop");
      for (const verdict of verdicts) assert.deepEqual(verdict, verdicts[0]);
    });

    test(`of ${name}: each kind of part is understood or left out`, () => {
      const types = new Set(eventsOf(format.everything()).map(({ type }) => type));
      for (const type of ["turn_started", "text", "tool_call", "tool_result"]) {
        assert.ok(types.has(type), type);
      }
    });
  }

  test("an empty one has no events", () => {
    assert.deepEqual(eventsOf([]), []);
  });

  test("the caller says whose they are where they do not", () => {
    const assistant = { role: "assistant", content: "I look.\n```bash\nls\n```" };
    const calls = (format) =>
      eventsOf([assistant], format).filter(({ type }) => type === "tool_call");
    assert.deepEqual(calls(), []);
    const call = { type: "tool_call", name: "bash", args: { command: "ls" } };
    assert.deepEqual(calls("mini-swe-agent"), [call]);
  });
});

test("the changes of a chat that eventsOf is given stay as they are", () => {
  const log = new TextDecoder().decode(
    fixtures.find(({ name }) => name === "copilot-chat.jsonl").bytes,
  );
  const changes = log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const before = JSON.stringify(changes);
  const events = eventsOf(changes);
  assert.equal(JSON.stringify(changes), before);
  assert.deepEqual(eventsOf(changes), events);
});

test("detectFormat refuses what is neither text nor bytes", () => {
  for (const start of [undefined, null, 7, {}, [1], Symbol("s")]) {
    assert.throws(() => detectFormat(start), {
      code: "invalid_argument",
      detail: { field: "start" },
    });
  }
  assert.throws(() => detectFormat("{}", 7), {
    code: "invalid_argument",
    detail: { field: "name" },
  });
});

describe("what is no session", () => {
  const others = {
    prose: "# Notes\n\nNothing here.\n",
    markup: "<!doctype html>\n<title>Notes</title>\n",
    "a table": "a,b,c\n1,2,3\n",
    "a picture": new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    "settings with comments": '{\n  // The theme.\n  "theme": "dark",\n}\n',
    settings: '{"theme":"dark"}',
  };
  for (const [what, content] of Object.entries(others)) {
    test(`${what}: an unknown format, and no broken session`, async () => {
      const isUnknown = (error) =>
        error instanceof TurnkeeperError && error.code === "unknown_format";
      await assert.rejects(readSession(content), isUnknown);
      assert.equal(detectFormat(content), undefined);
    });
  }

  test("but a session that breaks off in its first line is a broken one", async () => {
    const isBroken = (error) => error.code === "broken_session";
    await assert.rejects(readSession('{"type":"user","uuid":"u1","mess'), isBroken);
  });
});

test("the beginning of a long chat of Copilot is known, whatever its first request is", () => {
  const request = { requestId: "r1", message: { text: "x".repeat(200_000) }, response: [] };
  const chat = {
    version: 3,
    requesterUsername: "me",
    responderUsername: "Copilot",
    requests: [request],
  };
  const lines = {
    kind: 0,
    v: { version: 3, creationDate: 1, sessionId: "s", requests: [request] },
  };
  for (const value of [chat, lines]) {
    assert.equal(detectFormat(JSON.stringify(value).slice(0, 65_536)), "copilot-chat");
    assert.equal(detectFormat(JSON.stringify(value, null, 1).slice(0, 65_536)), "copilot-chat");
  }
  assert.equal(detectFormat('{"version":3,"name":"a package"}'), undefined);
});
