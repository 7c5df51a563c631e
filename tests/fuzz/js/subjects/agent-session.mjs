// The session of all machines, through its turns.

import { text } from "../texts.mjs";
import { assemblerOptions, host } from "./ghost-block.mjs";
import { event, loopOptions } from "./loop-detector.mjs";
import { parts, summaryOptions } from "./summary-injector.mjs";
import { request, terminal, terminalOptions } from "./terminal-selector.mjs";
import { guarded } from "./streams.mjs";

const turn = (dice) => ({
  prompt: text(dice),
  ...dice.some({
    promptId: () => dice.pick(["p1", "p2"]),
    task: () => text(dice),
    model: () => "m-preview",
  }),
});

export const agentSession = {
  name: "AgentSession",
  options: (dice) => ({
    assembler: assemblerOptions(dice),
    terminals: terminalOptions(dice),
    ...dice.some({
      loop: () => loopOptions(dice),
      summaries: () => summaryOptions(dice),
      environmentTags: () => ["env", "environment_details"],
    }),
  }),
  plainOptions: { assembler: { root: "/work" }, terminals: { platform: "posix" } },
  make: ({ AgentSession }, options) => new AgentSession(options),
  calls: {
    beginTurn: { weight: 20, args: (dice) => [turn(dice)], keeps: false },
    assemble: {
      weight: 15,
      args: (dice) => [host(dice), dice.some({ environment: () => text(dice) })],
      keeps: false,
    },
    buildPrompt: { args: (dice) => [dice.pick(["thinking", "action"]), parts(dice)] },
    guard: {
      weight: 15,
      args: (dice) => [dice.list(0, 8, () => event(dice))],
      keeps: false,
      run: (it, [events], dice) =>
        guarded((source, options) => it.guard(source, options), events, dice),
    },
    selectTerminal: { args: (dice) => [request(dice)] },
    "terminals.register": {
      args: (dice) => [terminal(dice)],
      run: (it, [terminal]) => it.terminals.register(terminal),
    },
    "summaries.addMessage": {
      args: (dice) => [{ role: dice.pick(["user", "assistant"]), content: text(dice) }],
      run: (it, [message]) => it.summaries.addMessage(message),
    },
    endTurn: {
      weight: 15,
      args: (dice) => [dice.some({ summary: () => text(dice), insights: () => [text(dice)] })],
      keeps: false,
    },
    // Not in a snapshot.
    log: { run: (it) => void it.log.length },
  },
  save: (it) => it.snapshot(),
  restore: ({ AgentSession }, snapshot) => AgentSession.restore(snapshot),
  end: (it) => it.dispose(),
};
