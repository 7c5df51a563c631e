import { Breath } from "./breath.js";
import { InputProblem } from "./input-problem.js";

/** All of a session is kept, and a page has less room than a program. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Hands over a file's bytes in parts, and lets the worker hear in between that nobody wants them any more.
 *
 * @param take returns whether it wants more
 * @param onProgress is told the part that has been read, from 0 to 1
 * @throws {@link InputProblem} if the file is too large, or the browser cannot read it
 */
export async function readChunks(
  { name, blob }: { name: string; blob: Blob },
  signal: AbortSignal,
  take: (bytes: Uint8Array) => boolean,
  onProgress: (part: number) => void = () => {},
): Promise<void> {
  if (blob.size > LARGEST) {
    throw new InputProblem(
      name,
      "is larger than 256 MB; the command turnkeeper reads files of any size",
    );
  }
  const breath = new Breath();
  let read = 0;
  // Not every browser can iterate over a stream.
  const reader = blob.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw new InputProblem(name, `cannot be read (${(error as Error).message})`);
      });
      if (done || !take(value)) return;
      read += value.length;
      onProgress(read / blob.size);
      await breath.take(signal);
    }
  } finally {
    void reader.cancel();
  }
}
