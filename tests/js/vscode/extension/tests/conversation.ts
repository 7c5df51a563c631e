// A conversation through an AgentSession, with real files and a real terminal. The process ends twice
// in the middle of it; each time the next one goes on from the snapshot.

import { AgentSession } from "turnkeeper";
import { connectVscodeTerminals } from "turnkeeper/adapters/vscode";
import * as vscode from "vscode";

import { COUNT, type Driver, at, take } from "./conversation/twelve-turns.mjs";
import { observe } from "./observations";

/** Where a process ends: when the model has begun to loop, and before a command is run. */
const ENDS = [at(6, "goOn"), at(8, "act"), COUNT];

declare const process: { pid: number };

interface Saved {
  part: number;
  transcript: string;
  snapshot: number[];
}

export async function run(): Promise<void> {
  const { root } = JSON.parse(await read(inWorkspace("given.json"))) as { root: string };
  const before = await read(inWorkspace("saved-session.json")).then(
    (json) => JSON.parse(json) as Saved,
    () => undefined,
  );
  const part = before?.part ?? 0;
  const session = before
    ? AgentSession.restore(Uint8Array.from(before.snapshot))
    : new AgentSession({
        assembler: { root },
        terminals: { platform: "posix" },
        loop: { profile: "standard" },
      });
  const selector: Parameters<typeof connectVscodeTerminals>[1] = {
    select: (request) => session.selectTerminal(request),
    cancel: (id) => session.terminals.cancel(id),
    register: (terminal) => session.terminals.register(terminal),
    update: (id, change) => session.terminals.update(id, change),
    get terminals() {
      return session.terminals.terminals;
    },
  };
  // A shell may take long to begin on a busy machine.
  const terminals = connectVscodeTerminals(vscode, selector, { shellIntegrationTimeout: 120_000 });
  if (before) await terminalsAreBack(session.terminals.terminals.length);
  const driver: Driver = {
    async readFile({ path, startLine, endLine }) {
      try {
        const lines = (await read(vscode.Uri.file(`${root}/${path}`))).split("\n");
        return lines.slice((startLine ?? 1) - 1, endLine).join("\n");
      } catch {
        return { missing: true };
      }
    },
    writeFile: (path, text) => write(vscode.Uri.file(`${root}/${path}`), text),
    async run(_, command, folder) {
      const cwd = folder === "." ? root : `${root}/${folder}`;
      const { choice, output } = await terminals.run({
        command,
        workingDirectory: cwd,
        taskId: "a",
      });
      return { action: choice.action, output };
    },
  };
  const said = await take(session, driver, ENDS[part - 1] ?? 0, ENDS[part]!);
  const transcript = (before?.transcript ?? "") + said;
  const snapshot = [...session.snapshot()];
  await write(
    inWorkspace("saved-session.json"),
    JSON.stringify({ part: part + 1, transcript, snapshot } satisfies Saved),
  );
  if (part < ENDS.length - 1) {
    await observe(`conversation-${part}`, () => process.pid);
    // The test outside ends this process.
    return new Promise(() => {});
  }
  await observe("conversation", () => ({
    transcript,
    terminals: vscode.window.terminals.length,
    log: session.log,
  }));
}

async function terminalsAreBack(count: number): Promise<void> {
  for (let tries = 0; vscode.window.terminals.length < count; tries++) {
    if (tries === 3_000) throw new Error(`${count} terminals were expected`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function inWorkspace(name: string): vscode.Uri {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) throw new Error("no folder is open");
  return vscode.Uri.joinPath(folder.uri, name);
}

async function read(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

async function write(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
