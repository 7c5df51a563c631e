// The hook as an agent runs it: a process that gets an event on its standard input.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { program } from "./program.mjs";

/** How the hook is started. */
export const HOOK = [program, "hook"];

const UNTOLD = new Set(["codex", "copilot-cli", "vscode-copilot", "cursor"]);
/** Milliseconds, as in `src/agents/watch/requests.rs`, and a few more. */
const QUICKEST_MODEL = 30;
const NEVER = new Int32Array(new SharedArrayBuffer(4));

/** A state folder that goes when the test ends, and hooks that use it. */
export class Hooks {
  constructor(test, agent, mode = "hint", more = []) {
    this.agent = agent;
    this.mode = mode;
    this.more = more;
    this.root = mkdtempSync(path.join(tmpdir(), "turnkeeper-hooks-"));
    this.state = path.join(this.root, "state");
    test.after(() => rmSync(this.root, { recursive: true, force: true }));
  }

  get env() {
    return { ...process.env, TURNKEEPER_STATE: this.state, TURNKEEPER: "" };
  }

  get #line() {
    return [...HOOK, this.agent, "--mode", this.mode, ...this.more];
  }

  /** What a hook prints for an event: its JSON, or undefined for nothing. It must end well and quietly. */
  send(event, env = {}) {
    // Where an agent does not tell requests apart, those that follow at once are of the same one.
    Atomics.wait(NEVER, 0, 0, UNTOLD.has(this.agent) ? QUICKEST_MODEL : 0);
    const input = typeof event === "string" ? event : JSON.stringify(event);
    const [program, ...args] = this.#line;
    const ended = spawnSync(program, args, {
      input,
      env: { ...this.env, ...env },
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    return answerOf(ended.status, ended.stdout, ended.stderr);
  }

  /** The same for events that come at once. */
  sendAll(events) {
    return Promise.all(
      events.map(
        (event) =>
          new Promise((resolve, reject) => {
            const [program, ...args] = this.#line;
            const child = spawn(program, args, { env: this.env });
            const output = { stdout: "", stderr: "" };
            for (const name of ["stdout", "stderr"]) {
              child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
            }
            child.once("error", reject);
            child.once("close", (code) => {
              try {
                resolve(answerOf(code, output.stdout, output.stderr));
              } catch (error) {
                reject(error);
              }
            });
            child.stdin.end(JSON.stringify(event));
          }),
      ),
    );
  }

  get log() {
    const file = path.join(this.state, "log.jsonl");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trim().split("\n");
    return lines.map((line) => JSON.parse(line));
  }

  /** The files of sessions, without those of the ledger. */
  get sessions() {
    const folder = path.join(this.state, "sessions");
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith(".state"));
    return names.map((name) => path.join(folder, name));
  }
}

function answerOf(code, stdout, stderr) {
  if (code !== 0 || stderr !== "") throw new Error(`the hook ended with ${code}: ${stderr}`);
  return stdout === "" ? undefined : JSON.parse(stdout);
}

let calls = 0;

/** Events in Claude Code's words. */
export const claude = {
  prompt: (session = "s", id = "p1") => ({
    hook_event_name: "UserPromptSubmit",
    session_id: session,
    prompt_id: id,
    prompt: "Is the build done?",
  }),
  /** A request's calls, each { command, output }. */
  batch: (list, { session = "s", promptId = "p1", subagent } = {}) => ({
    hook_event_name: "PostToolBatch",
    session_id: session,
    prompt_id: promptId,
    ...(subagent && { agent_id: subagent }),
    tool_calls: list.map(({ command: line, output }) => ({
      tool_name: "Bash",
      tool_input: { command: line },
      tool_use_id: `call-${++calls}`,
      tool_response: output,
    })),
  }),
  /** The same look at a log that does not change. */
  look: (options) => claude.batch([{ command: "cat build.log", output: "Compiling" }], options),
};
