import {
  LoopDetector,
  type AgentEvent,
  type LoopDetectorOptions,
  type LoopReport,
  type LoopVerdict,
} from "turnkeeper";
import { LoopDetector as PeerDetector, type PeerOptions } from "turnkeeper/peers";

import { isOwn, type ProfileRules } from "./profiles.js";
import { textOf } from "../messages/events.js";
import { InputError, type SessionLine } from "../saved/event-lines.js";
import { shown } from "../saved/items.js";
import { estimateTokens } from "../saved/tokens.js";

/** What the events of a session may lack. */
export type Lack = "calls" | "arguments" | "results" | "prompts";

/** How a session is played. */
export interface PlayerOptions {
  settings: ProfileRules;
  /** The model, where the session does not name it. */
  model: string | undefined;
  promptId: string | undefined;
  /** Go on after a stop, as a host does that gives the model another chance. */
  continue: boolean;
  /**
   * Where prompts start, if the session does not say so itself: with each message of the user
   * (left out), or only at the beginning.
   */
  prompts?: "user" | "session";
}

/** The result of one line of a session. */
export type Step = PromptStep | EventStep;

/** A line that says where a prompt starts; it is no event. */
export interface PromptStep {
  kind: "prompt";
  line: number;
  promptId: string;
  model: string | undefined;
}

/** An event, and what the detector says to it. */
export interface EventStep {
  kind: "event";
  line: number;
  /** Counts the events of the file from 0. */
  index: number;
  event: AgentEvent;
  /** For a tool call: its index in its prompt, from 0, as reports count. */
  call: number | undefined;
  verdict: LoopVerdict;
  /** Whether it comes after a stop, which saves it. */
  saved: boolean;
}

/** The result of one file. */
export interface Tally {
  events: number;
  calls: number;
  prompts: number;
  nudges: number;
  stops: { line: number; index: number; report: LoopReport }[];
  saved: Saved;
  /** What the session's events lack, so that rules which need it stayed silent. */
  blind: Lack[];
}

/** Events and calls after stops, which a host that obeys them saves. */
export interface Saved {
  events: number;
  calls: number;
  /** UTF-16 code units of assistant text and reasoning. */
  characters: number;
  /** Estimated, of all that was said, called and answered. */
  tokens: number;
}

/** Plays one session through a loop detector of its own. */
export class Player {
  readonly tally: Tally = {
    events: 0,
    calls: 0,
    prompts: 0,
    nudges: 0,
    stops: [],
    saved: { events: 0, calls: 0, characters: 0, tokens: 0 },
    blind: [],
  };

  readonly #detector: LoopDetector;
  readonly #options: PlayerOptions;
  readonly #file: string;
  readonly #firstId: string;
  #promptId: string | undefined;
  #call = 0;
  #stopped = false;
  #saysItsPrompts = false;
  #afterUserMessage = false;

  constructor(file: string, options: PlayerOptions) {
    this.#file = file;
    this.#options = options;
    this.#firstId = options.promptId ?? file;
    this.#detector = detectorWith(options.settings);
  }

  play({ number: line, value }: SessionLine): Step {
    if (value.type === "prompt_started") return this.#promptStarted(line, value);
    const event = value as unknown as AgentEvent;
    this.#startPromptFor(event);
    const verdict = this.#observe(event, line);
    const call = event.type === "tool_call" ? this.#call++ : undefined;
    const saved = this.#stopped;
    const index = this.tally.events++;
    if (call !== undefined) this.tally.calls += 1;
    if (saved) this.#save(event);
    else if (verdict.action !== "ok") this.#found(verdict, line, index);
    return { kind: "event", line, index, event, call, verdict, saved };
  }

  /** The longest run of calls under way. */
  get counts(): LoopDetector["counts"] {
    return this.#detector.counts;
  }

  /** Ends the session; the player is of no more use. */
  end(): void {
    this.#noteBlindness();
    this.#detector.dispose();
  }

  #promptStarted(line: number, { promptId, model, userPrompt }: SessionLine["value"]): Step {
    for (const [name, value] of Object.entries({ promptId, model, userPrompt })) {
      if (typeof value === "string" || (value === undefined && name !== "promptId")) continue;
      throw new InputError(this.#file, `prompt_started: ${name} must be a string`, line);
    }
    this.#saysItsPrompts = true;
    const id = promptId as string;
    const ownModel = (model as string | undefined) ?? this.#options.model;
    this.#startPrompt(id, ownModel, userPrompt as string | undefined);
    return { kind: "prompt", line, promptId: id, model: ownModel };
  }

  /**
   * A host starts a prompt when the user sends a message, so a recorded one starts one, too; several in
   * a row are one. A file that says itself where its prompts start is taken at its word.
   */
  #startPromptFor(event: AgentEvent): void {
    const isUserMessage = event.type === "user_message";
    const begins =
      isUserMessage &&
      !this.#afterUserMessage &&
      !this.#saysItsPrompts &&
      this.#options.prompts !== "session";
    if (begins || this.#promptId === undefined) {
      const count = this.tally.prompts + 1;
      const id = count === 1 ? this.#firstId : `${this.#firstId}#${count}`;
      this.#startPrompt(id, this.#options.model, undefined);
    }
    this.#afterUserMessage = isUserMessage;
  }

  #startPrompt(id: string, model: string | undefined, userPrompt: string | undefined): void {
    if (id === this.#promptId) return;
    this.#noteBlindness();
    this.#detector.startPrompt(id, {
      ...(model !== undefined && { model }),
      ...(userPrompt !== undefined && { userPrompt }),
    });
    this.#promptId = id;
    this.#call = 0;
    this.#stopped = false;
    this.tally.prompts += 1;
  }

  #observe(event: AgentEvent, line: number): LoopVerdict {
    try {
      return this.#detector.observe(event);
    } catch (error) {
      throw new InputError(this.#file, (error as Error).message, line);
    }
  }

  #found(verdict: Exclude<LoopVerdict, { action: "ok" }>, line: number, index: number): void {
    if (verdict.action === "nudge") {
      this.tally.nudges += 1;
      return;
    }
    this.tally.stops.push({ line, index, report: verdict.report });
    if (this.#options.continue) this.#detector.clear();
    else this.#stopped = true;
  }

  #save(event: AgentEvent): void {
    const { saved } = this.tally;
    saved.events += 1;
    saved.tokens += Math.round(estimateTokens(wordsOf(event)));
    if (event.type === "tool_call") saved.calls += 1;
    if (event.type === "text" || event.type === "reasoning") saved.characters += event.text.length;
  }

  #noteBlindness(): void {
    for (const lack of this.#detector.blind) {
      // What is replayed comes through no adapter.
      if (lack === "events") continue;
      if (!this.tally.blind.includes(lack)) this.tally.blind.push(lack);
    }
  }
}

/** What an event says, in words: of a call its name and arguments. */
export function wordsOf(event: AgentEvent): string {
  switch (event.type) {
    case "text":
    case "reasoning":
      return event.text;
    case "tool_call":
      return `${event.name} ${shown(event.args ?? "")}`;
    case "tool_result":
      return textOf(event.output);
    default:
      return "";
  }
}

/** A detector with the package's own rules, or with another agent's. */
function detectorWith(settings: ProfileRules): LoopDetector {
  return isOwn(settings.profile)
    ? new LoopDetector(settings as LoopDetectorOptions)
    : new PeerDetector(settings as PeerOptions);
}
