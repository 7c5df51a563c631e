// Event lines, as a file has them.

/** Events as a file has them. */
export const lines = (content) =>
  typeof content === "string" || content instanceof Uint8Array
    ? content
    : content.map((event) => `${JSON.stringify(event)}\n`).join("");

export const call = (name, args) => ({ type: "tool_call", name, args });
