import { Unreadable } from "./saved-session.js";

export { fields, list, parsed, text, type Fields } from "../messages/fields.js";

/**
 * The text of a JSON value: a string as it is, anything else as JSON.
 *
 * @throws {@link Unreadable} for what is nested too deep to be written
 */
export function shown(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    throw new Unreadable("is nested too deep");
  }
}
