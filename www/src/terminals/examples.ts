// What the boards begin with.

import type { Action, Platform } from "../worker/terminal-tasks.js";

const send = (command: string, directory: string, task: string, shell: string): Action => ({
  do: "send",
  command,
  directory,
  task,
  shell,
  cleanEnvironment: false,
});

export const EXAMPLES: Record<Platform, Action[]> = {
  posix: [
    send("npm ci", "/work/shop", "A", "bash"),
    { do: "done", id: 1 },
    send("npm test", "/work/shop/api", "A", "bash"),
    send("npm run dev", "/work/shop/web", "B", "zsh"),
    { do: "done", id: 1 },
    send("git status", "/work/shop", "A", "bash"),
    { do: "done", id: 1 },
    send("ls", "/tmp", "A", "bash"),
  ],
  win32: [
    send("npm ci", "C:\\work\\shop", "A", "powershell"),
    { do: "done", id: 1 },
    send("npm test", "c:/work/shop/api", "A", "powershell"),
    { do: "done", id: 1 },
    send("dir", "C:\\work\\shop\\100% done", "A", "cmd"),
    { do: "done", id: 2 },
    send("dir", "C:\\work\\shop", "A", "cmd"),
  ],
};
