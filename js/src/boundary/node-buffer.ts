// Node's Buffer, whose native writers are far faster than a loop, and than what else
// there is.

/** A view of Wasm memory: a Buffer, or an array that has none of its methods. */
export interface NodeBuffer extends Uint8Array {
  write?(text: string, offset: number, length: number, encoding: "utf16le"): number;
  ucs2Write?(text: string, offset: number, length: number): number;
  utf8Write?(text: string, offset: number, length: number): number;
}

interface Platform {
  Buffer?: { from(memory: ArrayBufferLike, at: number, length: number): NodeBuffer };
}

/** What somebody has asked of Node; undefined where a runtime forbids that, which throws at the mere look. */
export function unlessForbidden<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

const Buffer = unlessForbidden(() => (globalThis as Platform).Buffer);

/** A number of bytes at an address as Node sees them, and `undefined` outside Node. */
export function nodeBuffer(
  memory: ArrayBufferLike,
  at: number,
  length: number,
): NodeBuffer | undefined {
  return unlessForbidden(() => Buffer?.from(memory, at, length));
}
