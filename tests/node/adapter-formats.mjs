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
};
