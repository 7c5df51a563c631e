// One visit to VS Code: the extension at work in a window, what a user sees and does, a reload.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { temporaryFolder } from "../packaging/app.mjs";
import { buildExtension } from "./extension-build.mjs";
import { VsCodeServer } from "./vscode-server.mjs";
import { Workbench } from "./workbench.mjs";

// Generous, because all that it costs is how long a hopeless visit lasts.
const LIMIT = 480_000;

const EXTENSION_ID = "turnkeeper-tests.agent";

/** Starts VS Code, visits it with the "node" or the "web" extension host, and ends it. */
export async function visit(host) {
  const seen = { failure: undefined, inside: {}, notification: undefined };
  let server, workbench;
  try {
    const extension = await buildExtension();
    server = await VsCodeServer.start(temporaryFolder());
    workbench = await Workbench.open(server, extension);
    workbench.page.setDefaultTimeout(LIMIT);
    await withLimit(() => inSteps(host, workbench, seen));
  } catch (error) {
    seen.failure = error;
  }
  if (server) seen.inside = observations(server.workspace);
  seen.traces = await leaveTraces(host, server, workbench);
  const lines = server?.log.split("\n") ?? ["it did not start"];
  seen.serverSaid = `the server's last lines:\n${lines.slice(-30).join("\n")}`;
  await workbench?.close();
  await server?.stop();
  return seen;
}

async function inSteps(host, workbench, seen) {
  const { page } = workbench;
  const firstRun = workbench.run(host, "tests/first-run.js");
  const message = page.locator(".notifications-toasts .notification-list-item", {
    has: page.getByRole("button", { name: "Show Log" }),
  });
  // The tests inside go on only when the button has been pressed, unless they end before.
  const read = async () => {
    seen.notification = {
      text: await message.locator(".notification-list-item-message").innerText(),
      isWarning: (await message.locator(".codicon-warning").count()) > 0,
    };
    await message.getByRole("button", { name: "Show Log" }).click();
    return firstRun;
  };
  await endsWell(Promise.race([firstRun, read()]));
  await page.waitForFunction(isSaved, EXTENSION_ID);
  await endsWell(workbench.run(host, "tests/after-reload.js"));
  await endsWell(workbench.run(host, "tests/traces.js"));
}

export async function endsWell(run) {
  const code = await run;
  if (code !== 0) throw new Error(`the tests inside VS Code ended with ${code}`);
}

/** In the page: whether VS Code has written the extension's state to where a reload reads it. */
async function isSaved(extension) {
  const request = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db-")) continue;
    const database = await request(indexedDB.open(name));
    try {
      const items = database.transaction("ItemTable").objectStore("ItemTable");
      if (await request(items.get(extension))) return true;
    } finally {
      database.close();
    }
  }
  return false;
}

/** What the tests inside have noted so far, by name. */
export function observations(workspace) {
  const seen = {};
  for (const file of readdirSync(workspace)) {
    const { name, ext } = path.parse(file);
    if (ext === ".json") seen[name] = JSON.parse(readFileSync(path.join(workspace, file), "utf8"));
  }
  return seen;
}

/** Leaves what helps to understand a failure in target/vscode, and says where. */
export async function leaveTraces(host, server, workbench) {
  const folder = fileURLToPath(new URL(`../../../target/vscode/${host}`, import.meta.url));
  mkdirSync(folder, { recursive: true });
  if (server) writeFileSync(path.join(folder, "server.log"), server.log);
  if (workbench) {
    writeFileSync(path.join(folder, "console.log"), workbench.console.join("\n"));
    const screenshot = path.join(folder, "screenshot.png");
    // A page that has crashed has no picture, and that must not hide why.
    await workbench.page.screenshot({ path: screenshot, timeout: 10_000 }).catch(() => {});
  }
  return `screenshot.png, console.log and server.log are in ${folder}`;
}

/** Gives work up after so many milliseconds. */
export async function withLimit(work, milliseconds = LIMIT) {
  let timer;
  const limit = new Promise((_, reject) => {
    const end = () => reject(new Error(`no end after ${milliseconds / 1_000} s`));
    timer = setTimeout(end, milliseconds);
  });
  try {
    return await Promise.race([work(), limit]);
  } finally {
    clearTimeout(timer);
  }
}
