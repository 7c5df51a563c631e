/** Entries among the hooks of a settings file, beside those of other people. */

import { type FileChange, HOOK_FILE } from "./file-change.js";
import { JsonText } from "./json-text.js";

/** How an agent writes a hook. */
export interface HookStyle {
  /** Whether commands stand in groups, each with a list `hooks`. */
  nested: boolean;
  /** In the agent's unit, which is seconds or milliseconds. */
  timeout?: number;
  /** Whether a group names the tools that it is for. */
  matcher?: boolean;
  /** Tools that an event is for, as a regular expression, if it is not for all. */
  onlyFor?: Readonly<Record<string, string>>;
  /** The version that the file states. */
  version?: number;
}

export class HookEntries implements FileChange {
  readonly summary: string;

  constructor(
    readonly file: string,
    private readonly style: HookStyle,
    private readonly events: readonly string[],
    private readonly command: string,
  ) {
    this.summary = `hooks for ${events.join(", ")}`;
  }

  added(content: string | undefined): string {
    const text = new JsonText(this.file, this.removed(content ?? "") ?? "{}\n");
    text.names(["hooks"]);
    const { version } = this.style;
    if (version !== undefined && text.get(["version"]) === undefined)
      text.set(["version"], version);
    for (const event of this.events) {
      text.array(["hooks", event]);
      text.append(["hooks", event], this.#entry(event));
    }
    return text.toString();
  }

  removed(content: string): string | undefined {
    const text = new JsonText(this.file, content);
    let hasChanged = false;
    for (const event of text.names(["hooks"])) {
      const path = ["hooks", event];
      const entries = text.get(path);
      // An event that is no list is somebody else's.
      if (!Array.isArray(entries)) continue;
      for (let at = entries.length - 1; at >= 0; at--) {
        hasChanged = this.#removeFrom(text, [...path, at], entries[at]) || hasChanged;
      }
      if (entries.length > 0 && text.array(path).length === 0) text.removeEmpty(path);
    }
    if (!hasChanged) return content;
    if (text.names(["hooks"]).length === 0) text.removeEmpty(["hooks"]);
    const left = text.names([]).filter((name) => name !== "version" || !this.style.version);
    return left.length === 0 ? undefined : text.toString();
  }

  /** A group may have got hooks of others, which stay. */
  #removeFrom(text: JsonText, path: (string | number)[], entry: unknown): boolean {
    if (!JSON.stringify(entry)?.includes(HOOK_FILE)) return false;
    const hooks = (entry as { hooks?: unknown }).hooks;
    const others = Array.isArray(hooks) ? hooks.filter((hook) => !isOurs(hook)) : [];
    if (others.length > 0) text.set([...path, "hooks"], others);
    else text.remove(path);
    return true;
  }

  #entry(event: string): object {
    const { nested, timeout, matcher, onlyFor } = this.style;
    const time = timeout === undefined ? {} : { timeout };
    if (!nested) return { command: this.command, ...time };
    const name = matcher ? { name: "turnkeeper" } : {};
    const hook = { type: "command", ...name, command: this.command, ...time };
    return { ...(matcher && { matcher: onlyFor?.[event] ?? "*" }), hooks: [hook] };
  }
}

function isOurs(hook: unknown): boolean {
  return JSON.stringify(hook)?.includes(HOOK_FILE) ?? false;
}
