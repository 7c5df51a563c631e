// Everything that must come out the same in every runtime, from the data of the fixtures. It uses nothing
// but the package that it is given.

import { conversation, recorded, runFixtures, runTables, turns } from "./cases.mjs";

/** What was wrong with cases, and the traces: answers and the bytes of snapshots, as texts. */
export async function runTraces(turnkeeper, { cases, sessions, tables, session }) {
  const fixtures = runFixtures(turnkeeper, cases);
  const problems = [...fixtures.problems, ...(await runTables(turnkeeper, tables))];
  return {
    problems: problems.filter((problem) => problem !== null),
    cases: fixtures.traces,
    sessions: sessions.map((lines) => recorded(turnkeeper, lines)),
    conversation: await conversation(turnkeeper, session),
    turns: turns(turnkeeper),
    terminals: terminals(turnkeeper),
    session: await agentSession(turnkeeper),
  };
}

/** Choices among a few terminals, with directories that are hard to write. */
function terminals({ TerminalSelector, pathRelation }) {
  const trace = [];
  for (const [platform, root] of [
    ["posix", "/p"],
    ["win32", "C:\\p"],
  ]) {
    const selector = new TerminalSelector({ platform });
    const separator = root.at(-2);
    const places = ["a", "a b", "思 😀", "é'\"$x", "É"].map((name) => `${root}${separator}${name}`);
    places.forEach((workingDirectory, at) => {
      selector.register({
        id: at + 1,
        provider: "vscode",
        shell: platform === "posix" ? "bash" : "pwsh",
        workingDirectory,
      });
    });
    for (const workingDirectory of [root, ...places]) {
      trace.push(
        selector.select({
          command: "make \ud800",
          workingDirectory,
          provider: "vscode",
          taskId: "t",
        }),
      );
      trace.push(pathRelation(root, workingDirectory, { platform }));
    }
    trace.push(selector.terminals, Array.from(selector.snapshot()));
    selector.dispose();
  }
  return JSON.stringify(trace);
}

async function* streamOf(events) {
  yield* events;
}

/** A session of a few turns, saved and restored after each, and what its streams give. */
async function agentSession({ AgentSession }) {
  let session = new AgentSession({
    assembler: { root: "/work", placement: "delta" },
    terminals: { platform: "posix" },
    loop: { profile: "standard", identicalCalls: 3 },
  });
  const host = { readFile: async ({ path }) => ({ content: `${path} 思 \ud800`, version: "1" }) };
  const call = { type: "tool_call", id: "c", name: "ls", args: { path: "a", é: [1e21, -0, 2.5] } };
  const trace = [];
  for (let turn = 1; turn <= 4; turn++) {
    session.beginTurn({ prompt: `@[a.md:1:2] ${turn} \udfff`, task: "任務", model: "m-preview" });
    const message = await session.assemble(host, { environment: `# ${turn}\n😀` });
    session.summaries.addMessage(message);
    const out = [];
    const events = streamOf([{ type: "text", text: "再看一次。" }, call, call, call]);
    const options = { adapter: (event) => event, onLoopDetected: (event) => out.push(event) };
    for await (const event of session.guard(events, options)) out.push(event);
    session.endTurn({ summary: `第 ${turn} 輪`, insights: ["一"] });
    const prompt = session.buildPrompt("action", {
      capability: "C",
      direction: "D",
      workspace: "W",
    });
    const snapshot = session.snapshot();
    trace.push({ message, out, prompt, log: session.log, snapshot: Array.from(snapshot) });
    session.dispose();
    session = AgentSession.restore(snapshot);
  }
  session.dispose();
  return JSON.stringify(trace);
}
