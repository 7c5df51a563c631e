import type { AnyProfile } from "./profiles.js";
import type { AgentEvent, LoopDetectorOptions } from "turnkeeper";
import { Player, wordsOf } from "./player.js";
import type { SessionFormat, RecordedUsage, SavedRecord } from "../saved/saved-session.js";
import { estimateTokens } from "../saved/tokens.js";

import type { SessionReport, TokenKinds } from "./audit-report.js";
import { CommandCount } from "./commands.js";
import { LoopCostCount } from "./loop-cost.js";
import { LoopList } from "./loops.js";
import { nothingOutdated, type OutdatedSource } from "./outdated.js";
import { pausesIn } from "./pauses.js";
import { oneLine } from "./plain-text.js";
import { RereadCount } from "./rereads.js";
import { saveableOf, type Found } from "./saveable.js";
import { CallTimeline } from "./timeline.js";
import { TOKEN_KINDS, noTokens } from "./total.js";
import { pricesOf, type ModelPrices, type PriceTable } from "./token-prices.js";
import { UsageCount, usageOf, type Answer, type Usage } from "./usage-count.js";

/** How a session is looked at. */
export interface AuditSettings {
  profile: AnyProfile;
  /** The model, where the session does not name it. */
  model: string | undefined;
  /** Thresholds in the place of the profile's own. */
  rules?: Omit<LoopDetectorOptions, "profile">;
  prices: PriceTable;
}

/** A session's report, but for where it was found, and what may change it afterwards. */
export interface AuditedSession {
  report: Omit<SessionReport, "file" | "format">;
  /** What its answers used, by which copies in other files are known. */
  answers: readonly Answer[];
  /** The rest that {@link costOf} needs. */
  basis: CostBasis;
}

/** What the cost of a session is computed from. */
export interface CostBasis {
  found: Omit<Found, "pauses">;
  estimated: Usage;
  prices: ModelPrices | undefined;
}

/** What a session cost and could have saved, by those of its answers that count. */
export function costOf(
  answers: readonly Answer[],
  { found, estimated, prices }: CostBasis,
): Pick<SessionReport, "usage" | "saveable"> {
  const recorded = usageOf(answers);
  // Some files record the money alone.
  const usage: Usage =
    recorded === undefined
      ? estimated
      : recorded.tokens > 0
        ? recorded
        : { ...estimated, dollars: recorded.dollars! };
  const pauses = pausesIn(answers, prices);
  return { usage, saveable: saveableOf({ ...found, pauses }, usage, prices) };
}

/** Looks at a session record by record. */
export class SessionAudit {
  readonly timeline = new CallTimeline();
  readonly #player: Player;
  readonly #loops = new LoopList();
  readonly #usage: UsageCount;
  readonly #loopCost: LoopCostCount;
  readonly #rereads = new RereadCount();
  readonly #commands = new CommandCount();
  readonly #outdated: OutdatedSource;
  readonly #settings: AuditSettings;
  readonly #tokens = noTokens();
  #calls = 0;
  #turns = 0;
  #promptCalls = 0;
  #leftOut = 0;
  #workingDirectory: string | undefined;
  readonly #facts: { title?: string; model?: string } = {};
  #firstWords: string | undefined;
  #first = Infinity;
  #last = -Infinity;

  /** @param outdated counts what of the history is outdated */
  constructor(file: string, settings: AuditSettings, outdated: OutdatedSource) {
    const { profile, model, rules, prices } = settings;
    this.#settings = settings;
    this.#outdated = outdated;
    this.#usage = new UsageCount(prices);
    this.#loopCost = new LoopCostCount(this.#usage);
    this.#player = new Player(file, {
      settings: { profile, ...rules },
      model,
      promptId: undefined,
      continue: true,
      prompts: "session",
    });
  }

  /** @param format whose record it is */
  take(record: SavedRecord, format: SessionFormat): void {
    const { items, workingDirectory, title, model, leftOut, usage, time } = record;
    if (title !== undefined) this.#facts.title = title;
    if (model !== undefined) this.#facts.model = model;
    if (leftOut) this.#leftOut += 1;
    if (time !== undefined) {
      this.#first = Math.min(this.#first, time);
      this.#last = Math.max(this.#last, time);
    }
    this.#workingDirectory = workingDirectory ?? this.#workingDirectory;
    this.#outdated.take(record);
    for (const { event, said } of items) {
      const tokensSaid = said ? estimateTokens(said.text) : 0;
      if (said) this.#tokens[said.kind] += tokensSaid;
      if (said?.kind === "user") this.#firstWords ??= firstWordsOf(said.text);
      this.#event(event, record.place, tokensSaid);
    }
    for (const each of usage ?? []) this.takeUsage(each, format);
  }

  /** Takes what is recorded beside the session. */
  takeUsage(usage: RecordedUsage, format: SessionFormat): void {
    this.#usage.take(usage, format, this.#facts.model ?? this.#settings.model);
  }

  /** The report, but for the file's name and format. */
  end(format: SessionFormat | undefined): AuditedSession {
    this.#player.end();
    const { events, blind } = this.#player.tally;
    const tokens = { ...this.#tokens, total: 0 };
    for (const kind of TOKEN_KINDS) {
      tokens[kind] = Math.round(tokens[kind]);
      tokens.total += tokens[kind];
    }
    const { loops } = this.#loops;
    this.timeline.mark(loops);
    const prices = pricesOf(this.#facts.model ?? this.#settings.model, this.#settings.prices);
    const { answers } = this.#usage;
    const basis = {
      found: {
        loops: this.#loopCost.end(usageOf(answers) !== undefined, prices),
        outdated: (format && this.#outdated.end()) ?? nothingOutdated(),
        rereads: this.#rereads.end(),
      },
      estimated: this.#loopCost.estimated(prices),
      prices,
    };
    const title = this.#facts.title ?? this.#firstWords;
    const project = this.#workingDirectory;
    const report = {
      ...this.#facts,
      ...(title !== undefined && { title }),
      ...(project !== undefined && { project }),
      ...(this.#first < Infinity && { started: isoTime(this.#first), ended: isoTime(this.#last) }),
      profile: this.#settings.profile,
      events,
      calls: this.#calls,
      turns: this.#turns,
      loops,
      ...costOf(answers, basis),
      ...this.#commands.end(),
      tokens,
      blind,
      leftOut: this.#leftOut,
    };
    return { report, answers, basis };
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
      this.#loopCost.verdict(isSame);
    }
    this.#commands.take(event, this.#workingDirectory);
    this.timeline.take(event);
    if (isCall) this.#calls += 1;
    if (event.type === "turn_started") this.#turns += 1;
    const words = wordsOf(event);
    this.#rereads.take(event, words);
    this.#loopCost.take(event, tokensSaid + this.#count(event.type, words));
  }

  /** The event's tokens, which are counted by their kind. */
  #count(type: AgentEvent["type"], words: string): number {
    const kind = KIND_OF[type];
    if (kind === undefined) return 0;
    const tokens = estimateTokens(words);
    this.#tokens[kind] += tokens;
    return tokens;
  }
}

/** The kind of what is said in an event. */
const KIND_OF: Partial<Record<AgentEvent["type"], keyof TokenKinds>> = {
  text: "text",
  reasoning: "reasoning",
  tool_call: "calls",
  tool_result: "results",
};

/** A time of another planet is no date. */
function isoTime(time: number): string {
  return new Date(Math.min(time, 8.64e15)).toISOString();
}

/** The first words that the user typed, without the tags around them and what the host has added. */
function firstWordsOf(text: string): string | undefined {
  const words = text
    .slice(0, 4_000)
    .replace(
      /<(environment_details|system-reminder|command-[a-z]+|local-command-[a-z]+)>[^]*?(<\/\1>|$)/g,
      " ",
    )
    .replace(/<\/?[a-z_-]{1,40}>/gi, " ");
  return oneLine(words, 120) || undefined;
}
