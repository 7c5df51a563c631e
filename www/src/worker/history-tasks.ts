// What the view of a history asks for.

import { analysis, answered, release } from "./analysis.js";
import type { Way } from "./exchange.js";
import { optionsOf, type Repair } from "./presets.js";
import { readChunks } from "./saved-file.js";
import { openFile } from "./session-tasks.js";
import type { BlockRow, JudgedHistory } from "./shapes.js";

type RawRepair = InstanceType<Awaited<ReturnType<typeof analysis>>["RawRepair"]>;

/** The repair that the list of blocks is of, and its session. */
let repaired: { session: number; raw: RawRepair } | undefined;

/** Repairs the open history by a preset; news are the part that is done. Undefined if it is none. */
export async function judgeHistory(
  { id, repair }: { id: number; repair: Repair },
  { signal, tell }: Way,
): Promise<JudgedHistory | undefined> {
  if (!openFile(id).session.isHistory) return undefined;
  const { RawRepair } = await analysis();
  const raw = new RawRepair(openFile(id).session.name, JSON.stringify(optionsOf(repair)));
  try {
    await readTwice(id, raw, signal, tell);
    const judged = raw.judged();
    if (judged === undefined) return undefined;
    release(repaired?.raw);
    repaired = { session: id, raw };
    return answered<JudgedHistory>(judged);
  } finally {
    if (repaired?.raw !== raw) release(raw);
  }
}

/** Older messages change by what newer ones say, so the file is read once for these, and once to be repaired. */
async function readTwice(
  id: number,
  raw: RawRepair,
  signal: AbortSignal,
  tell: (part: number) => void,
  onBytes: () => void = () => {},
): Promise<void> {
  const { session, blob } = openFile(id);
  const file = { name: session.name, blob };
  await readChunks(
    file,
    signal,
    (bytes) => raw.read(bytes),
    (part) => tell(part / 2),
  );
  raw.decide();
  const repair = (bytes: Uint8Array): boolean => {
    raw.repair(bytes);
    onBytes();
    return true;
  };
  await readChunks(file, signal, repair, (part) => tell(0.5 + part / 2));
  raw.end();
  onBytes();
}

/** Some rows of the list of blocks, from `from` up to `to`. */
export function historyRows({
  id,
  from,
  to,
}: {
  id: number;
  from: number;
  to: number;
}): BlockRow[] {
  return repaired?.session === id ? answered(repaired.raw.rows(from, to)) : [];
}

/** The repaired file: only what changed is written anew, everything else stays byte for byte. */
export async function repairedFile(
  { id, repair }: { id: number; repair: Repair },
  { signal, tell }: Way,
): Promise<Blob> {
  const { RawRepair } = await analysis();
  const { session, blob } = openFile(id);
  const raw = RawRepair.ofBytes(session.name, JSON.stringify(optionsOf(repair)));
  const parts: BlobPart[] = [];
  try {
    await readTwice(id, raw, signal, tell, () => parts.push(raw.bytes() as BlobPart));
    return new Blob(parts, { type: blob.type });
  } finally {
    release(raw);
  }
}
