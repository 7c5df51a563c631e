import { RawWorkLedger } from "../../glue/turnkeeper.js";
import {
  checkObject,
  checkOptions,
  checkString,
  invalidArgument,
  optional,
} from "../boundary/arguments.js";
import { sendTexts } from "../boundary/call-encoder.js";
import type { AgentEvent } from "../boundary/generated/shapes.js";
import { Machine, call, restore, type Snapshot } from "../boundary/machine.js";
import { resultFields, textOf } from "../messages/events.js";

const MACHINE = "work_ledger";
/** The length of a text for which no other is asked. */
const USUAL_LENGTH = 6_000;
const LONGEST = 1_000_000;

/**
 * Keeps what was done in a session: which files were read and written, which commands ran and how they
 * ended, what the user asked. After the host has replaced the conversation by a summary, {@link text} tells
 * the model of it, as facts. No model is needed for it.
 *
 * Every method throws `disposed` after {@link dispose}. Memory does not grow with the conversation.
 *
 * @example
 * ```ts
 * const ledger = new WorkLedger();
 * ledger.prompt("Mend the build.");
 * ledger.observe({ type: "tool_call", id: "1", name: "bash", args: { command: "make" } });
 * ledger.observe({ type: "tool_result", id: "1", output: "no rule", exitCode: 2 });
 * const record = ledger.text();
 * ```
 */
export class WorkLedger extends Machine {
  constructor() {
    super(MACHINE, RawWorkLedger, undefined);
  }

  /**
   * Takes the next event of the conversation: calls and results count, all others are passed over.
   *
   * @throws `invalid_argument`, naming the field, for a call or a result that is none.
   */
  observe(event: AgentEvent): void {
    call(this, (raw: RawWorkLedger) => {
      checkObject(MACHINE, event, "event");
      const json = ledgerEvent(event);
      if (json !== undefined) sendTexts(MACHINE, [json], (length) => raw.observe(length));
    });
  }

  /** Takes what the user wrote. A blank text is passed over. @throws `invalid_argument` */
  prompt(text: string): void {
    call(this, (raw: RawWorkLedger) => {
      checkString(MACHINE, text, "text");
      sendTexts(MACHINE, [text], (length) => raw.prompt(length));
    });
  }

  /**
   * The record of what was done, as facts; `""` if nothing was. The words of users, files and tools stand in quotes and
   * can pass for no heading, and no bracket in it begins a tag.
   *
   * @param options `maxCharacters` is the longest text, in UTF-16 code units, up to a million; 6,000 by
   * default. Lines that have no room are counted.
   * @throws `invalid_argument`
   */
  text(options: { maxCharacters?: number } = {}): string {
    return call(this, (raw: RawWorkLedger) => {
      checkOptions(MACHINE, options, ["maxCharacters"]);
      const field = "options.maxCharacters";
      const most = optional(MACHINE, options.maxCharacters, "number", field) ?? USUAL_LENGTH;
      if (Number.isInteger(most) && most >= 0 && most <= LONGEST) return raw.text(most);
      throw invalidArgument(MACHINE, field, `must be a whole number up to ${LONGEST}`);
    });
  }

  /** The ledger as versioned bytes with a checksum, the same on every platform. */
  snapshot(): Uint8Array & { readonly snapshotOf?: "work_ledger" } {
    return call(this, (raw: RawWorkLedger) => raw.snapshot());
  }

  /**
   * A ledger that goes on as if it had never stopped.
   *
   * @throws `snapshot_corrupt`, `wrong_machine`, `snapshot_version`; `invalid_argument` for what is not bytes.
   */
  static restore(snapshot: Snapshot<"work_ledger">): WorkLedger {
    return restore(MACHINE, RawWorkLedger, snapshot, make);
  }
}

/** For {@link WorkLedger.restore}. */
function make(): WorkLedger {
  return new WorkLedger();
}

/** The JSON of a call or a result. */
function ledgerEvent(event: AgentEvent): string | undefined {
  if (event.type === "tool_call") {
    const { type, name, args = {} } = event;
    checkString(MACHINE, name, "event.name");
    const id = optional(MACHINE, event.id, "string", "event.id");
    // Arguments cross as text, which may be nested deeper than an event.
    return jsonOf({ type, id, name, args: typeof args === "string" ? args : jsonOf(args) });
  }
  if (event.type !== "tool_result") return undefined;
  const { output, exitCode, ...others } = resultFields(MACHINE, event);
  const code = Number.isSafeInteger(exitCode) ? { exitCode } : {};
  return jsonOf({ type: event.type, ...others, output: textOf(output), ...code });
}

/** @throws `invalid_argument` for arguments that JSON cannot hold */
function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch {
    throw invalidArgument(MACHINE, "event.args", "must be what JSON can hold");
  }
}
