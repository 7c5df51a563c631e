// The ghost-block assembler, with a host whose files, tools and failures the dice choose.

import { text, word } from "../texts.mjs";
import { maybeSpoiled } from "../spoiled.mjs";
import { Dice, mixed } from "../dice.mjs";
import { HostError } from "../round.mjs";

export function assemblerOptions(dice) {
  return {
    root: dice.pick(["/work", "/work/app", "/"]),
    ...dice.some({
      allowedRoots: () => dice.list(0, 2, () => dice.pick(["/work/shared", "/other"])),
      tools: () => ["tool", "思"],
      placement: () => dice.pick(["latest", "delta"]),
      maxTokens: () => 1 + dice.below(400),
      trustFiles: () => dice.chance(500),
      remoteImages: () => dice.chance(500),
      referencesInCode: () => dice.chance(500),
      macros: () => ({ [dice.pick(["ROLE", "A", "思"])]: text(dice) }),
      maxDepth: () => 1 + dice.below(4),
      maxItems: () => 1 + dice.below(6),
      maxItemBytes: () => 1 + dice.below(2_000),
      maxTotalBytes: () => 1 + dice.below(20_000),
      maxMacroExpansions: () => 1 + dice.below(60),
    }),
  };
}

/** A host that answers every question by the dice and the question alone, at once or later. */
export function host(dice) {
  const seed = dice.below(2 ** 31);
  const { spoiling } = dice;
  const answering = (make) => async (request) => {
    const question = JSON.stringify(request);
    let hash = seed;
    for (let at = 0; at < question.length; at++) hash = mixed(hash, question.charCodeAt(at));
    const own = new Dice(hash);
    own.spoil(spoiling);
    for (let turns = own.below(3); turns > 0; turns--) await null;
    if (own.chance(60)) throw own.pick([new HostError("the host failed"), "no error", undefined]);
    return maybeSpoiled(own, make(own, request));
  };
  return {
    readFile: answering((own) =>
      own.weighted([
        [4, text(own)],
        [3, { content: text(own), ...own.some({ version: () => word(own) }) }],
        [1, { unchanged: true }],
        [1, { missing: true }],
        [1, { denied: text(own) }],
      ]),
    ),
    ...dice.some(
      {
        runTool: () => answering((own) => text(own)),
        readImage: () =>
          answering((own) => ({
            mediaType: own.pick(["image/png", "text/html", ""]),
            data: own.pick(["AAAA", "?", text(own)]),
          })),
        listDirectory: () => answering((own) => text(own)),
      },
      700,
    ),
  };
}

const rules = (dice) => dice.list(0, 3, () => ({ name: word(dice), content: text(dice) }));
const messages = (dice) =>
  dice.list(0, 4, () => ({
    role: dice.pick(["user", "assistant", "system", "x"]),
    content: dice.chance(500)
      ? text(dice)
      : dice.list(0, 3, () => ({ type: "text", text: text(dice) })),
  }));

export const ghostBlock = {
  name: "GhostBlockAssembler",
  options: assemblerOptions,
  plainOptions: { root: "/work" },
  make: ({ GhostBlockAssembler }, options) => new GhostBlockAssembler(options),
  calls: {
    setRules: { weight: 5, args: (dice) => [rules(dice)] },
    inspect: { args: (dice) => [text(dice)] },
    // A prompt that is given up has kept what was defined and read by then.
    assemble: { weight: 30, args: (dice) => [text(dice), host(dice)], keeps: false },
    // It asks the host, and changes nothing.
    resolve: { args: (dice) => [text(dice), host(dice)] },
    preprocess: {
      args: (dice) => [text(dice), { [dice.pick(["ROLE", "A", "思"])]: text(dice) }],
    },
    "assemble, aborted": {
      args: (dice) => [text(dice), host(dice)],
      keeps: false,
      handsOn: true,
      async run(it, [prompt, host], dice) {
        const abort = new AbortController();
        const work = it.assemble(prompt, host, { signal: abort.signal });
        for (let turns = dice.below(5); turns > 0; turns--) await null;
        abort.abort(new HostError("enough"));
        return await work;
      },
    },
    "two prompts at once": {
      args: (dice) => [text(dice), text(dice), host(dice)],
      keeps: false,
      async run(it, [one, other, host]) {
        const both = [it.assemble(one, host), it.assemble(other, host)];
        // Neither may still be under way when the next call is made.
        await Promise.allSettled(both);
        return Promise.all(both);
      },
    },
    expandDocument: { args: (dice) => [text(dice), host(dice)], keeps: false },
    prepareSkill: {
      args: (dice) => [
        `---\nDescription: ${word(dice)}\nparams: [a, b]\n---\n${text(dice)}`,
        host(dice),
      ],
      keeps: false,
    },
    scanHistory: { args: (dice) => [messages(dice)], keeps: false },
    // Not in a snapshot.
    historyDiagnostics: { run: (it) => void it.historyDiagnostics.length },
    forget: {
      args: (dice) => [dice.pick(["a.md", "src/a.ts", word(dice)])],
    },
    items: { run: (it) => it.items },
    macros: { run: (it) => it.macros },
    stripGhostBlocks: {
      args: (dice) => [messages(dice)],
      run: (it, [messages], dice, tk) => tk.stripGhostBlocks(messages),
    },
  },
  save: (it) => it.snapshot(),
  restore: ({ GhostBlockAssembler }, snapshot) => GhostBlockAssembler.restore(snapshot),
  end: (it) => it.dispose(),
};
