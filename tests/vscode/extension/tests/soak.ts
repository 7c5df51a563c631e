// Thousands of turns of a session in the extension host: what is in use after each tenth of them.

import * as turnkeeper from "turnkeeper";
import * as vscode from "vscode";

import { SoakedSession } from "./memory/soaked.mjs";
import { observe } from "./observations";

declare const process: {
  memoryUsage(): { heapUsed: number; external: number; arrayBuffers: number };
  getActiveResourcesInfo(): string[];
};
declare const require: (name: string) => {
  setFlagsFromString(flags: string): void;
  runInNewContext(code: string): () => void;
};

/** The host's own collector, which it does not hand out unless it is asked to. */
function collector(): () => void {
  require("node:v8").setFlagsFromString("--expose-gc");
  return require("node:vm").runInNewContext("gc");
}

async function look(collect: () => void): Promise<{ bytes: number; kept: Record<string, number> }> {
  // What VS Code does by itself now and then ends by the lowest of several looks.
  let bytes = Infinity;
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
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
  const { turns } = JSON.parse(json) as { turns: number };
  const collect = collector();
  const session = new SoakedSession(turnkeeper);
  const looks: Awaited<ReturnType<typeof look>>[] = [];
  await observe("soak", async () => {
    for (let tenth = 1; tenth <= 10; tenth++) {
      for (let n = ((tenth - 1) * turns) / 10; n < (tenth * turns) / 10; n++) {
        await session.turn(n);
        // The host answers its window, as it would between turns.
        if (n % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 0));
      }
      looks.push(await look(collect));
    }
    return { looks, longest: session.longest, vscode: vscode.version };
  });
  session.dispose();
}
