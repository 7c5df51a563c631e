import type { SessionReport } from "../../analysis/audit-report.js";
import { SessionAudit } from "../../analysis/audit-session.js";
import { EconomyCount } from "../../analysis/economy-count.js";
import type { Stretch } from "../../analysis/timeline.js";
import { pricesOf, type PriceTable } from "../../analysis/token-prices.js";
import { TurnkeeperError, type LoopProfile } from "turnkeeper";
import { InputError } from "../../saved/event-lines.js";
import { LastLine } from "../../saved/last-line.js";
import { SavedReader } from "../../saved/read-saved.js";
import type { Input } from "../files/inputs.js";
import { chunksOf } from "../files/session-lines.js";

/** What judges every session alike. */
export interface Rules {
  profile: LoopProfile;
  /** The model, for rules that depend on it. */
  model: string | undefined;
  prices: PriceTable;
}

/** A session's report, and its calls for a picture. */
export interface JudgedSession {
  report: SessionReport;
  timeline: Stretch[];
  /** There if the last line is cut off, as when the agent is writing it; what came before it was judged. */
  cutOff?: { line: number; reason: string };
}

/**
 * Reads a file and judges it.
 *
 * @param onRead is told how many bytes have been read
 * @throws {@link InputError}
 */
export async function judge(
  input: Input,
  { profile, model, prices }: Rules,
  onRead: (bytes: number) => void,
): Promise<JudgedSession> {
  const { file } = input;
  const reader = new SavedReader(file);
  const lastLine = new LastLine();
  const session = new SessionAudit(file, profile, model, {}, new EconomyCount());
  let ended;
  let cutOff: JudgedSession["cutOff"];
  try {
    for await (const { record } of reader.pieces(lastLine.watch(chunksOf(input, onRead)))) {
      if (record) judged(file, () => session.take(record));
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { line, message: reason } = error;
    // In a file that is not recognised by then, nothing was judged.
    if (line === undefined || !lastLine.isOpen(line) || !reader.format) throw error;
    cutOff = { line, reason };
  } finally {
    const { format } = reader;
    const history = format && { format, pricesOf: (named = model) => pricesOf(named, prices) };
    ended = judged(file, () => session.end(history));
  }
  if (ended.events === 0)
    throw new InputError(file, cutOff?.reason ?? "has no events", cutOff?.line);
  const report: SessionReport = { file, format: reader.format!, ...ended };
  const timeline = session.timeline.stretches();
  return { report, timeline, ...(cutOff && { cutOff }) };
}

/** What a part of the work gives; what a machine refuses is bad input like any other. */
function judged<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TurnkeeperError)) throw error;
    throw new InputError(file, `cannot be judged: ${error.message}`);
  }
}
