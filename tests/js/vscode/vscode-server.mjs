// VS Code's own server, with folders of its own and on a port that the system chooses.

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const { TURNKEEPER_CODE_SERVER, TURNKEEPER_NODE24 } = process.env;
const logFiles = new URL("log-files.mjs", import.meta.url);
/** From this version on VS Code's server is a command. */
const FIRST_COMMAND = [1, 94];

const SETTINGS = {
  "chat.disableAIFeatures": true,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "workbench.enableExperiments": false,
  "workbench.startupEditor": "none",
};

export class VsCodeServer {
  #process;
  #said = "";

  /** Starts a server that keeps everything in `home`, with `settings` beside those of every test. */
  static async start(home, settings = {}) {
    if (!TURNKEEPER_CODE_SERVER || !TURNKEEPER_NODE24) {
      throw new Error("no VS Code is named; run `cargo xtask test vscode`");
    }
    const server = new VsCodeServer();
    server.workspace = path.join(home, "workspace");
    mkdirSync(server.workspace);
    mkdirSync(path.join(home, "user/User"), { recursive: true });
    writeFileSync(
      path.join(home, "user/User/settings.json"),
      JSON.stringify({ ...SETTINGS, ...settings }),
    );
    server.#spawn(home);
    try {
      server.port = await server.#listening();
    } catch (error) {
      await server.stop();
      throw error;
    }
    return server;
  }

  get address() {
    return `127.0.0.1:${this.port}`;
  }

  /** All that it printed. */
  get log() {
    return this.#said;
  }

  /** Ends the server and the extension hosts that it started. */
  async stop() {
    const { exitCode, signalCode } = this.#process;
    if (exitCode === null && signalCode === null) {
      const gone = new Promise((resolve) => this.#process.once("exit", resolve));
      this.#kill();
      await gone;
    } else {
      this.#kill();
    }
  }

  #spawn(home) {
    const flags = [
      "--accept-server-license-terms",
      "--without-connection-token",
      "--disable-workspace-trust",
      ["--host", "127.0.0.1"],
      ["--port", "0"],
      ["--telemetry-level", "off"],
      ["--server-data-dir", path.join(home, "server")],
      ["--user-data-dir", path.join(home, "user")],
      ["--extensions-dir", path.join(home, "extensions")],
    ].flat();
    const main = path.join(TURNKEEPER_CODE_SERVER, "lib/vscode/out/server-main.js");
    const env = { ...process.env, HOME: home };
    for (const name of Object.keys(env)) {
      // What the test runner means for its own children, and what npm or an outer VS Code left.
      if (/^(NODE_|npm_|VSCODE_)/.test(name)) delete env[name];
    }
    // A process group of its own, so that the extension hosts end with it.
    this.#process = spawn(
      TURNKEEPER_NODE24,
      // VS Code hands the flags of its Node on to the extension hosts.
      ["--import", logFiles.href, ...start(main), ...flags],
      { env, detached: true, stdio: ["ignore", "pipe", "pipe"] },
    );
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (this.#said += text));
    }
    // Before the listeners that remove the folders it writes to.
    process.prependListener("exit", () => this.#kill());
  }

  #listening() {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(this.#failed("did not listen")), 120_000);
      this.#process.stdout.on("data", () => {
        const [, port] = /^Extension host agent listening on (\d+)$/m.exec(this.#said) ?? [];
        if (!port) return;
        clearTimeout(limit);
        resolve(Number(port));
      });
      this.#process.once("error", reject);
      this.#process.once("exit", (code) => reject(this.#failed(`ended with ${code}`)));
    });
  }

  #failed(what) {
    return new Error(`VS Code's server ${what}; it said:\n${this.#said}`);
  }

  #kill() {
    try {
      process.kill(-this.#process.pid, "SIGKILL");
    } catch {
      // Nothing is left of the group.
    }
  }
}

/** What Node runs to start the server whose main file is `main`. */
function start(main) {
  const about = readFileSync(path.join(TURNKEEPER_CODE_SERVER, "lib/vscode/package.json"), "utf8");
  const [major, minor] = JSON.parse(about).version.split(".").map(Number);
  const isCommand = major > FIRST_COMMAND[0] || minor >= FIRST_COMMAND[1];
  const server = fileURLToPath(new URL("handed-out-server.mjs", import.meta.url));
  return isCommand ? [main] : [server, main];
}

// An `exit` listener is not called when a signal ends the process.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
