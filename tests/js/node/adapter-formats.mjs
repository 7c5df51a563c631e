// What the messages of each adapter's format look like.
//
// `everything`: a history with each kind of part; `user`: a message of text parts; `called`:
// a call of a tool with its result, and `read` one that reads a file; `elsewhere`: what the messages in adapter-histories.test.mjs become;
// `plain`: as data that can be compared.

// VS Code's classes as they are in 1.139; the real ones are used in tests/js/vscode.
const vscode = {
  LanguageModelChatMessage: class {
    _content = [];
    constructor(role, content, name) {
      this.role = role;
      this.content = content;
      this.name = name;
    }
    set content(content) {
      this._content =
        typeof content === "string" ? [new vscode.LanguageModelTextPart(content)] : content;
    }
    get content() {
      return this._content;
    }
  },
  LanguageModelTextPart: class {
    constructor(value) {
      this.value = value;
    }
  },
  LanguageModelThinkingPart: class {
    constructor(value, id, metadata) {
      Object.assign(this, { value, id, metadata });
    }
  },
  LanguageModelToolCallPart: class {
    constructor(callId, name, input) {
      Object.assign(this, { callId, name, input });
    }
  },
  LanguageModelToolResultPart: class {
    constructor(callId, content, isError = false) {
      Object.assign(this, { callId, content, isError });
    }
  },
  LanguageModelDataPart: class {
    constructor(data, mimeType) {
      Object.assign(this, { mimeType, data, audience: undefined });
    }
  },
};
const chat = (role, ...parts) => new vscode.LanguageModelChatMessage(role, parts);
const said = (text) => new vscode.LanguageModelTextPart(text);
const call = (id, name, input) => new vscode.LanguageModelToolCallPart(id, name, input);
const answer = (id, ...parts) => new vscode.LanguageModelToolResultPart(id, parts);

/** Data, with the names of the classes. */
function classed(value) {
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(classed);
  const known = Object.entries(vscode).find(([, Class]) => value.constructor === Class);
  const fields = Object.entries(value).map(([name, field]) => [name, classed(field)]);
  return { class: known?.[0], ...Object.fromEntries(fields) };
}

export const FORMATS = {
  gemini: {
    plain: (value) => structuredClone(value),
    user: (...texts) => ({ role: "user", parts: texts.map((text) => ({ text })) }),
    everything: () => [
      {
        role: "user",
        parts: [{ text: "Look." }, { inlineData: { mimeType: "image/png", data: "" } }],
      },
      {
        role: "model",
        parts: [
          { text: "I should look.", thought: true },
          { text: "I look.", thoughtSignature: "c2ln" },
          { functionCall: { name: "ls", args: { path: "." } } },
          { functionCall: { id: "c2", name: "ls", args: { path: "src" } } },
          { executableCode: { code: "print(1)", language: "PYTHON" } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "ls", response: { output: "a.ts" } } },
          { functionResponse: { id: "c2", name: "ls", response: { error: "no such folder" } } },
          { functionResponse: { name: "stat", response: { size: 3, kind: ["file"] } } },
        ],
      },
      { parts: [{ text: "A user without a role." }] },
    ],
    called: (id, name, input, output) => [
      { role: "model", parts: [{ functionCall: { name, args: input } }] },
      { role: "user", parts: [{ functionResponse: { name, response: { output } } }] },
    ],
    elsewhere: (data) => [
      { role: "user", parts: [{ text: "Fix it." }] },
      {
        role: "user",
        parts: [{ text: "See this." }, { inlineData: { mimeType: "image/gif", data } }],
      },
      {
        role: "model",
        parts: [
          { text: "I look." },
          { functionCall: { id: "c1", name: "ls", args: { path: "." } } },
        ],
      },
      {
        role: "user",
        parts: [{ functionResponse: { id: "c1", name: "ls", response: { output: "a.ts" } } }],
      },
    ],
  },

  anthropic: {
    plain: (value) => structuredClone(value),
    user: (...texts) => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) }),
    everything: () => [
      { role: "user", content: "A string.", ts: 1 },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "I should look.", signature: "c2ln" },
          { type: "text", text: "I look.", citations: null },
          { type: "tool_use", id: "c1", name: "ls", input: { path: "." } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "a.ts" }] },
          { type: "document", source: { type: "text", media_type: "text/plain", data: "" } },
        ],
      },
      { role: "assistant", content: "Now this.\n<read_file>\n<path>a.ts</path>\n</read_file>" },
      { role: "user", content: [{ type: "text", text: "[read_file for 'a.ts'] Result:\none" }] },
      { type: "reasoning", id: "rs_1", encrypted_content: "…", summary: [] },
    ],
    called: (id, name, input, content) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name, input }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ],
    elsewhere: (data) => [
      { role: "user", content: "Fix it." },
      {
        role: "user",
        content: [
          { type: "text", text: "See this." },
          { type: "image", source: { type: "base64", media_type: "image/gif", data } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "ls", input: { path: "." } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "a.ts" }] },
    ],
  },

  openai: {
    plain: (value) => structuredClone(value),
    user: (...texts) => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) }),
    everything: () => [
      { role: "developer", content: "You edit code." },
      { role: "user", name: "Ada", content: "A string." },
      {
        role: "user",
        content: [
          { type: "text", text: "And this." },
          { type: "image_url", image_url: { url: "https://example.org/a.png" } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } },
          { id: "c2", type: "function", function: { name: "ls", arguments: "{" } },
          { id: "c3", type: "custom", custom: { name: "patch", input: "*** Begin" } },
        ],
        refusal: null,
      },
      { role: "tool", tool_call_id: "c1", content: "a.ts" },
      { role: "tool", tool_call_id: "c2", content: [{ type: "text", text: "b.ts" }] },
      { role: "assistant", content: "Done." },
      { role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { role: "assistant", content: null, function_call: { name: "ls", arguments: "{}" } },
      { role: "function", name: "ls", content: "a.ts" },
      { role: "user", content: [{ type: "input_text", text: "As the Responses API has it." }] },
      { type: "reasoning", id: "rs_1", summary: [] },
      { type: "function_call", call_id: "c4", name: "ls", arguments: "{}" },
      { type: "function_call_output", call_id: "c4", output: "a.ts" },
      { type: "custom_tool_call", call_id: "c5", name: "patch", input: "*** Begin" },
      {
        type: "custom_tool_call_output",
        call_id: "c5",
        output: [
          { type: "input_text", text: "Done." },
          { type: "input_image", image_url: "data:image/png;base64,AA==" },
        ],
      },
      { type: "local_shell_call", call_id: "c6", action: { type: "exec", command: ["ls"] } },
      { type: "local_shell_call_output", call_id: "c6", output: '{"output":"a.ts","metadata":{}}' },
      { type: "shell_call_output", call_id: "c7", output: [{ stdout: "a.ts", stderr: "" }] },
    ],
    called: (id, name, input, content) => [
      {
        role: "assistant",
        tool_calls: [
          {
            id,
            type: "function",
            function: { name, arguments: JSON.stringify(input) },
          },
        ],
      },
      { role: "tool", tool_call_id: id, content },
    ],
    elsewhere: (data) => [
      { role: "user", content: "Fix it." },
      {
        role: "user",
        content: [
          { type: "text", text: "See this." },
          { type: "image_url", image_url: { url: `data:image/gif;base64,${data}` } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "ls", arguments: '{"path":"."}' } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "a.ts" },
    ],
  },

  "ai-sdk": {
    plain: (value) => structuredClone(value),
    user: (...texts) => ({ role: "user", content: texts.map((text) => ({ type: "text", text })) }),
    everything: () => [
      { role: "system", content: "You edit code.", providerOptions: {} },
      { role: "user", content: "A string." },
      {
        role: "user",
        content: [
          { type: "text", text: "And this.", providerOptions: { anthropic: {} } },
          { type: "file", data: new Uint8Array([1]), mediaType: "image/png" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "reasoning", text: "I should look.", providerOptions: { a: { signature: "s" } } },
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "c1", toolName: "ls", input: { path: "." } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "ls",
            output: { type: "json", value: { files: ["a.ts"] } },
          },
          {
            type: "tool-result",
            toolCallId: "c2",
            toolName: "ls",
            output: { type: "content", value: [{ type: "text", text: "a.ts" }] },
          },
          {
            type: "tool-result",
            toolCallId: "c3",
            toolName: "ls",
            output: { type: "error-text", value: "no such folder" },
          },
          { type: "tool-approval-response", approvalId: "a1", approved: true },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
    ],
    called: (id, name, input, value) => [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: id, toolName: name, input }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: id,
            toolName: name,
            output: { type: "text", value },
          },
        ],
      },
    ],
    elsewhere: (data) => [
      { role: "user", content: "Fix it." },
      {
        role: "user",
        content: [
          { type: "text", text: "See this." },
          { type: "file", data, mediaType: "image/gif" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool-call", toolCallId: "c1", toolName: "ls", input: { path: "." } },
        ],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "c1",
            toolName: "ls",
            output: { type: "text", value: "a.ts" },
          },
        ],
      },
    ],
  },

  vscode: {
    vscode,
    plain: classed,
    user: (...texts) => chat(1, ...texts.map(said)),
    everything: () => [
      new vscode.LanguageModelChatMessage(1, "A string.", "Ada"),
      chat(
        1,
        said("And this."),
        new vscode.LanguageModelDataPart(new Uint8Array([1]), "image/png"),
      ),
      chat(
        2,
        new vscode.LanguageModelThinkingPart("I should look."),
        said("I look."),
        call("c1", "ls", { path: "." }),
        call("c2", "ls", {}),
      ),
      chat(
        1,
        answer("c1", said("a.ts"), { value: { node: {} } }),
        new vscode.LanguageModelToolResultPart("c2", [said("no such folder")], true),
      ),
      chat(3, said("You edit code.")),
      { role: 1, content: [{ value: "Of no class." }] },
    ],
    called: (id, name, input, output) => [
      chat(2, call(id, name, input)),
      chat(1, answer(id, said(output))),
    ],
    elsewhere: (data) => [
      chat(1, said("Fix it.")),
      chat(
        1,
        said("See this."),
        new vscode.LanguageModelDataPart(new Uint8Array(Buffer.from(data, "base64")), "image/gif"),
      ),
      chat(2, said("I look."), call("c1", "ls", { path: "." })),
      chat(1, answer("c1", said("a.ts"))),
    ],
  },
};

for (const format of Object.values(FORMATS)) {
  format.read = (id, path, output) => format.called(id, "read_file", { path }, output);
}
