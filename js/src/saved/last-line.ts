/** Watches the bytes of a file go by, to tell whether its last line is whole. */
export class LastLine {
  #lineEnds = 0;
  #isDone = false;

  /** The same bytes. */
  async *watch(
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, void> {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf(0x0a); at >= 0; at = chunk.indexOf(0x0a, at + 1)) {
        this.#lineEnds += 1;
      }
      yield chunk;
    }
    this.#isDone = true;
  }

  /**
   * Whether that line, counting from 1, is the last, and nothing ends it. If it cannot be read, it was
   * cut off, as when the agent was writing it.
   */
  isOpen(line: number): boolean {
    return this.#isDone && line === this.#lineEnds + 1;
  }
}
