/** Entries among the hooks of a settings file, beside those of other people. */

import type { FileChange } from "./file-change.js";
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
    const text = new JsonText(this.file, content ?? "");
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

  #entry(event: string): object {
    const { nested, timeout, matcher, onlyFor } = this.style;
    const time = timeout === undefined ? {} : { timeout };
    if (!nested) return { command: this.command, ...time };
    const name = matcher ? { name: "turnkeeper" } : {};
    const hook = { type: "command", ...name, command: this.command, ...time };
    return { ...(matcher && { matcher: onlyFor?.[event] ?? "*" }), hooks: [hook] };
  }
}
