// A visit to VS Code for a conversation during which its extension host is killed twice.

import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";

import { FILES } from "../conversation/twelve-turns.mjs";
import { temporaryFolder } from "../packaging/app.mjs";
import { buildExtension } from "./extension-build.mjs";
import { endsWell, leaveTraces, observations, withLimit } from "./visit.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

const TESTS = "tests/conversation.js";

export async function visitConversation() {
  const seen = { failure: undefined, inside: {} };
  let server, workbench;
  try {
    const extension = await buildExtension();
    const home = realpathSync(temporaryFolder());
    server = await VsCodeServer.start(home);
    const root = path.join(home, "project");
    for (const [file, text] of Object.entries(FILES)) {
      mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
      writeFileSync(path.join(root, file), text);
    }
    writeFileSync(path.join(server.workspace, "given.json"), JSON.stringify({ root }));
    workbench = await Workbench.open(server, extension);
    await withLimit(async () => {
      for (const part of [0, 1]) {
        // Its tests never end.
        void workbench.run("node", TESTS);
        const pid = await noted(server, `conversation-${part}`);
        // VS Code writes down which terminals a window has some time after they were made.
        await workbench.page.waitForTimeout(10_000);
        process.kill(pid, "SIGKILL");
      }
      await endsWell(workbench.run("node", TESTS));
    }, 240_000);
  } catch (error) {
    seen.failure = error;
  }
  if (server) seen.inside = observations(server.workspace);
  seen.traces = await leaveTraces("conversation", server, workbench);
  await workbench?.close();
  await server?.stop();
  return seen;
}

/** What the tests inside note under a name, once they do. */
async function noted(server, name) {
  for (;;) {
    const file = path.join(server.workspace, `${name}.json`);
    const seen = existsSync(file) && readFileSync(file, "utf8");
    // It may be half written.
    if (seen && seen.endsWith("}")) {
      const { value, error } = JSON.parse(seen);
      if (error) throw new Error(error);
      return value;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
