// The machines of a session, which live and end together, and are saved as one.

import { invalidConfig, isObject, notAnOption, refusal } from "./boundary/arguments.js";
import type { TurnkeeperError } from "./boundary/errors.js";
import type {
  LoopDetectorOptions,
  SummaryInjectorOptions,
  TerminalSelectorOptions,
} from "./boundary/generated/shapes.js";
import type { RawMachine } from "./boundary/machine.js";
import type { AssemblerOptions } from "./prompt/options.js";
import { GhostBlockAssembler } from "./prompt/ghost-block.js";
import { stripEnvironment } from "./context/environment.js";
import { LoopDetector } from "./loop/loop-detector.js";
import { property } from "./loop/stream-source.js";
import { SummaryInjector } from "./memory/summary-injector.js";
import { CHOICES, TerminalSelector } from "./terminals/terminal-selector.js";

/** Who refuses. */
export const MACHINE = "agent_session";
/** The lengths in front of a snapshot's parts, in bytes: of its own state, and of four machines. */
const LENGTHS = 5 * 4;

/** The options of an {@link AgentSession}, most of them by machine; an unknown name is an error. */
export interface AgentSessionOptions {
  /** The options of the {@link GhostBlockAssembler}, of which `root` is required. */
  assembler: AssemblerOptions;
  /**
   * The options of the {@link TerminalSelector}, of which `platform` is required; or a selector that sessions share,
   * because they run their commands in the terminals of one window. The session does not dispose of that one.
   */
  terminals: TerminalSelectorOptions | TerminalSelector;
  /**
   * The task of this session, for its commands in shared terminals: a request without a `taskId` gets it, and the
   * log has the choices for it. Without it, the log of a session with shared terminals has those of its own
   * `selectTerminal` alone.
   */
  taskId?: string;
  /** The options of the {@link LoopDetector}. Default: those of the profile `adaptive`. */
  loop?: LoopDetectorOptions;
  /** The options of the {@link SummaryInjector}. Default: no limit of tokens or messages. */
  summaries?: SummaryInjectorOptions;
  /**
   * The names of the tags that mark a block of environment, without brackets. An environment that comes
   * without tags gets the first. Default: `["environment_details"]`.
   */
  environmentTags?: string[];
  /** White space between what the user said and the environment. Default: a blank line. */
  environmentSeparator?: string;
}

/** Their names, for an error. */
const OPTIONS = [
  "assembler",
  "terminals",
  "taskId",
  "loop",
  "summaries",
  "environmentTags",
  "environmentSeparator",
] as const satisfies (keyof AgentSessionOptions)[];

/** What no snapshot of a session holds. */
export interface Restored {
  /** The assembler's. */
  countTokens?: AssemblerOptions["countTokens"];
  /** The selector that sessions share; left out, the session gets one of its own, as it was. */
  terminals?: TerminalSelector;
}

/** What a session knows besides its machines. */
export interface State {
  tags: string[];
  /** White space before an environment; left out, the deduper's own. */
  separator?: string | undefined;
  /** Whether each ghost block builds upon those before, which therefore stay. */
  isDelta: boolean;
  /** The task of its commands. */
  taskId?: string | undefined;
  /** The number of the newest turn; 0 before the first. */
  turn: number;
  /** What the user said in the open turn. */
  prompt?: string | undefined;
}

/** The machines, which live and end together. */
export class Machines implements RawMachine {
  readonly loop!: LoopDetector;
  readonly assembler!: GhostBlockAssembler;
  readonly terminals!: TerminalSelector;
  readonly summaries!: SummaryInjector;
  readonly state: State;
  /** Whether the terminals are other sessions', too. */
  readonly isSharing: boolean;

  /** Made of a host's options, or of a snapshot and what it does not hold. */
  constructor(options: unknown, saved?: Saved) {
    try {
      if (saved === undefined) {
        const given = options === undefined ? {} : options;
        if (!isObject(given)) throw invalidConfig(MACHINE, "options", "must be an object");
        const { loop, assembler, terminals, summaries, ...own } = given as AgentSessionOptions;
        const { environmentTags, environmentSeparator: separator, taskId, ...others } = own;
        for (const name of Object.keys(others)) {
          throw invalidConfig(MACHINE, name, notAnOption(OPTIONS));
        }
        for (const [name, value] of Object.entries({ assembler, terminals })) {
          if (value === undefined) throw invalidConfig(MACHINE, name, "must be given");
        }
        const isDelta = assembler?.placement === "delta";
        const tags = environmentTags ?? ["environment_details"];
        checkEnvironment(tags, separator);
        if (taskId !== undefined && typeof taskId !== "string") {
          throw invalidConfig(MACHINE, "taskId", "must be a string");
        }
        this.state = { tags: [...tags], separator, isDelta, taskId, turn: 0 };
        this.loop = new LoopDetector(loop);
        this.assembler = new GhostBlockAssembler(assembler);
        this.isSharing = isSelector(terminals);
        this.terminals = isSelector(terminals) ? terminals : new TerminalSelector(terminals);
        this.summaries = new SummaryInjector(summaries);
      } else {
        const [own, loop, assembler, terminals, summaries] = saved;
        const { countTokens, terminals: shared } = options as Restored;
        this.state = stateOf(own);
        checkEnvironment(this.state.tags, this.state.separator);
        this.loop = LoopDetector.restore(loop);
        this.assembler = GhostBlockAssembler.restore(assembler, { countTokens });
        this.isSharing = shared !== undefined;
        this.terminals = shared ?? TerminalSelector.restore(terminals);
        this.summaries = SummaryInjector.restore(summaries);
      }
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** The machines of {@link save}'s bytes, with what these do not hold. */
  static load(payload: Uint8Array, options: Restored): Machines {
    return new Machines(options, partsOf(payload));
  }

  /** The state and the machines' snapshots, one after another, after the length of each. */
  save(): Uint8Array {
    const own = new TextEncoder().encode(JSON.stringify(this.state));
    const machines = [this.loop, this.assembler, this.terminals, this.summaries];
    const parts = [own, ...machines.map((machine) => machine.snapshot())];
    const payload = new Uint8Array(parts.reduce((sum, part) => sum + part.length, LENGTHS));
    const lengths = new DataView(payload.buffer);
    let end = LENGTHS;
    parts.forEach((part, at) => {
      lengths.setUint32(4 * at, part.length, true);
      payload.set(part, end);
      end += part.length;
    });
    return payload;
  }

  free(): void {
    this.loop?.dispose();
    this.assembler?.dispose();
    if (!this.isSharing) this.terminals?.dispose();
    this.summaries?.dispose();
  }
}

/** Whether terminals were given as a selector, which may be of another entry. */
export function isSelector(terminals: unknown): terminals is TerminalSelector {
  return property(terminals, CHOICES) !== undefined;
}

/** Refuses tags that are none, and a separator that is more than white space. */
function checkEnvironment(tags: string[], separator: string | undefined): void {
  stripEnvironment("", { tags });
  if (separator === undefined) return;
  if (typeof separator !== "string" || separator.trim() !== "") {
    throw invalidConfig(MACHINE, "environmentSeparator", "must be white space");
  }
}

type Saved = readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** The parts of a snapshot's payload. */
function partsOf(payload: Uint8Array): Saved {
  const parts: Uint8Array[] = [];
  let end = LENGTHS;
  if (payload.length >= LENGTHS) {
    const lengths = new DataView(payload.buffer, payload.byteOffset);
    for (let at = 0; at < LENGTHS; at += 4) {
      const start = end;
      end += lengths.getUint32(at, true);
      parts.push(payload.subarray(start, end));
    }
  }
  if (end !== payload.length) throw corrupt();
  return parts as unknown as Saved;
}

function stateOf(bytes: Uint8Array): State {
  try {
    const own = JSON.parse(new TextDecoder().decode(bytes)) as State;
    const { tags, separator, isDelta, taskId, turn, prompt } = own;
    if (
      typeof isDelta === "boolean" &&
      Number.isSafeInteger(turn) &&
      turn >= 0 &&
      (taskId === undefined || typeof taskId === "string") &&
      (prompt === undefined || typeof prompt === "string")
    ) {
      return { tags, separator, isDelta, taskId, turn, prompt };
    }
  } catch {
    // No JSON.
  }
  throw corrupt();
}

function corrupt(): TurnkeeperError {
  return refusal("snapshot_corrupt", MACHINE, undefined, "the parts of the snapshot do not fit");
}
