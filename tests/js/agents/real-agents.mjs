// The real command-line agents: their packages, and what each needs to run without a person, a key or a
// network, against the scripted model.

import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

import { command } from "../node/installed-package.mjs";
import { launched, program } from "./program.mjs";

const PROMPT = "Tell me when the build is done.";

/**
 * `stops`: what a stop does, `ends` (no further request) or `refuses` (no further call runs). `loop`: the
 * script that is a loop for this agent, where its own guard would end twelve equal calls first.
 */
export const AGENTS = {
  "claude-code": {
    package: "@anthropic-ai/claude-code@2.1.330",
    // The program itself, which a script of the package would link.
    file: "@anthropic-ai/claude-code-linux-x64/claude",
    isQuick: true,
    stops: "ends",
    files: ({ work }) => ({
      ".claude.json": {
        hasCompletedOnboarding: true,
        customApiKeyResponses: { approved: ["no-key"], rejected: [] },
        projects: { [work]: { hasTrustDialogAccepted: true, allowedTools: [] } },
      },
      ".claude/settings.json": '{\n\t"cleanupPeriodDays": 20,\n\t"hooks": {"Stop": []}\n}',
    }),
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "no-key",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1",
    }),
    args: (prompt, { goesOn } = {}) => [
      "-p",
      prompt,
      ...(goesOn ? ["-c"] : []),
      ...["--model", "claude-sonnet-4-5", "--allowedTools", "Bash Agent"],
      ...["--output-format", "stream-json", "--verbose"],
    ],
  },
  // It knows no batches, and drops its whole settings at an event that it does not know.
  "claude-code 2.1.89": {
    get basis() {
      return AGENTS["claude-code"];
    },
    of: "claude-code",
    package: "@anthropic-ai/claude-code@2.1.89",
    bin: "claude",
    isQuick: true,
    isOld: true,
    stops: "ends",
  },
  codex: {
    package: "@openai/codex@0.169.0",
    bin: "codex",
    isQuick: true,
    stops: "refuses",
    files: ({ work, url }) => ({
      ".codex/config.toml": `model = "gpt-5"
model_provider = "scripted"
model_auto_compact_token_limit = 50000
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "NO_KEY"
wire_api = "responses"
supports_websockets = false
[projects."${work}"]
trust_level = "trusted"
`,
    }),
    env: () => ({ NO_KEY: "no-key" }),
    args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt],
  },
  "gemini-cli": {
    package: "@google/gemini-cli@0.61.0",
    bin: "gemini",
    isQuick: false,
    stops: "ends",
    files: () => ({
      ".gemini/settings.json": {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
        model: { disableLoopDetection: true },
      },
    }),
    env: ({ url }) => ({
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: "no-key",
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
    args: (prompt) => ["-p", prompt, "-m", "gemini-2.5-pro", "--approval-mode", "yolo"],
  },
  "qwen-code": {
    package: "@qwen-code/qwen-code@0.24.4",
    bin: "qwen",
    isQuick: false,
    stops: "ends",
    // Its own guard ends five equal calls in a row.
    loop: "alternating",
    files: () => ({
      ".qwen/settings.json": {
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        security: { auth: { selectedType: "openai" }, folderTrust: { enabled: false } },
        model: {
          skipLoopDetection: true,
          skipNextSpeakerCheck: true,
          generationConfig: { contextWindowSize: 100_000 },
        },
        // It would be added.
        $version: 4,
      },
    }),
    env: ({ url }) => ({
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "no-key",
      OPENAI_MODEL: "scripted",
      QWEN_CODE_NO_RELAUNCH: "true",
    }),
    args: (prompt) => ["-p", prompt, "--approval-mode", "yolo"],
  },
  "copilot-cli": {
    package: "@github/copilot@1.0.102",
    bin: "copilot",
    isQuick: true,
    stops: "refuses",
    files: ({ work }) => ({ ".copilot/config.json": { trusted_folders: [work] } }),
    env: ({ url }) => ({
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "no-key",
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
    }),
    args: (prompt) => [
      "-p",
      prompt,
      "--allow-all-tools",
      "--allow-all-paths",
      "--no-auto-update",
      "--no-color",
    ],
  },
  cline: {
    package: "cline@3.0.65",
    bin: "cline",
    isQuick: false,
    stops: "ends",
    loop: "alternating",
    files: () => ({}),
    env: () => ({ CLINE_TELEMETRY_DISABLED: "1", CLINE_NO_AUTO_UPDATE: "1" }),
    before: ({ run, url }) =>
      run(["auth", "-p", "openai-compatible", "-k", "no-key", "-m", "scripted", "-b", `${url}/v1`]),
    args: (prompt) => [
      "-P",
      "openai-compatible",
      "-m",
      "scripted",
      "--auto-approve",
      "true",
      "--json",
      prompt,
    ],
  },
  opencode: {
    package: "opencode-ai@1.18.33",
    file: "opencode-linux-x64/bin/opencode",
    isQuick: true,
    stops: "ends",
    files: ({ url }) => ({
      ".config/opencode/opencode.json": openCodeSettings(url),
      // As if it had installed there what it installs in every new home, 65 MB that no plugin here needs.
      ".config/opencode/node_modules/.keep": "",
      ".config/opencode/package-lock.json": {
        packages: { "": { dependencies: { "@opencode-ai/plugin": "1.18.33" } } },
      },
    }),
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      npm_config_fetch_retries: "0",
    }),
    args: (prompt) => ["run", prompt],
  },
  kilo: {
    package: "@kilocode/cli@7.7.7",
    file: "@kilocode/cli-linux-x64/bin/kilo",
    isQuick: false,
    stops: "ends",
    files: ({ url }) => ({ ".config/kilo/kilo.json": openCodeSettings(url) }),
    env: () => ({
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_DISABLE_LSP_DOWNLOAD: "1",
      KILO_DISABLE_DEFAULT_PLUGINS: "1",
      KILO_TELEMETRY_LEVEL: "off",
      npm_config_fetch_retries: "0",
    }),
    args: (prompt) => ["run", prompt],
  },
  pi: {
    package: "@earendil-works/pi-coding-agent@0.74.2",
    bin: "pi",
    isQuick: true,
    stops: "ends",
    files: ({ url }) => ({
      ".pi/agent/models.json": {
        providers: {
          scripted: {
            baseUrl: `${url}/v1`,
            api: "openai-completions",
            apiKey: "no-key",
            models: [{ id: "scripted", contextWindow: 100_000, maxTokens: 4_096 }],
          },
        },
      },
      ".pi/agent/settings.json": { quietStartup: true, enableInstallTelemetry: false },
    }),
    env: () => ({ PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" }),
    args: (prompt) => ["-p", "--provider", "scripted", "--model", "scripted", "--offline", prompt],
  },
  goose: {
    package: "@aaif/goose@0.20.1",
    file: "@aaif/goose-binary-linux-x64/bin/goose",
    isQuick: false,
    stops: "nothing",
    files: () => ({
      ".config/goose/config.yaml":
        "GOOSE_TELEMETRY_ENABLED: false\nextensions:\n  developer:\n    type: builtin\n    name: developer\n    enabled: true\n    timeout: 300\n    bundled: true\n",
    }),
    env: ({ url }) => ({
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: "scripted",
      OPENAI_HOST: url,
      OPENAI_API_KEY: "no-key",
      GOOSE_MODE: "auto",
      GOOSE_DISABLE_KEYRING: "1",
      GOOSE_TELEMETRY_ENABLED: "false",
      GOOSE_DISABLE_SESSION_NAMING: "true",
    }),
    args: (prompt) => ["run", "--with-builtin", "developer", "-t", prompt],
  },
};

function openCodeSettings(url) {
  const model = { name: "scripted", tool_call: true, limit: { context: 100_000, output: 4_096 } };
  const options = { baseURL: `${url}/v1`, apiKey: "no-key" };
  return {
    // It would be added.
    $schema: "https://opencode.ai/config.json",
    autoupdate: false,
    share: "disabled",
    model: "scripted/scripted",
    small_model: "scripted/scripted",
    permission: { bash: "allow", edit: "allow" },
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "scripted",
        options,
        models: { scripted: model },
      },
    },
  };
}

const CACHE = path.join(
  process.env.TURNKEEPER_TOOLS ??
    path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "turnkeeper"),
);

/** Installs an agent's package once, without any script of it: its folder. */
function installed(name, specification) {
  const folder = path.join(CACHE, `agent-${name}-${specification.split("@").at(-1)}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(path.join(unfinished, "package.json"), '{ "private": true }\n');
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
  execFileSync("npm", ["install", ...options, specification], { cwd: unfinished, stdio: "pipe" });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    // Another run was quicker.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** A home folder and a working directory of their own, in which an agent runs. */
export class Place {
  constructor(name, model) {
    const { basis = {}, ...agent } = AGENTS[name];
    this.name = agent.of ?? name;
    this.agent = { ...basis, ...agent };
    if (agent.of) delete this.agent.file;
    this.model = model;
    this.root = mkdtempSync(path.join(tmpdir(), "turnkeeper-agents-"));
    this.home = path.join(this.root, "home");
    this.work = path.join(this.root, "work");
    for (const folder of [this.home, this.work]) mkdirSync(folder);
    writeFileSync(path.join(this.work, "build.log"), "Compiling\n");
    /** The files as they were written, by their paths. */
    this.settings = this.#write(this.agent.files({ work: this.work, url: model.url }));
  }

  #write(files) {
    const written = Object.entries(files).map(([name, content]) => {
      const file = path.join(this.home, name);
      const text = typeof content === "string" ? content : JSON.stringify(content, undefined, 2);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
      return [file, text];
    });
    return Object.fromEntries(written);
  }

  get env() {
    const { home } = this;
    const node24 = process.env.TURNKEEPER_NODE24;
    // The agent is found on the PATH, and with it its version.
    const bin = path.join(installed(this.name, this.agent.package), "node_modules/.bin");
    const before = node24 ? [path.dirname(node24), bin] : [bin];
    return {
      PATH: this.path ?? [...before, process.env.PATH].join(path.delimiter),
      HOME: home,
      LANG: "C.UTF-8",
      TERM: "dumb",
      NO_COLOR: "1",
      DO_NOT_TRACK: "1",
      TMPDIR: this.root,
      NO_PROXY: "127.0.0.1,localhost",
      XDG_CONFIG_HOME: path.join(home, ".config"),
      XDG_DATA_HOME: path.join(home, ".local/share"),
      XDG_CACHE_HOME: path.join(home, ".cache"),
      XDG_STATE_HOME: path.join(home, ".local/state"),
      ...this.agent.env({ ...this, url: this.model.url }),
    };
  }

  get state() {
    return path.join(this.home, ".local/state/turnkeeper");
  }

  /** The files of its sessions. */
  get sessions() {
    const folder = path.join(this.state, "sessions");
    const names = readdirSync(folder).filter((name) => name.endsWith(".state"));
    return names.map((name) => path.join(folder, name));
  }

  /** What the hooks logged. */
  get log() {
    const file = path.join(this.state, "log.jsonl");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  }

  /** From now on no Node is found: not on the PATH, nor where the hooks know of one. */
  loseNode() {
    const folder = path.join(this.root, "bin");
    mkdirSync(folder);
    for (const command of ["bash", "cat", "env", "expr", "git", "ls", "ps", "sh", "uname"]) {
      const file = ["/bin", "/usr/bin"].map((it) => path.join(it, command)).find(existsSync);
      if (file) symlinkSync(file, path.join(folder, command));
    }
    this.path = folder;
    rmSync(path.join(this.state, "package/node"), { force: true });
  }

  /** Runs the program, or the package's command on a Node that reads databases where there is one. */
  turnkeeper(name, ...args) {
    const isProgram = ["install", "uninstall", "status"].includes(name);
    const node = process.env.TURNKEEPER_NODE24 ?? process.execPath;
    const [file, ...before] = isProgram ? [program] : [node, command];
    return execFileSync(file, [...before, name, ...args], {
      env: { ...this.env, ...launched },
      cwd: this.work,
      encoding: "utf8",
    });
  }

  /** Runs the agent with a prompt to its end; `more` are arguments for the agent itself. */
  async prompt(prompt = PROMPT, { more = [], ...options } = {}) {
    await this.prepare();
    return this.run([...more, ...this.agent.args(prompt, options)]);
  }

  /** What the agent needs once. */
  async prepare() {
    if (!this.isPrepared) await this.agent.before?.({ run: this.run, url: this.model.url });
    this.isPrepared = true;
  }

  /** Runs a command of the agent. */
  run = (args) => this.#start(args);

  async #start(args) {
    const folder = installed(this.name, this.agent.package);
    const bin = this.agent.file ?? `.bin/${this.agent.bin}`;
    const file = realpathSync(path.join(folder, "node_modules", bin));
    // A script of Node's begins with what looks for it on the PATH.
    const isScript = readFileSync(file).subarray(0, 2).toString() === "#!";
    const node = process.env.TURNKEEPER_NODE24 ?? process.execPath;
    const command = isScript ? [node, file] : [file];
    const child = spawn(command[0], [...command.slice(1), ...args], {
      cwd: this.work,
      env: this.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => (output += piece));
    const timer = setTimeout(() => endGroup(child.pid), 90_000);
    const code = await new Promise((resolve) => {
      child.once("exit", (exitCode, signal) => resolve(exitCode ?? signal));
      child.once("error", (error) => resolve(String(error)));
    });
    clearTimeout(timer);
    // Some leave a server of theirs.
    endGroup(child.pid);
    this.output = output;
    return { code, output };
  }

  remove() {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

function endGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
