import { textOf } from "../messages/events.js";
import type { AgentEvent, LoopDetectorOptions, LoopProfile } from "turnkeeper";
import { Player } from "./player.js";
import { shown } from "../saved/fields.js";
import type { FormatName, SavedRecord } from "../saved/saved-session.js";
import { estimateTokens } from "../saved/tokens.js";

import { AfterNudgeCount } from "./after-nudge.js";
import type { SessionReport, TokenKinds } from "./audit-report.js";
import { BlockCount } from "./blocks.js";
import { CommandCount } from "./commands.js";
import type { EconomyCount } from "./economy-count.js";
import { LoopList } from "./loops.js";
import { CallTimeline } from "./timeline.js";
import type { TokenPrices } from "./token-prices.js";

/** Looks at a session record by record. */
export class SessionAudit {
  readonly timeline = new CallTimeline();
  readonly #player: Player;
  readonly #loops = new LoopList();
  readonly #afterNudge = new AfterNudgeCount();
  readonly #blocks = new BlockCount();
  readonly #commands = new CommandCount();
  readonly #economy: EconomyCount | undefined;
  readonly #tokens: TokenKinds = {
    user: 0,
    environment: 0,
    system: 0,
    text: 0,
    reasoning: 0,
    calls: 0,
    results: 0,
  };
  #calls = 0;
  #turns = 0;
  #promptCalls = 0;
  #leftOut = 0;
  #workingDirectory: string | undefined;
  readonly #facts: { title?: string; model?: string } = {};
  readonly #profile: LoopProfile;

  /**
   * @param settings thresholds in the place of the profile's own
   * @param economy counts what of the history is redundant, if `end` is to say it
   */
  constructor(
    file: string,
    profile: LoopProfile,
    model: string | undefined,
    settings: Omit<LoopDetectorOptions, "profile"> = {},
    economy?: EconomyCount,
  ) {
    this.#economy = economy;
    this.#profile = profile;
    this.#player = new Player(file, {
      settings: { profile, ...settings },
      model,
      promptId: undefined,
      continue: true,
      prompts: "session",
    });
  }

  take(record: SavedRecord): void {
    const { message, items, workingDirectory, title, model, leftOut } = record;
    if (title !== undefined) this.#facts.title = title;
    if (model !== undefined) this.#facts.model = model;
    if (leftOut) this.#leftOut += 1;
    this.#workingDirectory = workingDirectory ?? this.#workingDirectory;
    if (message) this.#blocks.take(message.role, message.content, this.#turns);
    this.#economy?.take(record);
    for (const { event, said } of items) {
      const tokensSaid = said ? estimateTokens(said.text) : 0;
      if (said) this.#tokens[said.kind] += tokensSaid;
      this.#event(event, record.place, tokensSaid);
    }
  }

  /**
   * The report, but for the file's name and format.
   *
   * @param history the format, and what the model's tokens cost; without it what is redundant is not counted
   */
  end(history?: {
    format: FormatName;
    pricesOf: (model: string | undefined) => TokenPrices;
  }): Omit<SessionReport, "file" | "format"> {
    this.#player.end();
    const { events, blind } = this.#player.tally;
    const kinds = Object.entries<number>({ ...this.#tokens });
    const rounded = kinds.map(([kind, tokens]): [string, number] => [kind, Math.round(tokens)]);
    const tokens = Object.fromEntries(rounded) as unknown as TokenKinds;
    const total = rounded.reduce((sum, [, tokens]) => sum + tokens, 0);
    const { loops } = this.#loops;
    this.timeline.mark(loops);
    const prices = history?.pricesOf(this.#facts.model);
    const economy = prices && this.#economy?.end(history!.format, prices);
    return {
      ...this.#facts,
      profile: this.#profile,
      events,
      calls: this.#calls,
      turns: this.#turns,
      loops,
      afterNudge: this.#afterNudge.end(prices),
      ...this.#blocks.end(this.#turns),
      ...this.#commands.end(),
      tokens: { ...tokens, total },
      ...(economy && { economy }),
      blind,
      leftOut: this.#leftOut,
    };
  }

  #event(event: AgentEvent, place: number, tokensSaid: number): void {
    const value = event as AgentEvent & Record<string, unknown>;
    const step = this.#player.play({ number: place, value });
    if (step.kind === "prompt") {
      this.#promptCalls = this.#calls;
      return;
    }
    const { verdict } = step;
    const isCall = event.type === "tool_call";
    if (verdict.action !== "ok") {
      const call = isCall ? this.#calls : this.#calls - 1;
      const isSame = this.#loops.add(verdict, place, call, this.#promptCalls);
      this.#afterNudge.verdict(isSame);
    }
    this.#commands.take(event, this.#workingDirectory);
    this.timeline.take(event);
    if (isCall) this.#calls += 1;
    if (event.type === "turn_started") this.#turns += 1;
    this.#afterNudge.take(event, tokensSaid + this.#count(event));
  }

  /** The event's tokens, which are counted by their kind. */
  #count(event: AgentEvent): number {
    const add = (kind: keyof TokenKinds, text: string): number => {
      const tokens = estimateTokens(text);
      this.#tokens[kind] += tokens;
      return tokens;
    };
    switch (event.type) {
      case "text":
        return add("text", event.text);
      case "reasoning":
        return add("reasoning", event.text);
      case "tool_call":
        return add("calls", `${event.name} ${shown(event.args ?? "")}`);
      case "tool_result":
        return add("results", textOf(event.output));
      default:
        return 0;
    }
  }
}
