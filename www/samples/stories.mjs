// Sessions of our own that go wrong, told without a format, as tests/js/session-fixtures tells its stories.

const read = (path, output) => ({ tool: "read", path, output });
const run = (command, output, exit) => ({ tool: "run", command, output, ...(exit && { exit }) });
const search = (pattern, output) => ({ tool: "search", pattern, output });
const edit = (path, old, now, output = `${path} has been changed.`) => ({
  tool: "edit",
  path,
  old,
  now,
  output,
});
const times = (count, make) => Array.from({ length: count }, (_, n) => make(n));

/** The steps as a large model answers them, whose context is full of what came before; with the usage of each request. */
function onLargeModel(steps) {
  const more = 1_600;
  let context = 88_000;
  return steps.map((step) => {
    if (step.user !== undefined) return step;
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: context,
      cache_creation_input_tokens: more,
      output_tokens: 280,
    };
    context += more;
    return { ...step, model: "claude-opus-4-5-20251101", usage };
  });
}

const FAILING = `FAIL test/invoice.test.ts
  invoice total
    ✕ rounds half up (12 ms)

      expected 10.13, received 10.12

Tests: 1 failed, 41 passed, 42 total`;

const environment = (time, files) =>
  `<environment_details>
# Current Time
${time}

# Open Files
${files.join("\n")}

# Git Status
On branch main, ${files.length} files changed
</environment_details>`;

/** The agent runs one failing test again and again: half of its forty calls, and of what they cost. */
export const stuckTests = {
  name: "stuck-tests",
  title: "Round half up",
  cwd: "/home/mira/billing",
  steps: onLargeModel([
    {
      user: `The invoice total is off by a cent. Please fix it.\n\n${environment("09:02", ["src/invoice.ts"])}\n\n${environment("09:03", ["src/invoice.ts", "test/invoice.test.ts"])}`,
    },
    {
      think: "A cent: rounding. Where is the total made?",
      say: "I'll look at the invoice first.",
      calls: [
        read(
          "src/invoice.ts",
          'import { round } from "./money";\n\nexport function total(lines: Line[]): number {\n  return round(lines.reduce((sum, line) => sum + line.price * line.count, 0));\n}\n',
        ),
      ],
    },
    {
      calls: [
        search("round\\(", "src/money.ts:3\nsrc/invoice.ts:4\nsrc/tax.ts:11"),
        read(
          "src/money.ts",
          "export function round(value: number): number {\n  return Math.floor(value * 100) / 100;\n}\n",
        ),
      ],
    },
    {
      calls: [
        read(
          "src/tax.ts",
          'import { round } from "./money";\n\nexport function tax(net: number, rate: number): number {\n  return round(net * rate);\n}\n',
        ),
      ],
    },
    {
      calls: [
        read(
          "test/invoice.test.ts",
          'test("rounds half up", () => {\n  expect(total([{ price: 1.125, count: 9 }])).toBe(10.13);\n});\n',
        ),
      ],
    },
    { calls: [search("toFixed\\(", "No matches found")] },
    {
      calls: [run("git log --oneline -5 -- src/money.ts", "9f2c1d0 Money is rounded in one place")],
    },
    { say: "The tests say more.", calls: [run("npm test -- invoice", FAILING, 1)] },
    {
      calls: [
        edit("src/money.ts", "Math.floor(value * 100)", "Math.trunc(value * 100)"),
        run("npm test -- invoice", FAILING, 1),
      ],
    },
    ...times(26, (n) => ({
      think: n % 4 === 0 ? "It should pass now. I'll run the test again." : undefined,
      say: n % 5 === 2 ? "Let me run the tests once more to be sure." : undefined,
      calls: [run("npm test -- invoice", FAILING, 1)],
    })),
    {
      user: `Stop. You have not changed anything since.\n\n${environment("09:21", ["src/money.ts"])}`,
    },
    {
      say: "You are right: trunc cuts as floor does. It has to round half up.",
      calls: [
        edit("src/money.ts", "Math.trunc(value * 100)", "Math.round(value * 100)"),
        run("npm test -- invoice", "PASS test/invoice.test.ts\n\nTests: 42 passed, 42 total"),
      ],
    },
    { calls: [run("npm test", "Tests: 318 passed, 318 total")] },
    { calls: [run("git diff --stat", " src/money.ts | 2 +-")] },
    { say: "The total is rounded half up now, and the tests pass." },
  ]),
};

/** Three searches, round and round. */
export const sameSearch = {
  name: "same-search",
  title: "Where is the retry limit",
  cwd: "/home/jonas/mailer",
  steps: [
    { user: "Where is the retry limit of the mail queue set? Raise it to 8." },
    { say: "I'll search for it.", calls: [search("retryLimit", "No matches found")] },
    { calls: [search("maxRetries", "No matches found")] },
    { calls: [read("config/queue.yaml", "queue:\n  name: mail\n  workers: 4\n")] },
    ...times(6, () => [
      { calls: [search("retryLimit", "No matches found")] },
      { calls: [search("maxRetries", "No matches found")] },
      { calls: [read("config/queue.yaml", "queue:\n  name: mail\n  workers: 4\n")] },
    ]).flat(),
    { say: "I could not find where the limit is set." },
  ],
};

/** A server that never starts. */
export const brokenCommand = {
  name: "broken-command",
  title: "Start the server",
  cwd: "/workspace",
  steps: [
    { user: "Start the development server and tell me its port." },
    {
      say: "I'll start it.",
      calls: [
        run(
          "npm run dev",
          "Error: Cannot find module 'vite'\nRequire stack:\n- /workspace/server.js",
          1,
        ),
      ],
    },
    {
      calls: [
        read(
          "package.json",
          '{\n  "scripts": { "dev": "node server.js" },\n  "dependencies": {}\n}\n',
        ),
      ],
    },
    ...times(9, (n) => ({
      say: n === 0 ? "Let me try again." : undefined,
      calls: [
        run(
          "npm run dev",
          "Error: Cannot find module 'vite'\nRequire stack:\n- /workspace/server.js",
          1,
        ),
      ],
    })),
    { say: "The server does not start." },
  ],
};

/** A patch whose context is gone. */
export const patchAgain = {
  name: "patch-again",
  title: "Rename the flag",
  cwd: "/home/li/tools",
  steps: [
    { user: "Rename the flag --fast to --quick." },
    { calls: [search("--fast", "src/cli.rs:21\nREADME.md:40")] },
    {
      calls: [
        read(
          "src/cli.rs",
          'let matches = command.arg(Arg::new("fast").long("fast")).get_matches();\n',
        ),
      ],
    },
    ...times(8, () => ({
      calls: [
        edit(
          "src/cli.rs",
          '.long("fast");',
          '.long("quick");',
          "error: context not found in src/cli.rs",
        ),
      ],
    })),
    { calls: [edit("src/cli.rs", '.long("fast")', '.long("quick")')] },
    { calls: [run("cargo test", "test result: ok. 31 passed; 0 failed")] },
    { say: "The flag is called --quick now." },
  ],
};
