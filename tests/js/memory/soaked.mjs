// What a soak does again and again: events, and turns of a session. It uses nothing but the package that it
// is given, so that it runs in an extension host, too.

export const MB = 1024 * 1024;
/** What may be in use more at the end than after the first tenth, in bytes. */
export const MOST_GROWTH = MB;
/** What a session keeps of each turn, beside that: its summary, which can be recalled for ever. */
export const KEPT_OF_A_TURN = 256;

/** Events of a session that goes on and on: words, calls with their results, new turns and prompts. */
export function eventAt(n) {
  switch (n % 10) {
    case 0:
      return { type: "turn_started" };
    case 1:
      return { type: "reasoning", text: `Look at ${(n * 7919) % 1009} now. ` };
    case 2:
    case 3:
    case 4:
    case 5:
      return { type: "text", text: `word${(n * 31) % 997} 思 ` };
    case 6:
    case 8:
      return {
        type: "tool_call",
        id: `c${n}`,
        name: `tool${(n * 13) % 53}`,
        args: { path: `f${n}`, n },
      };
    default:
      return { type: "tool_result", id: `c${n - 1}`, output: `done ${n}`, exitCode: 0 };
  }
}

const host = {
  readFile: async ({ path }) => ({ content: `text of ${path}`, version: "1" }),
  runTool: async () => "done",
};
const parts = { capability: "C", direction: "D", workspace: "W" };

async function* streamOf(events) {
  yield* events;
}

/** One session that is saved at each turn, and restored at every hundredth. */
export class SoakedSession {
  /** The bytes of the longest snapshot. */
  longest = 0;
  #restore;
  #session;

  constructor({ AgentSession }) {
    this.#restore = (snapshot) => AgentSession.restore(snapshot);
    this.#session = new AgentSession({
      assembler: { root: "/work", maxTokens: 2_000 },
      terminals: { platform: "posix" },
      summaries: { maxMessages: 40, maxTokens: 500 },
    });
    this.#session.terminals.register({
      id: 1,
      provider: "vscode",
      shell: "bash",
      workingDirectory: "/work",
    });
  }

  async turn(n) {
    const session = this.#session;
    session.beginTurn({ prompt: `Look at @[f${n % 20}.md], ${n}`, task: "task", model: "m" });
    const message = await session.assemble(host, { environment: `# Time\n${n}` });
    session.summaries.addMessage(message);
    session.buildPrompt("action", parts);
    const events = [n * 10 + 1, n * 10 + 2, n * 10 + 6, n * 10 + 7].map(eventAt);
    for await (const event of session.guard(streamOf(events), { adapter: (event) => event }))
      void event;
    if (session.loop.stopped) throw new Error(`a loop in turn ${n}`);
    session.selectTerminal({ command: "make", workingDirectory: "/work", provider: "vscode" });
    session.endTurn({ summary: `Turn ${n} is done.` });
    const request = session.summaries.takeFoldRequest();
    if (request) session.summaries.answerFoldRequest({ summary: "What came before." });
    const snapshot = session.snapshot();
    this.longest = Math.max(this.longest, snapshot.length);
    if (n % 100 === 99) {
      session.dispose();
      this.#session = this.#restore(snapshot);
    }
  }

  dispose() {
    this.#session.dispose();
  }
}
