import { fields, list, text } from "../saved/fields.js";

/** A message in the shape that the deduper looks at. */
export interface MessageView {
  role: string;
  content: string | unknown[];
}

/** The role of what users say, and the parts of Gemini as parts with a type. */
export function viewOf(role: string, content: unknown): MessageView | undefined {
  if (typeof content === "string") return { role, content };
  if (!Array.isArray(content)) return undefined;
  return { role, content: content.map(partView) };
}

/** The same object unless it is a part of Gemini's, which has a text and no type. */
function partView(part: unknown): unknown {
  const { type, text: words, ...rest } = fields(part);
  const isGemini = type === undefined && typeof words === "string" && rest.thought === undefined;
  return isGemini ? { type: "text", text: words } : part;
}

/** All text of a content that is shown as such. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return list(content)
    .map((part) => text(part) ?? text(fields(part).text) ?? "")
    .join("\n");
}
