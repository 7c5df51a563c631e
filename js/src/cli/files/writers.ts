import { readFileSync, readdirSync, readlinkSync, realpathSync } from "node:fs";

/**
 * The processes that have a file open for writing, this one excepted. Linux alone tells, and of the user's own
 * processes alone; those in other containers, on other machines and of other users are not seen.
 */
export function writersOf(file: string): number[] {
  const name = realpathSync(file);
  const processes = entries("/proc").filter((entry) => /^[1-9]\d*$/.test(entry));
  return processes.map(Number).filter((pid) => pid !== process.pid && isWriter(pid, name));
}

function isWriter(pid: number, name: string): boolean {
  return entries(`/proc/${pid}/fd`).some((descriptor) => {
    try {
      if (readlinkSync(`/proc/${pid}/fd/${descriptor}`) !== name) return false;
      const [, flags] = /^flags:\s*([0-7]+)$/m.exec(
        readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, "utf8"),
      )!;
      // The lowest two bits: 0 reads, 1 writes, 2 does both.
      return (Number.parseInt(flags!, 8) & 3) !== 0;
    } catch {
      // It is closed by now.
      return false;
    }
  });
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The process has ended or is somebody else's, or the system has no such folder.
    return [];
  }
}
