import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { useWords } from "../words/words.js";
import type { Action, Platform } from "../worker/terminal-tasks.js";

/** Names, and the paths of programs, as hosts report them. */
const SHELLS: Record<Platform, string[]> = {
  posix: ["bash", "zsh", "sh", "fish", "pwsh", "nu", "/opt/homebrew/bin/fish", "/usr/bin/xonsh"],
  win32: [
    "powershell",
    "pwsh",
    "cmd",
    "bash",
    "nu",
    "C:\\Program Files\\PowerShell\\7\\pwsh.exe",
    "C:\\Program Files\\Git\\bin\\bash.exe",
  ],
};
const DIRECTORIES: Record<Platform, string[]> = {
  posix: ["/work/shop", "/work/shop/api", "/work/shop/web", "/work/shop/it's here", "/tmp"],
  win32: [
    "C:\\work\\shop",
    "c:/work/shop/api",
    "C:\\work\\shop\\100% done",
    "\\\\server\\share\\web",
  ],
};
const COMMANDS = ["npm test", "npm run build", "git status", "ls", 'echo "it\'s"'];
const TASKS = ["A", "B", "C"];

interface SendFormProps {
  platform: Platform;
  onSend: (action: Action) => void;
}

/** A command, and where, for whom and in which shell it is to run. */
export function SendForm({ platform, onSend }: SendFormProps): VNode {
  const words = useWords();
  const [request, set] = useState({
    command: COMMANDS[0]!,
    directory: DIRECTORIES[platform][0]!,
    task: TASKS[0]!,
    shell: SHELLS[platform][0]!,
    cleanEnvironment: false,
  });
  const put = (change: Partial<typeof request>): void => set({ ...request, ...change });
  return (
    <section class="send" aria-labelledby="send-heading">
      <h2 id="send-heading">{words.board.send}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          onSend({ do: "send", ...request });
        }}
      >
        <label class="field">
          {words.board.command}
          <input
            type="text"
            list="commands"
            value={request.command}
            spellcheck={false}
            onInput={({ currentTarget }) => put({ command: currentTarget.value })}
          />
        </label>
        <label class="field">
          {words.board.directory}
          <input
            type="text"
            list="directories"
            value={request.directory}
            spellcheck={false}
            onInput={({ currentTarget }) => put({ directory: currentTarget.value })}
          />
        </label>
        <label class="field">
          {words.board.forTask}
          <select
            value={request.task}
            onChange={({ currentTarget }) => put({ task: currentTarget.value })}
          >
            {TASKS.map((task) => (
              <option key={task} value={task}>
                {task}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {words.board.shell}
          <select
            value={request.shell}
            onChange={({ currentTarget }) => put({ shell: currentTarget.value })}
          >
            {SHELLS[platform].map((shell) => (
              <option key={shell} value={shell}>
                {shell}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={request.cleanEnvironment}
            onChange={({ currentTarget }) => put({ cleanEnvironment: currentTarget.checked })}
          />
          {words.board.clean}
        </label>
        <button type="submit" class="main">
          {words.board.sendIt}
        </button>
        <datalist id="commands">
          {COMMANDS.map((command) => (
            <option key={command} value={command} />
          ))}
        </datalist>
        <datalist id="directories">
          {DIRECTORIES[platform].map((directory) => (
            <option key={directory} value={directory} />
          ))}
        </datalist>
      </form>
    </section>
  );
}
