// The machines of a session, which live and end together, and are saved as one.

import { RawTurnOrder } from "../glue/turnkeeper.js";
import { invalidConfig, isObject, notAnOption } from "./boundary/arguments.js";
import type {
  LoopDetectorOptions,
  SessionState,
  SummaryInjectorOptions,
  TerminalSelectorOptions,
} from "./boundary/generated/shapes.js";
import type { RawMachine } from "./boundary/machine.js";
import { plainOptions } from "./boundary/plain-value.js";
import type { AssemblerOptions } from "./prompt/options.js";
import { GhostBlockAssembler } from "./prompt/ghost-block.js";
import { LoopDetector } from "./loop/loop-detector.js";
import { property } from "./loop/stream-source.js";
import { SummaryInjector } from "./memory/summary-injector.js";
import { CHOICES, TerminalSelector } from "./terminals/terminal-selector.js";

/** Who refuses. */
export const MACHINE = "agent_session";
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

/** The machines, which live and end together. */
export class Machines implements RawMachine {
  readonly loop!: LoopDetector;
  readonly assembler!: GhostBlockAssembler;
  readonly terminals!: TerminalSelector;
  readonly summaries!: SummaryInjector;
  /** What the session itself knows and decides. */
  readonly order!: RawTurnOrder;
  readonly tags: string[];
  readonly separator: string;
  readonly taskId: string | undefined;
  /** Whether the terminals are other sessions', too. */
  readonly isSharing: boolean;

  /** Made of a host's options, or of a snapshot and what it does not hold. */
  constructor(options: unknown, saved?: Uint8Array) {
    try {
      if (saved === undefined) {
        const given = options === undefined ? {} : options;
        if (!isObject(given)) throw invalidConfig(MACHINE, "options", "must be an object");
        const { loop, assembler, terminals, summaries, ...own } = given as AgentSessionOptions;
        for (const name of Object.keys(own)) {
          if (!(OPTIONS as string[]).includes(name)) {
            throw invalidConfig(MACHINE, name, notAnOption(OPTIONS));
          }
        }
        for (const [name, value] of Object.entries({ assembler, terminals })) {
          if (value === undefined) throw invalidConfig(MACHINE, name, "must be given");
        }
        const isDelta = assembler?.placement === "delta";
        this.order = new RawTurnOrder(plainOptions(MACHINE, own), isDelta);
        this.loop = new LoopDetector(loop);
        this.assembler = new GhostBlockAssembler(assembler);
        this.isSharing = isSelector(terminals);
        this.terminals = isSelector(terminals) ? terminals : new TerminalSelector(terminals);
        this.summaries = new SummaryInjector(summaries);
      } else {
        const { countTokens, terminals: shared } = options as Restored;
        const order = (this.order = RawTurnOrder.restore(saved));
        this.loop = LoopDetector.restore(order.takeSaved(0));
        this.assembler = GhostBlockAssembler.restore(order.takeSaved(1), { countTokens });
        this.isSharing = shared !== undefined;
        this.terminals = shared ?? TerminalSelector.restore(order.takeSaved(2));
        this.summaries = SummaryInjector.restore(order.takeSaved(3));
      }
      const { tags, separator, taskId } = this.order.state() as SessionState;
      [this.tags, this.separator, this.taskId] = [tags, separator, taskId];
    } catch (error) {
      this.free();
      throw error;
    }
  }

  save(): Uint8Array {
    const { loop, assembler, terminals, summaries } = this;
    const saved = [loop, assembler, terminals, summaries].map((machine) => machine.snapshot());
    return this.order.save(...(saved as Parameters<RawTurnOrder["save"]>));
  }

  free(): void {
    this.order?.free();
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
