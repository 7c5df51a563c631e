// Whole histories in the ways of Cline's and Roo Code's releases, of our own writing and with the
// proportions that real ones have: the answers to edits show the whole file, reads and mentions show it
// again, and each message of the user's ends with the state of the editor.

import { random } from "./random.mjs";

const pick = (choices) => choices[random(choices.length)];
const text = (words) => ({ type: "text", text: words });
const WORDS =
  "the of cart order price item total user list page view store load save read write check find make test type name value state event error result update render query index cache token limit queue batch".split(
    " ",
  );
const words = (count) => Array.from({ length: count }, () => pick(WORDS)).join(" ");

/** Lines of a file, as long as those of real ones. */
function fileOf(lines) {
  return Array.from(
    { length: lines },
    (_, n) => `${"  ".repeat(random(4))}const ${pick(WORDS)}${n} = ${pick(WORDS)}(${words(3)});`,
  );
}

function environment(paths, minute) {
  const tabs = Array.from({ length: 20 + random(20) }, () => pick(paths)).join("\n");
  return `<environment_details>\n# VSCode Visible Files\n${pick(paths)}\n\n# VSCode Open Tabs\n${tabs}\n\n# Current Time\n${minute} minutes past\n\n# Context Window Usage\n${random(200)} / 200K tokens used\n\n# Current Mode\nACT MODE\n</environment_details>`;
}

const numbered = (content) =>
  content
    .split("\n")
    .map((line, n) => `${n + 1} | ${line}`)
    .join("\n");

/** How an agent shows a file that it read, edited, or that the user mentions. */
const AGENTS = {
  "Cline, in texts": {
    isNative: false,
    read: (path, content) => [`[read_file for '${path}'] Result:`, content],
    saved: (path, content) => [
      `[replace_in_file for '${path}'] Result:`,
      `The content was successfully saved to ${path}.\n\nHere is the full, updated content of the file that was saved:\n\n<final_file_content path="${path}">\n${content}\n</final_file_content>\n\nIMPORTANT: For any future changes to this file, use the final_file_content shown above as your reference.\n\n`,
    ],
    mention: (path, content) => `\n\n<file_content path="${path}">\n${content}\n</file_content>`,
  },
  "Cline, with native calls": {
    isNative: true,
    read: (path, content) => [
      `[read_file for '${path}'] Result:\n${numbered(content)}\n\n(File has ${content.split("\n").length} lines total.)`,
    ],
    saved: (path, content) => [
      `[replace_in_file for '${path}'] Result:\nThe content was successfully saved to ${path}.\n\n<final_file_content path="${path}">\n${content}\n</final_file_content>\n\n`,
    ],
    mention: (path, content) => `\n\n<file_content path="${path}">\n${content}\n</file_content>`,
  },
  "Roo Code, in texts": {
    isNative: false,
    args: true,
    read: (path, content) => [
      `[read_file for '${path}'. Reading multiple files at once is more efficient for the LLM.] Result:`,
      `<files>\n<file><path>${path}</path>\n<content lines="1-${content.split("\n").length}">\n${numbered(content)}</content>\n</file>\n</files>`,
    ],
    mention: (path, content) =>
      `\n\n<file_content path="${path}">\n${numbered(content)}\n</file_content>`,
  },
  "Roo Code, with native calls": {
    isNative: true,
    files: true,
    read: (path, content) => [
      `File: ${path}\nLines 1-${content.split("\n").length}:\n${numbered(content)}`,
    ],
    mention: (path, content) =>
      `\n\n[read_file for '${path}']\nFile: ${path}\n${numbered(content)}`,
  },
};
export const AGENT_NAMES = Object.keys(AGENTS);

/** A history of an agent's work, and how many copies of files in it have a newer one. */
export function wholeHistory(agentName, steps = 120) {
  const agent = AGENTS[agentName];
  const paths = Array.from({ length: 16 }, (_, n) => `src/${pick(WORDS)}/${pick(WORDS)}${n}.ts`);
  const files = new Map(paths.map((path) => [path, fileOf(40 + random(200))]));
  const messages = [];
  let minute = 0;
  const user = (...parts) => {
    const content = [...parts, text(environment(paths, (minute += 1)))];
    messages.push({ role: "user", content });
  };
  const step = (tool, input, said) => {
    const prose = text(words(20 + random(160)));
    if (agent.isNative) {
      const id = `toolu_${messages.length}`;
      const call = { type: "tool_use", id, name: tool, input };
      messages.push({ role: "assistant", content: [prose, call] });
      user({ type: "tool_result", tool_use_id: id, content: said.join("\n") });
    } else {
      const parameters = Object.entries(input).map(
        ([name, value]) => `<${name}>${value}</${name}>`,
      );
      const call = `<${tool}>\n${parameters.join("\n")}\n</${tool}>`;
      messages.push({ role: "assistant", content: [text(`${prose.text}\n\n${call}`)] });
      user(...said.map(text));
    }
  };
  /** How often each file is shown. */
  const shown = new Map();
  const contentOf = (path) => {
    shown.set(path, (shown.get(path) ?? 0) + 1);
    return files.get(path).join("\n");
  };
  user(text(`<task>\n${words(80)}\n</task>`));
  for (let n = 0; n < steps; n++) {
    // Work goes on at few files at a time.
    const path = paths[Math.min(random(paths.length), random(paths.length))];
    const kind = random(100);
    if (kind < 20 && agent.saved) {
      const lines = files.get(path);
      const at = random(lines.length);
      const added = fileOf(1 + random(6));
      const diff = `------- SEARCH\n${lines[at]}\n=======\n${added.join("\n")}\n+++++++ REPLACE`;
      lines.splice(at, 1, ...added);
      step("replace_in_file", { path, diff }, agent.saved(path, contentOf(path)));
    } else if (kind < (agent.saved ? 29 : 29)) {
      const input = agent.files
        ? { files: [{ path }] }
        : agent.args
          ? { args: `<file>\n<path>${path}</path>\n</file>` }
          : { path };
      step("read_file", input, agent.read(path, contentOf(path)));
    } else if (kind < 62) {
      const log = Array.from({ length: 10 + random(120) }, () => words(8)).join("\n");
      const said = `Command executed.\nOutput:\n${log}`;
      const heading = `[execute_command for 'npm test'] Result:`;
      step("execute_command", { command: "npm test" }, agent.isNative ? [said] : [heading, said]);
    } else if (kind < 65) {
      const mention = agent.mention(path, contentOf(path));
      const question = `<user_message>\nLook at ${path}.\n</user_message>`;
      messages.push({ role: "assistant", content: [text(words(100))] });
      if (agentName === "Roo Code, with native calls")
        user(text(question), text(mention.trimStart()));
      else user(text(question + mention));
    } else if (kind < 80) {
      const found = Array.from({ length: 20 + random(60) }, () => `${pick(paths)}: ${words(6)}`);
      const said = found.join("\n");
      const heading = "[search_files for 'x'] Result:";
      step("search_files", { path: "src", regex: "x" }, agent.isNative ? [said] : [heading, said]);
    } else {
      const created = `src/new/${pick(WORDS)}-${n}.ts`;
      const content = fileOf(30 + random(200)).join("\n");
      const saved = agent
        .saved?.(created, content)
        .map((part) => part.replace("replace_in_file for", "write_to_file for"));
      const heading = `[write_to_file for '${created}'] Result:`;
      const plain = `<file_write_result>\n<path>${created}</path>\n<operation>created</operation>\n</file_write_result>`;
      const said = saved ?? (agent.isNative ? [plain] : [heading, plain]);
      step("write_to_file", { path: created, content }, said);
    }
  }
  const needless = [...shown.values()].reduce((sum, times) => sum + times - 1, 0);
  return { messages, needless };
}
