// What a version of the package has saved, every later one restores and goes on from: tests/data/snapshots has
// a file of each version. With TURNKEEPER_WRITE set, this records what the present version saves.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

import { load, turnkeeper } from "./installed-package.mjs";

const peers = load("turnkeeper/peers");
const { version } = load("turnkeeper/package.json");
const FOLDER = fileURLToPath(new URL("../../data/snapshots", import.meta.url));

const read = { type: "tool_call", name: "read_file", args: { path: "garden/beds.md" } };
const beds = { type: "tool_result", output: "Twelve beds." };
const reads = (count) => Array.from({ length: count }, () => [read, beds]).flat();
const observed = (detector, events) => events.map((event) => detector.observe(event).action);

const host = {
  readFile: async ({ path }) => (path === "/garden/beds.md" ? "Twelve beds." : { missing: true }),
};
const machines = { assembler: { root: "/garden" }, terminals: { platform: "posix" } };

/** Of each class: what happens before a snapshot, and what comes of it afterwards. */
const CLASSES = {
  LoopDetector: {
    make: () => new turnkeeper.LoopDetector(),
    before(detector) {
      detector.startPrompt("p1", { userPrompt: "Count the beds." });
      observed(detector, [{ type: "text", text: "I look.\n```\ncode" }, ...reads(3)]);
    },
    after: (detector) => [detector.takeFeedback(), detector.prompt, observed(detector, reads(3))],
  },
  PeerLoopDetector: {
    make: () => new peers.LoopDetector({ profile: "roo" }),
    from: peers.LoopDetector,
    before(detector) {
      detector.startPrompt("p1");
      observed(detector, reads(2));
    },
    after: (detector) => [detector.prompt, observed(detector, reads(3))],
  },
  GhostBlockAssembler: {
    make: () => new turnkeeper.GhostBlockAssembler({ root: "/garden" }),
    async before(assembler) {
      assembler.setRules([{ name: "tone", content: "Be short." }]);
      await assembler.assemble('@{define B, "beds.md"}\n@[beds.md] @[none.md]', host);
    },
    after: async (assembler) => [assembler.macros, await assembler.assemble("@[@{B}]", host)],
  },
  SummaryInjector: {
    make: () => new turnkeeper.SummaryInjector({ maxTokens: 500 }),
    before(injector) {
      injector.startTurn({ task: "Count the beds." });
      injector.addMessage({ id: "m1", role: "user", content: "How many?" });
      injector.addThinkingRound("The list is in beds.md.");
      injector.storeSummary({ summary: "There are twelve.", insights: ["beds.md has them"] });
      injector.completeTurn();
      injector.startTurn();
    },
    after: (injector) => [
      injector.currentTurn,
      injector.accumulatedSummaries(),
      injector.recall({ ids: ["m1"] }),
    ],
  },
  TerminalSelector: {
    make: () => new turnkeeper.TerminalSelector({ platform: "posix" }),
    before(selector) {
      const at = (id, workingDirectory) =>
        selector.register({ id, provider: "vscode", shell: "bash", workingDirectory, taskId: "t" });
      at(1, "/garden");
      at(2, "/shed");
      selector.select({
        command: "ls",
        workingDirectory: "/garden",
        provider: "vscode",
        taskId: "t",
      });
    },
    after: (selector) => [
      selector.terminals,
      selector.select({
        command: "ls",
        workingDirectory: "/shed/a",
        provider: "vscode",
        taskId: "t",
      }),
    ],
  },
  WorkLedger: {
    make: () => new turnkeeper.WorkLedger(),
    before(ledger) {
      ledger.prompt("Count the beds.");
      for (const event of reads(2)) ledger.observe(event);
    },
    after: (ledger) => ledger.text(),
  },
  AgentSession: {
    make: () => new turnkeeper.AgentSession(machines),
    before(session) {
      session.beginTurn({ prompt: "How many beds? @[beds.md]", task: "Count the beds." });
      observed(session.loop, reads(3));
    },
    after: async (session) => [
      await session.assemble(host),
      session.loop.takeFeedback(),
      observed(session.loop, reads(2)),
    ],
  },
};

/** As JSON has it: what is recorded is compared with what was read. */
const plain = (value) => JSON.parse(JSON.stringify(value));

const present = {};
for (const [name, { make, before, after }] of Object.entries(CLASSES)) {
  const one = make();
  await before(one);
  const snapshot = Buffer.from(one.snapshot()).toString("base64");
  present[name] = { snapshot, after: plain(await after(one)) };
  one.dispose();
}
if (process.env.TURNKEEPER_WRITE) {
  const text = `${JSON.stringify(present, null, 2)}\n`;
  writeFileSync(path.join(FOLDER, `${version}.json`), text);
}

const versions = readdirSync(FOLDER).map((file) => path.parse(file).name);
const recorded = (of) => JSON.parse(readFileSync(path.join(FOLDER, `${of}.json`), "utf8"));

test("what this version saves is recorded", () => {
  assert.ok(versions.includes(version));
  assert.deepEqual(present, recorded(version));
});

for (const of of versions) {
  describe(`what ${of} saved is gone on from`, () => {
    for (const [name, { snapshot, after }] of Object.entries(recorded(of))) {
      test(name, async () => {
        const from = CLASSES[name].from ?? turnkeeper[name];
        const one = from.restore(new Uint8Array(Buffer.from(snapshot, "base64")));
        assert.deepEqual(plain(await CLASSES[name].after(one)), after);
        one.dispose();
      });
    }
  });
}
