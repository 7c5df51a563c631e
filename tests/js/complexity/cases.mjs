// Calls with inputs that are made to be slow. A case makes the input of size `n` and gives what to do with
// it; only that is counted.

import { load } from "../node/installed-package.mjs";
import { PEERS } from "../profiles.mjs";
import { turnkeeper } from "./steps.mjs";

const {
  AgentSession,
  GhostBlockAssembler,
  HistoryDeduper,
  LoopDetector,
  SummaryInjector,
  TerminalSelector,
  dedupeHistory,
  guardStream,
  pathRelation,
  stripEnvironment,
  stripGhostBlocks,
  withEnvironment,
} = turnkeeper;
const { detectFormat, eventsOf, readSession } = load("turnkeeper/sessions");
const peers = load("turnkeeper/peers");
const ADAPTERS = ["anthropic", "openai", "gemini", "ai-sdk", "vscode"];
const adapters = Object.fromEntries(
  ADAPTERS.map((name) => [name, load(`turnkeeper/adapters/${name}`)]),
);

const times = (n, make) => Array.from({ length: n }, (_, at) => make(at));
const lines = (n, make) => times(n, make).join("\n");

const cases = {};

// ---------- loop detector

const TEXTS = {
  "one letter": (n) => "a".repeat(n),
  "a period": (n) => "long 思 ".repeat(n / 4),
  "words that never repeat": (n) => times(n / 4, (at) => (at * 7919).toString(36)).join(" "),
  "backticks and fences": (n) => "```\n`a`\n".repeat(n / 4),
  "rows of a table": (n) => "| a | b |\n".repeat(n / 4),
  "a growing list": (n) => lines(n / 4, (at) => `${at}. item`),
};
const SETTINGS = {
  standard: { profile: "standard" },
  adaptive: {},
  "gemini-cli": { profile: "gemini-cli" },
  deepv: { profile: "deepv" },
  cline: { profile: "cline" },
  "no stops": { repeatedPassages: 1_000_000 },
};
const observing = (options, events) => {
  const isPeer = PEERS.includes(options.profile);
  const detector = isPeer ? new peers.LoopDetector(options) : new LoopDetector(options);
  detector.startPrompt("p", { model: "m-preview" });
  return () => detector.observeAll(events);
};
for (const [setting, options] of Object.entries(SETTINGS)) {
  for (const [name, text] of Object.entries(TEXTS)) {
    cases[`observe, ${setting}: ${name}`] = (n) =>
      observing(options, [{ type: "text", text: text(4 * n) }]);
  }
  const call = (at) => ({ type: "tool_call", id: `c${at}`, name: "edit", args: { at } });
  const result = (at) => ({ type: "tool_result", id: `c${at}`, output: `done ${at}` });
  cases[`observe, ${setting}: calls without results`] = (n) => observing(options, times(n, call));
  cases[`observe, ${setting}: results in reverse`] = (n) =>
    observing(options, [...times(n, call), ...times(n, (at) => result(n - at - 1))]);
  cases[`observe, ${setting}: many keys`] = (n) =>
    observing(options, [
      { type: "tool_call", name: "t", args: Object.fromEntries(times(n, (at) => [`k${at}`, at])) },
    ]);
}
cases["a prompt of many words"] = (n) => {
  const detector = new LoopDetector();
  const userPrompt = "word ".repeat(n);
  return () => detector.startPrompt("p", { userPrompt });
};
cases["many prompts"] = (n) => {
  const detector = new LoopDetector();
  return () => times(n, (at) => detector.startPrompt(`p${at}`));
};
cases["guardStream"] = (n) => {
  const events = times(n, (at) => ({ type: "text", text: `word ${at} ` }));
  return async () => {
    const source = (async function* () {
      yield* events;
    })();
    const options = { onLoopDetected: () => {} };
    for await (const event of guardStream(source, new LoopDetector(), options)) void event;
  };
};

// ---------- ghost block

const host = { readFile: async ({ path }) => `text of ${path}`, runTool: async () => "done" };
const PROMPTS = {
  references: (n) => times(n, (at) => `@[f${at}.md]`).join(" "),
  "the same reference": (n) => "@[a.md] ".repeat(n),
  "open references": (n) => "@[".repeat(n),
  "open directives": (n) => "@{".repeat(n),
  "open conditions": (n) => '@{if X == "1"}'.repeat(n),
  "closed conditions": (n) => "@{ifdef X}a@{endif}".repeat(n),
  "macros that use the one before": (n) => lines(n, (at) => `@{define M${at}, "@{M${at - 1}}"}`),
  "uses of a macro": (n) => `@{define X, "1"}\n${"@{X}".repeat(n)}`,
  backticks: (n) => times(Math.sqrt(n) | 0, (at) => "`".repeat(at)).join(" "),
  "open fences": (n) => "```\n~~~\n".repeat(n),
  "open images": (n) => "![x](".repeat(n),
  "tools with arguments": (n) => times(n, (at) => `@[tool{"at": ${at}}]`).join(" "),
  brackets: (n) => `@[tool${"{".repeat(n)}]`,
  "open tools": (n) => "@[a{".repeat(n),
  "open definitions": (n) => '@{define A, "'.repeat(n),
  "white space": (n) => `${" ".repeat(4 * n)}x`,
  "look-alikes": (n) => `@[${"．／～％２ｅ".repeat(n / 4)}]`,
};
const assembler = (options) =>
  new GhostBlockAssembler({ root: "/work", tools: ["tool"], ...options });
for (const [name, prompt] of Object.entries(PROMPTS)) {
  cases[`inspect: ${name}`] = (n) => {
    const [it, text] = [assembler(), prompt(n)];
    return () => it.inspect(text);
  };
  cases[`assemble: ${name}`] = (n) => {
    const [it, text] = [assembler(), prompt(n)];
    return () => it.assemble(text, host);
  };
  cases[`assemble with a rule: ${name}`] = (n) => {
    const it = assembler();
    it.setRules([{ name: "r", content: prompt(n) }]);
    return () => it.assemble("x", host);
  };
}
cases["assemble: a file that is hard to write"] = (n) => {
  const content = '"\\\n</content_reference>思\u2028'.repeat(n);
  return () => assembler().assemble("@[a.md]", { readFile: async () => content });
};
cases["assemble: a budget"] = (n) => {
  const rules = times(n, (at) => ({ name: `r${at}`, content: "words ".repeat(20) }));
  const it = assembler({ maxTokens: 100, maxItems: 100_000 });
  it.setRules(rules);
  return () => it.assemble("x", host);
};
cases["setRules"] = (n) => {
  const rules = times(n, (at) => ({ name: `r${at}`, content: "Be brief." }));
  return () => assembler().setRules(rules);
};
cases["scanHistory and stripGhostBlocks"] = (n) => {
  const content = '<content_reference>\n{"items":[]}\n</content_reference>';
  const messages = times(n, () => ({ role: "user", content }));
  const open = [{ role: "user", content: "<content_reference>\n".repeat(n) }];
  const blank = [{ role: "user", content: `${" ".repeat(4 * n)}x` }];
  return () => {
    for (const each of [messages, open, blank]) {
      assembler().scanHistory(each);
      stripGhostBlocks(each);
    }
  };
};
cases["scanHistory of messages that each name a file"] = (n) => {
  const messages = times(n, (at) => ({ role: "user", content: `See @[src/f${at}.ts].` }));
  return () => assembler({ maxItems: 100_000 }).scanHistory(messages);
};
cases["scanHistory of messages that each have a block"] = (n) => {
  const block = (at) => `{\n  "files": {\n    "f${at}.ts": "x"\n  }\n}`;
  const messages = times(n, (at) => ({
    role: "user",
    content: `On.\n\n<content_reference>\n${block(at)}\n</content_reference>`,
  }));
  return () => assembler({ maxItems: 100_000 }).scanHistory(messages);
};
cases["expandDocument and prepareSkill"] = (n) => {
  const text = `---\n${lines(n, (at) => `k${at}: v`)}\n---\n${"@[a.md] ".repeat(40)}`;
  return async () => {
    await assembler().expandDocument(text, host);
    await assembler().prepareSkill(text, host);
  };
};

// ---------- history deduper

const ENV = (at) => `<environment_details>\n# Files\n${at}\n</environment_details>`;
const CONTENTS = {
  blocks: (n) => lines(n, ENV),
  "open tags": (n) => "<environment_details>".repeat(n),
  "closing tags": (n) => "</environment_details>".repeat(n),
  "angle brackets": (n) => "<".repeat(8 * n),
  backticks: (n) => "` `` ".repeat(n),
  "quoted blocks": (n) => lines(n, (at) => `\`${ENV(at)}\``),
};
for (const [name, content] of Object.entries(CONTENTS)) {
  cases[`one content: ${name}`] = (n) => {
    const text = content(n);
    return () => {
      withEnvironment(text, "now");
      stripEnvironment([{ type: "text", text }]);
      dedupeHistory([{ role: "user", content: text }], { embedded: true });
    };
  };
}
cases["tags of many names"] = (n) => {
  const tags = times(n, (at) => `tag${at}`);
  return () => new HistoryDeduper({ tags }).dispose();
};
for (const [name, options] of Object.entries({
  plain: {},
  "keep the first": { keep: "first" },
  sections: { sections: "changed" },
  recent: { recent: 3 },
  "copies of files": { files: "newest" },
  "repeated results": { repeatedResults: true },
  "a task that is resumed": { economy: "resume" },
})) {
  const history = (n) =>
    times(n, (at) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${at}`, name: "read_file", input: { path: "a.ts" } }],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `t${at}`, content: "the same file ".repeat(4) },
          { type: "text", text: ENV(at) },
        ],
      },
    ]).flat();
  cases[`dedupeHistory: ${name}`] = (n) => {
    const messages = history(n);
    return () => dedupeHistory(messages, options);
  };
  cases[`push: ${name}`] = (n) => {
    const messages = history(n);
    return () => {
      const deduper = new HistoryDeduper(options);
      for (const message of messages) deduper.push(message);
      return deduper.report;
    };
  };
}
cases["dedupeHistory: a file that differs each time"] = (n) => {
  const call = (id, name, input, content) => [
    { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  ];
  const messages = times(n, (at) => [
    ...call(
      `r${at}`,
      "read_file",
      { path: "a.ts" },
      lines(20, (line) => `${at} ${line}`),
    ),
    ...call(
      `e${at}`,
      "replace_in_file",
      { path: "a.ts", diff: lines(9, (line) => `-${at} ${line}`) },
      "?",
    ),
  ]).flat();
  return () => dedupeHistory(messages, { files: "newest" });
};

// ---------- terminal selector

const at = (n) => ({
  id: n,
  provider: "vscode",
  shell: "bash",
  workingDirectory: `/p/${n}`,
  taskId: `t${n}`,
});
const selectorOf = (n) => {
  const selector = new TerminalSelector({ platform: "posix" });
  times(n, (each) => selector.register(at(each)));
  return selector;
};
cases["register"] = (n) => () => selectorOf(n);
cases["select among many"] = (n) => {
  const selector = selectorOf(n);
  return () => selector.select({ command: "make", workingDirectory: "/p/x", provider: "vscode" });
};
cases["names of an environment"] = (n) => {
  const selector = selectorOf(1);
  const environment = times(n, (each) => `NAME_${each}`);
  return () => selector.update(0, { environment });
};
cases["a snapshot of many terminals"] = (n) => {
  const selector = selectorOf(n);
  return () => TerminalSelector.restore(selector.snapshot());
};
cases["terminals"] = (n) => {
  const selector = selectorOf(n);
  return () => selector.terminals;
};
for (const shell of ["bash", "fish", "pwsh", "cmd", "nu"]) {
  cases[`a command of ${shell}`] = (n) => {
    const selector = new TerminalSelector({ platform: "posix" });
    selector.register({ id: 1, provider: "vscode", shell, workingDirectory: "/p" });
    const command = "echo '\"`$(x)' <<A; # \\\n".repeat(n);
    return () => selector.select({ command, workingDirectory: "/p/a", provider: "vscode", shell });
  };
}
cases["pathRelation"] = (n) => {
  const [a, b] = [`/${"a/../".repeat(n / 10)}`, `/${"b/".repeat(n / 10)}`];
  return () => pathRelation(a, b, { platform: "posix" });
};

// ---------- summaries and sessions

const parts = { capability: "C", direction: "D", workspace: "W" };
const injectorOf = (n, options) => {
  const injector = new SummaryInjector(options);
  times(n, (each) => {
    injector.startTurn({ task: "task" });
    injector.addMessage({ id: `m${each}`, role: "user", content: `</user> ${each}` });
    injector.storeSummary({ summary: `Turn ${each}`, insights: ["x"] });
  });
  return injector;
};
cases["turns of an injector"] = (n) => () => injectorOf(n, { maxTokens: 200, maxMessages: 20 });
cases["buildPrompt and accumulatedSummaries"] = (n) => {
  const injector = injectorOf(n);
  return () => {
    injector.buildPrompt("thinking", parts);
    injector.buildPrompt("action", parts);
    return injector.accumulatedSummaries();
  };
};
cases["recall"] = (n) => {
  const injector = injectorOf(n);
  const what = {
    turns: times(n / 20, (each) => each + 1),
    ids: times(n / 20, (each) => `m${each}`),
    keywords: ["turn"],
  };
  return () => injector.recall(what);
};
cases["recall of many keywords"] = (n) => {
  const injector = injectorOf(20);
  const keywords = times(n / 10, (each) => `word${each}`);
  return () => injector.recall({ keywords });
};
cases["thinking rounds"] = (n) => {
  const injector = injectorOf(1);
  return () => {
    times(n, (each) => injector.addThinkingRound(`Look ${each}`));
    return injector.thinkingMessage();
  };
};
cases["a fold"] = (n) => {
  const injector = injectorOf(n, { maxTokens: 50 });
  return () => injector.takeFoldRequest() && injector.answerFoldRequest({ summary: "All of it." });
};
cases["a snapshot of an injector"] = (n) => {
  const injector = injectorOf(n);
  return () => SummaryInjector.restore(injector.snapshot());
};
cases["turns of a session"] = (n) => {
  const session = new AgentSession({
    assembler: { root: "/work" },
    terminals: { platform: "posix" },
    summaries: { maxMessages: 20, maxTokens: 200 },
  });
  return async () => {
    for (let turn = 0; turn < n / 4; turn++) {
      session.beginTurn({ prompt: "@[a.md]" });
      session.summaries.addMessage(await session.assemble(host, { environment: "now" }));
      session.buildPrompt("action", parts);
      session.endTurn({ summary: "done" });
    }
  };
};

// ---------- saved sessions and adapters

const anthropic = (n) =>
  times(n, (each) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `t${each}`, name: "ls", input: { each } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${each}`, content: "done" }] },
  ]).flat();
const CONTENT = {
  "an array of messages": (n) => JSON.stringify(anthropic(n)),
  "lines of messages": (n) =>
    anthropic(n)
      .map((message) => JSON.stringify(message))
      .join("\n"),
  "one long text": (n) => JSON.stringify([{ role: "user", content: "思\\n".repeat(8 * n) }]),
  "nested arrays": (n) => `[${"[".repeat(n)}${"]".repeat(n)}]`,
  "empty lines": (n) => "\n".repeat(8 * n),
  "a change log": (n) =>
    [
      { kind: 0, v: { version: 3, requests: [{ requestId: "r", message: "x", response: [] }] } },
      ...times(n, (each) => ({
        kind: 2,
        k: ["requests", 0, "response"],
        v: [{ value: `word ${each} ` }],
      })),
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
  "requests of a change log": (n) =>
    [
      { kind: 0, v: { version: 3, requests: [] } },
      ...times(n, (each) => ({
        kind: 2,
        k: ["requests"],
        v: [{ requestId: `r${each}`, message: "x", response: [] }],
      })),
    ]
      .map((line) => JSON.stringify(line))
      .join("\n"),
  markdown: (n) =>
    `# Task\n\n---\n\n${"**User:**\n\n<read_file>\n\n---\n\n**Assistant:**\n\nx\n\n---\n\n".repeat(n)}`,
};
for (const [name, content] of Object.entries(CONTENT)) {
  cases[`readSession: ${name}`] = (n) => {
    const text = content(n);
    return () => readSession(text).catch(() => {});
  };
  cases[`readSession in pieces: ${name}`] = (n) => {
    const bytes = new TextEncoder().encode(content(n));
    return async () => {
      const pieces = (async function* () {
        for (let from = 0; from < bytes.length; from += 64) yield bytes.subarray(from, from + 64);
      })();
      await readSession(pieces).catch(() => {});
    };
  };
  cases[`detectFormat: ${name}`] = (n) => {
    const text = content(n);
    return () => detectFormat(text);
  };
}
cases["eventsOf"] = (n) => {
  const messages = anthropic(n);
  return () => eventsOf(messages);
};
cases["eventsOf: calls in text that never end"] = (n) => {
  const messages = [
    { role: "user", content: "x" },
    { role: "assistant", content: [{ type: "text", text: "<read_file><path>".repeat(n) }] },
  ];
  return () => eventsOf(messages);
};
const HISTORIES = {
  anthropic,
  openai: (n) =>
    times(n, (each) => [
      {
        role: "assistant",
        tool_calls: [
          { id: `t${each}`, type: "function", function: { name: "ls", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: `t${each}`, content: "done" },
    ]).flat(),
  gemini: (n) =>
    times(n, () => [
      { role: "model", parts: [{ functionCall: { name: "ls", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { name: "ls", response: { output: "done" } } }] },
    ]).flat(),
};
for (const [name, history] of Object.entries(HISTORIES)) {
  cases[`${name}: fromMessages and toMessages`] = (n) => {
    const messages = history(n);
    const { fromMessages, toMessages } = adapters[name];
    return () => toMessages(fromMessages(messages));
  };
}
const DELTAS = {
  anthropic: (n) => [
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "c", name: "ls", input: {} },
    },
    ...times(n, () => ({
      type: "content_block_delta",
      index: 0,
      delta: { type: "input_json_delta", partial_json: "[1," },
    })),
    { type: "content_block_stop", index: 0 },
  ],
  openai: (n) => [
    ...times(n, () => ({
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [{ index: 0, id: "c", function: { name: "ls", arguments: "[1," } }],
          },
        },
      ],
    })),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  ],
  "ai-sdk": (n) => [
    { type: "tool-input-start", id: "c", toolName: "ls" },
    ...times(n, () => ({ type: "tool-input-delta", id: "c", delta: "[1," })),
    { type: "tool-call", toolCallId: "c", toolName: "ls", input: "[]" },
  ],
};
for (const [name, deltas] of Object.entries(DELTAS)) {
  cases[`${name}: a call in many deltas`] = (n) => {
    const events = deltas(n);
    return () => {
      const adapter = adapters[name].streamAdapter();
      for (const event of events) adapter(event);
    };
  };
  cases[`${name}: many calls at once`] = (n) => {
    const events = times(n, (each) =>
      JSON.parse(
        JSON.stringify(deltas(1)[0])
          .replaceAll('"c"', `"c${each}"`)
          .replace('"index":0', `"index":${each}`),
      ),
    );
    return () => {
      const adapter = adapters[name].streamAdapter();
      for (const event of events) adapter(event);
    };
  };
}

export { cases };
