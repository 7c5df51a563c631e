// Writes audit-screen.svg, what `turnkeeper` shows of a made-up week of work:
//   TURNKEEPER_APP=target/app node docs/images/audit-screen.mjs

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { run } from "../../tests/js/node/replay-command.mjs";

const COLUMNS = 104;
const home = mkdtempSync(path.join(tmpdir(), "turnkeeper-week-"));
const fixture = (name) =>
  readFileSync(fileURLToPath(new URL(`../../tests/data/${name}`, import.meta.url)), "utf8");
const hoursAgo = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString();
const write = (name, text) => {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

/** A session of Claude Code: each step is a call and its result, and how much of the context was cached. */
function claude(name, title, project, steps) {
  const common = { sessionId: name, cwd: `/home/user/${project}` };
  const lines = [
    { type: "custom-title", customTitle: title, ...common },
    {
      type: "user",
      uuid: `${name}-u`,
      timestamp: hoursAgo(steps[0].hours),
      message: { role: "user", content: title },
      ...common,
    },
  ];
  steps.forEach(({ hours, tool, input, output, read, write: written }, n) => {
    const usage = {
      input_tokens: 4,
      cache_read_input_tokens: read,
      cache_creation_input_tokens: written,
      output_tokens: 180,
    };
    const content = [{ type: "tool_use", id: `t${n}`, name: tool, input }];
    const message = {
      id: `msg_${name}_${n}`,
      role: "assistant",
      model: "claude-sonnet-4-5",
      content,
      usage,
    };
    const result = [{ type: "tool_result", tool_use_id: `t${n}`, content: output }];
    const timestamp = hoursAgo(hours);
    lines.push(
      {
        type: "assistant",
        uuid: `${name}-a${n}`,
        requestId: `r${n}`,
        timestamp,
        message,
        ...common,
      },
      {
        type: "user",
        uuid: `${name}-b${n}`,
        timestamp,
        message: { role: "user", content: result },
        ...common,
      },
    );
  });
  write(
    `.claude/projects/-home-user-${project}/${name}.jsonl`,
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

const bash = (command, output) => ({ tool: "Bash", input: { command }, output });
claude(
  "stuck-build",
  "The build hangs after the upgrade",
  "shop",
  Array.from({ length: 60 }, (_, n) => ({
    ...bash("npm run build", "Bundling…\n1 error in src/cart.ts"),
    hours: 30 - n / 60,
    read: 90_000 + 400 * n,
    write: 400,
  })),
);
claude(
  "import-orders",
  "Import orders from the old shop",
  "shop",
  Array.from({ length: 80 }, (_, n) => ({
    ...bash(`node import.mjs --page ${n}`, `page ${n}: 50 orders`),
    hours: 60 - n / 60 - (n > 25 ? 2 : 0) - (n > 55 ? 3 : 0),
    read: n === 26 || n === 56 ? 0 : 120_000 + 300 * n,
    write: n === 26 || n === 56 ? 120_000 + 300 * n : 300,
  })),
);
claude(
  "dark-mode",
  "Dark mode forgets itself",
  "notes",
  Array.from({ length: 25 }, (_, n) => ({
    tool: "Read",
    input: { file_path: `/home/user/notes/src/part-${n}.ts` },
    output: `export const part = ${n};`,
    hours: 80 - n / 60,
    read: 30_000 + 300 * n,
    write: 300,
  })),
);
const task = ".config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1";
write(`${task}/api_conversation_history.json`, fixture("histories/resumed-task.json"));
const requests = Array.from({ length: 13 }, (_, n) => ({
  type: "say",
  say: "api_req_started",
  ts: Date.now() - 10 * 3_600_000 + n * 20_000,
  text: JSON.stringify({
    tokensIn: 40,
    tokensOut: 150,
    cacheWrites: 900,
    cacheReads: 9_000 + 900 * n,
    cost: 0.012,
  }),
}));
write(`${task}/ui_messages.json`, JSON.stringify(requests));
write(
  `${task}/task_metadata.json`,
  JSON.stringify({
    model_usage: [{ model_id: "claude-sonnet-4-5", model_provider_id: "anthropic" }],
  }),
);

const { stdout } = await run([], {
  env: {
    HOME: home,
    XDG_STATE_HOME: path.join(home, "state"),
    COLUMNS: String(COLUMNS),
    FORCE_COLOR: "1",
  },
});
rmSync(home, { recursive: true, force: true });
writeFileSync(new URL("audit-screen.svg", import.meta.url), picture(stdout.replaceAll(home, "~")));

/** Lines of a terminal as a picture; its colours are classes. */
function picture(text) {
  const lines = ["\u001b[1m$ npx turnkeeper\u001b[22m", "", ...text.trimEnd().split("\n")];
  const rows = lines.map(
    (line, at) => `<text x="16" y="${30 + 20 * at}" xml:space="preserve">${spans(line)}</text>`,
  );
  const [width, height] = [32 + COLUMNS * 8.43, 30 + 20 * lines.length];
  const style =
    "text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6e6e6}" +
    ".bold{font-weight:700}.dim{fill:#9a9a9a}.red{fill:#ff8a8a}.yellow{fill:#ffd75e}";
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${height}" role="img">\n` +
    `<style>${style}</style>\n<rect width="100%" height="100%" rx="8" fill="#1c1c1c"/>\n${rows.join("\n")}\n</svg>\n`
  );
}

function spans(line) {
  const names = { 1: "bold", 2: "dim", 31: "red", 33: "yellow" };
  const escaped = (words) => words.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  let name = "";
  return line
    .split(/\u001b\[(\d+)m/)
    .map((part, at) => {
      if (at % 2 === 1) {
        name = names[part] ?? "";
        return "";
      }
      return part === "" ? "" : `<tspan class="${name}">${escaped(part)}</tspan>`;
    })
    .join("");
}
