// Thousands of turns of a session in the extension host, with a command in a real terminal now and then: what is
// in use after each tenth of them.

import * as turnkeeper from "turnkeeper";
import { connectVscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import { SoakedSession } from "./memory/soaked.mjs";
import { observe } from "./observations";

/** As seldom as that, in turns, a command runs in a terminal. */
const COMMAND_EVERY = 250;
/** A shell on a busy machine may be slow to begin, and a command to end; milliseconds. */
const PATIENCE = 120_000;

declare const process: {
  memoryUsage(): { heapUsed: number; external: number; arrayBuffers: number };
  getActiveResourcesInfo(): string[];
};
declare const require: (name: string) => {
  setFlagsFromString(flags: string): void;
  runInNewContext(code: string): () => void;
};

interface Look {
  /** Seconds since the first turn. */
  seconds: number;
  bytes: number;
  /** What keeps the host alive, and how many of it. */
  kept: Record<string, number>;
  terminals: number;
  /** How the commands ended so far. */
  commands: Record<string, number>;
}

/** The host's own collector, which it does not hand out unless it is asked to. */
function collector(): () => void {
  require("node:v8").setFlagsFromString("--expose-gc");
  return require("node:vm").runInNewContext("gc");
}

async function inUse(collect: () => void): Promise<Pick<Look, "bytes" | "kept">> {
  // What VS Code does by itself now and then ends by the lowest of several looks.
  let bytes = Infinity;
  for (let round = 0; round < 5; round++) {
    await pause(50);
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    bytes = Math.min(bytes, heapUsed + external + arrayBuffers);
  }
  const kept: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) kept[name] = (kept[name] ?? 0) + 1;
  return { bytes, kept };
}

export async function run(): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  const given = vscode.Uri.joinPath(folder.uri, "given.json");
  const json = new TextDecoder().decode(await vscode.workspace.fs.readFile(given));
  const { turns, minutes } = JSON.parse(json) as { turns: number; minutes: number };
  const collect = collector();
  const session = new SoakedSession(turnkeeper);
  const selector = new turnkeeper.TerminalSelector({ platform: "posix" });
  const terminals = connectVscodeTerminals(vscode, selector, { shellIntegrationTimeout: PATIENCE });
  const commands: Record<string, number> = {};
  const command = async (n: number) => {
    const signal = AbortSignal.timeout(PATIENCE);
    const { outcome } = await terminals.run({
      command: `echo ${n}`,
      workingDirectory: folder.uri.fsPath,
      signal,
    });
    commands[outcome] = (commands[outcome] ?? 0) + 1;
  };
  const looks: Look[] = [];
  const began = performance.now();
  for (let tenth = 1; tenth <= 10; tenth++) {
    // Noted after each tenth, so that one can look in meanwhile.
    await observe("soak", async () => {
      for (let n = ((tenth - 1) * turns) / 10; n < (tenth * turns) / 10; n++) {
        await session.turn(n);
        if (n % COMMAND_EVERY === 0) await command(n);
        // The host answers its window, as it would between turns, and is not ahead of its time.
        const early = began + (n / turns) * minutes * 60_000 - performance.now();
        if (n % 50 === 0) await pause(Math.max(0, early));
      }
      const seconds = Math.round((performance.now() - began) / 1_000);
      looks.push({
        seconds,
        ...(await inUse(collect)),
        terminals: vscode.window.terminals.length,
        commands: { ...commands },
      });
      return { looks, longest: session.longest, vscode: vscode.version };
    });
  }
  terminals.dispose();
  selector.dispose();
  session.dispose();
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
