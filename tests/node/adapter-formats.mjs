// What the messages of each adapter's format look like.
//
// `everything`: a history with each kind of part; `user`: a message of text parts; `read`: a file's
// content read by a tool; `elsewhere`: what the messages in adapter-histories.test.mjs become;
// `plain`: as data that can be compared.

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
    read: (id, path, output) => [
      { role: "model", parts: [{ functionCall: { name: "read_file", args: { path } } }] },
      { role: "user", parts: [{ functionResponse: { name: "read_file", response: { output } } }] },
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
    read: (id, path, content) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id, name: "read_file", input: { path } }],
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
    ],
    read: (id, path, content) => [
      {
        role: "assistant",
        tool_calls: [
          {
            id,
            type: "function",
            function: { name: "read_file", arguments: JSON.stringify({ path }) },
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
    read: (id, path, value) => [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: id, toolName: "read_file", input: { path } }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: id,
            toolName: "read_file",
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
};
