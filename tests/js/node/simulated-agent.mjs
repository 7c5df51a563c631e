// A small agent that works on a few files and writes down what it did as a history: in the text of Cline,
// or as calls and results of Anthropic's messages. Its files are its own; what it writes is not looked at
// again, so that a reader of the history can be compared with them.

export const ROOT = "/work/app";
export const PATHS = ["src/a.ts", "src/b.ts", "lib/a.ts", "readme.md"];

/** A file of lines that say where they come from. */
export function madeUp(name, count, breaks) {
  const lines = Array.from(
    { length: count },
    (_, at) => `line ${at + 1} of ${name}, long enough to be worth it`,
  );
  return lines.join(breaks);
}

const text = (value) => ({ type: "text", text: value });

/** One of the ways to spell a path. */
export const spelled = (path, way) =>
  [path, `./${path}`, `${ROOT}/${path}`, path.replace("/", "/x/../")][way % 4];

/** Plays actions, and gives the messages and the files as they are in the end. */
export function play(actions, format) {
  const files = new Map();
  const write = format === "cline" ? new ClineHistory() : new AnthropicHistory();
  let version = 0;
  for (const action of actions) {
    const { path, way = 0, first = 1, count = 1 } = action;
    const name = spelled(path, way);
    const breaks = action.isCrlf ? "\r\n" : "\n";
    version += 1;
    if (!files.has(path)) files.set(path, madeUp(`${path} at first`, 8, breaks));
    const content = files.get(path);
    const linesOf = (value) => value.split(/(?<=\n)/);
    switch (action.does) {
      case "read":
        write.answer("read_file", { path: name }, content);
        break;
      case "range": {
        const range = linesOf(content)
          .slice(first - 1, first - 1 + count)
          .join("");
        const input = {
          path: name,
          start_line: String(first),
          end_line: String(first + count - 1),
        };
        // Beyond the end there is nothing to read.
        if (range !== "") write.answer("read_file", input, range);
        break;
      }
      case "write": {
        const made = madeUp(`${path}, version ${version}`, count + 3, breaks);
        files.set(path, made);
        write.answer(
          "write_to_file",
          { path: name, content: made },
          saved(name, action.isShown && made),
        );
        break;
      }
      case "insert": {
        const lines = linesOf(content);
        const at = Math.min(first, lines.length);
        const added = Array.from(
          { length: count },
          (_, n) => `added ${n} in step ${version}${breaks}`,
        );
        lines.splice(at - 1, 0, ...added);
        files.set(path, lines.join(""));
        const input = { path: name, line: String(at), content: added.join("") };
        write.answer("insert_content", input, saved(name, action.isShown && lines.join("")));
        break;
      }
      case "failed edit": {
        const shown = action.isShown
          ? `\n\n<file_content path="${name}">\n${content}\n</file_content>`
          : "";
        const said = `The tool execution failed with the following error:\n<error>no match${shown}\n</error>`;
        write.answer("replace_in_file", { path: name, diff: "SEARCH" }, said, true);
        break;
      }
      case "refused read":
        write.answer("read_file", { path: name }, "The user denied this operation.", true);
        break;
      case "rename": {
        const { to } = action;
        if (to === path) break;
        files.set(to, content);
        files.delete(path);
        write.answer(
          "execute_command",
          { command: `mv ${name} ${spelled(to, way + 1)}` },
          "Command executed.",
        );
        break;
      }
      case "mention":
        write.user(
          `Look at '${name}'.\n\n<file_content path="${name}">\n${content}\n</file_content>`,
        );
        break;
    }
  }
  return { messages: write.messages, files };
}

function saved(name, shown) {
  const said = `The content was successfully saved to ${name}.`;
  if (!shown) return said;
  return `${said}\n\n<final_file_content path="${name}">\n${shown}\n</final_file_content>\n\nUse it as your reference.`;
}

const environment = (at) =>
  `<environment_details>\n# Current Time\n10:${at}\n\n# Current Working Directory (${ROOT}) Files\nsrc/\n</environment_details>`;

class ClineHistory {
  messages = [{ role: "user", content: [text("<task>\nMend it.\n</task>"), text(environment(0))] }];

  user(said) {
    this.messages.push({ role: "assistant", content: [text("What next?")] });
    this.messages.push({
      role: "user",
      content: [text(said), text(environment(this.messages.length))],
    });
  }

  answer(tool, input, said) {
    const parameters = Object.entries(input).map(
      ([name, value]) => `<${name}>${name === "content" ? `\n${value}\n` : value}</${name}>`,
    );
    const call = `I do it.\n\n<${tool}>\n${parameters.join("\n")}\n</${tool}>`;
    this.messages.push({ role: "assistant", content: [text(call)] });
    const subject = input.command ?? input.path;
    const content = [
      text(`[${tool} for '${subject}'] Result:`),
      text(said),
      text(environment(this.messages.length)),
    ];
    this.messages.push({ role: "user", content });
  }
}

class AnthropicHistory {
  messages = [{ role: "user", content: "Mend it." }];
  #calls = 0;

  user(said) {
    this.messages.push({ role: "assistant", content: "What next?" });
    this.messages.push({ role: "user", content: [text(said)] });
  }

  answer(tool, input, said, isError = false) {
    const id = `call-${(this.#calls += 1)}`;
    this.messages.push({
      role: "assistant",
      content: [text("I do it."), { type: "tool_use", id, name: tool, input }],
    });
    const result = {
      type: "tool_result",
      tool_use_id: id,
      content: said,
      ...(isError && { is_error: true }),
    };
    this.messages.push({ role: "user", content: [result] });
  }
}
