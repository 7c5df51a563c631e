// One conversation of twelve turns through an AgentSession, in steps, so that whoever drives it can
// end the process between any two of them. What the model says is written here; files are read and
// commands are run for real, by the driver.

/** What is in the folder of the project at first. */
export const FILES = {
  "src/main.ts": 'import { greet } from "./greet";\ngreet();\n',
  "src/greet.ts": "export const greet = () => 1;\n",
  "notes.md": "# Notes\n",
};

const CAPABILITY = "You can read files, write files and run commands.";
const DIRECTION = "Work in small steps.";

const read = (path) => ({ type: "tool_call", name: "read_file", args: { path } });
const says = (text) => ({ type: "text", text });

const TURNS = [
  {
    prompt: "Why does @[src/main.ts] print nothing?",
    task: "Make the program greet its user.",
    thinks: ["main.ts calls greet, so greet.ts is what to look at."],
    says: [says("I look at greet."), read("src/greet.ts")],
    summary: "greet returns a number and prints nothing.",
    insights: ["src/greet.ts is the only caller of console"],
  },
  {
    prompt: "Then print something in @[src/greet.ts].",
    says: [says("Done.")],
    writes: { "src/greet.ts": 'export const greet = () => console.log("hi");\n' },
    runs: [["ls | cat", "."]],
    summary: "greet prints hi.",
  },
  {
    prompt: "What else is in src?",
    says: [says("I list the folder.")],
    runs: [["ls | cat", "src"]],
    summary: "src has two files.",
  },
  {
    prompt: "Add a heading to @[notes.md:1:1].",
    says: [says("Added.")],
    writes: { "notes.md": "# Notes\n\n## Greeting\n" },
    runs: [["wc -l < notes.md", "."]],
    summary: "notes.md has a heading on greeting.",
  },
  {
    prompt: "Is there anything like === CURRENT WORKSPACE CONTEXT === in @[notes.md]?",
    thinks: ["A heading is only text here.", "Nothing of the kind is in the file."],
    says: [says("No.")],
    summary: "=== TASK CONTEXT ===\nNo heading of a prompt is in notes.md.",
  },
  {
    prompt: "Read @[src/main.ts] again and again until it changes.",
    // The model is stuck; the tenth call is never made.
    says: Array.from({ length: 14 }, () => read("src/main.ts")),
    summary: "Reading src/main.ts again and again does not change it.",
  },
  {
    prompt: "Stop that. What did we find in the beginning?",
    recalls: { turns: [1] },
    says: [says("That greet printed nothing.")],
  },
  {
    prompt: "Run it from src, then tell me where you are.",
    says: [says("I run it.")],
    runs: [
      ["cat greet.ts", "src"],
      ["test -f notes.md && echo yes", "."],
      // Nobody can read off this command where it leads, so the next one is led back.
      ["eval 'cd src' && ls | cat", ".", { isUnreported: true }],
      ["ls | cat", "."],
    ],
    summary: "The program was run from src.",
  },
  {
    prompt: "Now tidy @[notes.md].",
    task: "Tidy the notes.",
    says: [says("Tidied.")],
    writes: { "notes.md": "# Notes on greeting\n" },
    summary: "notes.md is one line.",
    insights: ["notes.md had two headings", "one was enough"],
  },
  {
    prompt: "And @[missing.md]?",
    says: [says("There is no such file.")],
    // The model is asked for the summary, and names nothing that is left to do.
    answers: {
      goal: "Tidy the notes.",
      done: "Looked for missing.md, which does not exist.",
      decisions: ["Nothing to tidy in it."],
      files: [],
      openPoints: [],
      insights: ["missing.md was never written"],
    },
  },
  {
    prompt: "What did I say about greeting?",
    recalls: { keywords: ["heading"] },
    // The agent's own detector speaks; what comes after it is never read.
    says: [
      says("That its notes need a heading."),
      { type: "loop_reported", by: "the agent", detail: "it said so before" },
      says("That its notes need a heading."),
    ],
  },
  {
    prompt: "Thank you, that is all.",
    says: [says("You are welcome.")],
    summary: "The user is content.",
  },
];

/** What an agent's loop does in a turn, one step after another. */
const STEPS = { begin, think, ask, answer, goOn, act, end };
const NAMES = Object.keys(STEPS);

/** The numbers of all steps are below this. */
export const COUNT = TURNS.length * NAMES.length;

/** The number of a step: `at(6, "answer")`. */
export const at = (turn, name) => (turn - 1) * NAMES.length + NAMES.indexOf(name);

/**
 * Takes the steps from one number up to another.
 *
 * @param session An AgentSession in the state in which it was left.
 * @param driver `readFile({ path })`, `writeFile(path, text)` and
 * `run(session, command, folder, { isUnreported })`, which resolves to `{ output, action }`; a driver
 * that can leave it out does not report where such a command has led.
 * @returns What was sent to the model and what came of it, as text.
 */
export async function take(session, driver, from, to) {
  const lines = [];
  for (let step = from; step < to; step++) {
    const turn = Math.floor(step / NAMES.length);
    const name = NAMES[step % NAMES.length];
    await STEPS[name]({ session, driver, lines, number: turn + 1, ...TURNS[turn] });
  }
  return lines.map((line) => `${line}\n`).join("");
}

function begin({ session, lines, number, prompt, task, recalls }) {
  lines.push(`================ turn ${number} ================`);
  session.beginTurn({ prompt, model: "model-1", ...(task && { task }) });
  if (recalls) lines.push(`(recalled: ${session.summaries.recall(recalls)})`);
}

async function think({ session, driver, lines, number, prompt, thinks = [] }) {
  session.summaries.addMessage(await message(session, driver, number));
  for (const round of thinks) {
    show(lines, session.buildPrompt("thinking", parts(number)));
    lines.push("[model thinks]", round, "");
    session.summaries.addThinkingRound(round);
  }
}

async function ask({ session, driver, lines, number }) {
  const sent = await message(session, driver, number);
  show(lines, session.buildPrompt("action", parts(number)), sent);
}

/** The model begins to answer; the process may end in the middle of that. */
async function answer({ session, lines, says }) {
  lines.push("[model]");
  await listen(session, lines, says.slice(0, 5));
}

async function goOn({ session, lines, says }) {
  await listen(session, lines, says.slice(5));
  lines.push("");
}

async function listen(session, lines, says) {
  const abort = new AbortController();
  const onLoopDetected = ({ verdict }) => {
    lines.push(`(${verdict.action}: ${verdict.report.message})`);
  };
  for await (const event of session.guard(stream(says), { abort, onLoopDetected })) {
    const { type, text, name, args } = event;
    lines.push(type === "text" ? text : `calls ${name} ${JSON.stringify(args)}`);
  }
}

/** As models do, what is left of a stream when its reader has gone is never made. */
async function* stream(events) {
  yield* events;
}

async function act({ session, driver, lines, writes = {}, runs = [] }) {
  for (const [path, text] of Object.entries(writes)) {
    await driver.writeFile(path, text);
    lines.push(`[writes ${path}]`, "");
  }
  for (const [command, folder, how = {}] of runs) {
    const { action, output } = await driver.run(session, command, folder, how);
    lines.push(`[runs ${command} in ${folder}: ${action}]`, output.trimEnd(), "");
  }
}

function end({ session, lines, summary, insights, answers }) {
  if (answers) {
    const { prompt, text } = session.summaries.takeSummaryRequest();
    lines.push("[is asked for a summary]", prompt, "", text, "");
    lines.push("[model]", JSON.stringify(answers, null, 2), "");
    const { diagnostics } = session.summaries.answerSummaryRequest(answers);
    lines.push(...diagnostics.map(({ code, message }) => `(${code}: ${message})`), "");
  }
  session.endTurn({ ...(summary && { summary }), ...(insights && { insights }) });
}

function message(session, driver, number) {
  const host = { readFile: (request) => driver.readFile(request) };
  return session.assemble(host, { environment: `Turn ${number} of 12.` });
}

function parts(number) {
  return {
    capability: CAPABILITY,
    direction: DIRECTION,
    workspace: `Files: ${number < 4 ? "src" : "notes.md, src"}`,
  };
}

function show(lines, { systemPrompt, workspaceContext, conversationHistory }, sent) {
  lines.push("[system]", systemPrompt, "", "[context]", workspaceContext, "");
  for (const entry of conversationHistory) {
    if (typeof entry === "string") lines.push("[history]", entry, "");
    else lines.push(`[${entry.role}, from before]`, textOf(entry), "");
  }
  if (sent) lines.push(`[${sent.role}]`, textOf(sent), "");
}

function textOf({ content }) {
  return typeof content === "string" ? content : content.map(({ text }) => text).join("\n\n");
}
