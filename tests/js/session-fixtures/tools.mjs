// What each agent calls its tools, and what it gives them.

const byTool = (tools) => (call) => tools[call.tool](call);

/** A function that gives a call's name and arguments, for each family of agents. */
export const TOOLS = {
  claude: byTool({
    read: ({ path }) => ["Read", { file_path: path }],
    run: ({ command }) => ["Bash", { command, description: "Run a command" }],
    edit: ({ path, old, now }) => ["Edit", { file_path: path, old_string: old, new_string: now }],
    search: ({ pattern }) => ["Grep", { pattern, output_mode: "content" }],
    task: ({ description }) => [
      "Task",
      { description, prompt: `${description}.`, subagent_type: "general-purpose" },
    ],
  }),
  gemini: byTool({
    read: ({ path }) => ["read_file", { file_path: path }],
    run: ({ command }) => ["run_shell_command", { command }],
    edit: ({ path, old, now }) => [
      "replace",
      { file_path: path, old_string: old, new_string: now },
    ],
    search: ({ pattern }) => ["search_file_content", { pattern }],
  }),
  codex: byTool({
    read: ({ path }) => ["exec_command", { cmd: `sed -n 1,200p ${path}` }],
    run: ({ command }) => ["exec_command", { cmd: command }],
    edit: ({ path, old, now }) => [
      "exec_command",
      { cmd: `apply_patch ${path}\n-${old}\n+${now}` },
    ],
    search: ({ pattern }) => ["exec_command", { cmd: `rg -n '${pattern}'` }],
  }),
  openhands: byTool({
    read: ({ path }) => ["str_replace_editor", { command: "view", path }],
    run: ({ command }) => ["execute_bash", { command, is_input: "false" }],
    edit: ({ path, old, now }) => [
      "str_replace_editor",
      { command: "str_replace", path, old_str: old, new_str: now },
    ],
    search: ({ pattern }) => ["execute_bash", { command: `grep -rn '${pattern}' .` }],
    task: ({ description }) => [
      "delegate",
      { agent: "CodeActAgent", inputs: { task: description } },
    ],
  }),
  shell: byTool({
    read: ({ path }) => ["bash", { command: `cat '${path}'` }],
    run: ({ command }) => ["bash", { command }],
    edit: ({ path, now }) => ["bash", { command: `cat <<'EOF' >> '${path}'\n${now}\nEOF` }],
    search: ({ pattern }) => ["bash", { command: `grep -rn '${pattern}' .` }],
  }),
  pi: byTool({
    read: ({ path }) => ["read", { path }],
    run: ({ command }) => ["bash", { command }],
    edit: ({ path, old, now }) => ["edit", { path, oldText: old, newText: now }],
    search: ({ pattern }) => ["grep", { pattern, path: "." }],
  }),
  opencode: byTool({
    read: ({ path }) => ["read", { filePath: path }],
    run: ({ command }) => ["bash", { command, description: "Runs a command" }],
    edit: ({ path, old, now }) => ["edit", { filePath: path, oldString: old, newString: now }],
    search: ({ pattern }) => ["grep", { pattern }],
    task: ({ description }) => [
      "task",
      { description, prompt: `${description}.`, subagent_type: "general" },
    ],
  }),
  goose: byTool({
    read: ({ path }) => ["developer__text_editor", { command: "view", path }],
    run: ({ command }) => ["developer__shell", { command }],
    edit: ({ path, old, now }) => [
      "developer__text_editor",
      { command: "str_replace", path, old_str: old, new_str: now },
    ],
    search: ({ pattern }) => ["developer__shell", { command: `rg '${pattern}'` }],
  }),
  copilot: byTool({
    read: ({ path }) => ["read_file", { filePath: path, startLine: 1, endLine: 200 }],
    run: ({ command }) => ["run_in_terminal", { command, explanation: "", isBackground: false }],
    edit: ({ path, old, now }) => [
      "replace_string_in_file",
      { filePath: path, oldString: old, newString: now },
    ],
    search: ({ pattern }) => ["grep_search", { query: pattern, isRegexp: true }],
    task: ({ description }) => ["runSubagent", { description, prompt: `${description}.` }],
  }),
  cline: byTool({
    read: ({ path }) => ["read_file", { path }],
    run: ({ command }) => ["execute_command", { command, requires_approval: "false" }],
    edit: ({ path, now }) => ["write_to_file", { path, content: now }],
    search: ({ pattern }) => ["search_files", { path: ".", regex: pattern }],
  }),
  plain: byTool({
    read: ({ path }) => ["read_file", { path }],
    run: ({ command }) => ["run_command", { command }],
    edit: ({ path, old, now }) => ["edit_file", { path, old, now }],
    search: ({ pattern }) => ["search", { pattern }],
  }),
};

/** The tools of SWE-agent are commands: a call is one line, whose first word is its name. */
export const sweAction = byTool({
  read: ({ path }) => `open ${path}`,
  run: ({ command }) => command,
  edit: ({ path, now }) => `edit ${path}\n${now}\nend_of_edit`,
  search: ({ pattern }) => `search_dir ${pattern}`,
});
TOOLS.swe = (call) => [sweAction(call).split(/\s/)[0], undefined];
