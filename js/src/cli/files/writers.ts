import { readFileSync, readlinkSync, realpathSync } from "node:fs";

import { attempt, namesIn } from "./file-questions.js";

/**
 * The processes that have a file open for writing, this one excepted. Linux alone tells, and of the user's own
 * processes alone; those in other containers, on other machines and of other users are not seen.
 */
export function writersOf(file: string): number[] {
  const name = realpathSync(file);
  const processes = namesIn("/proc").filter((entry) => /^[1-9]\d*$/.test(entry));
  return processes.map(Number).filter((pid) => pid !== process.pid && isWriter(pid, name));
}

function isWriter(pid: number, name: string): boolean {
  // What has ended, is closed by now or is somebody else's is not seen.
  return namesIn(`/proc/${pid}/fd`).some((descriptor) =>
    attempt(() => {
      if (readlinkSync(`/proc/${pid}/fd/${descriptor}`) !== name) return false;
      const info = readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8");
      const [, flags] = /^flags:\s*([0-7]+)$/m.exec(info)!;
      // The lowest two bits: 0 reads, 1 writes, 2 does both.
      return (Number.parseInt(flags!, 8) & 3) !== 0;
    }),
  );
}
