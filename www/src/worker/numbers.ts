/** A list of whole numbers from -2³¹ up to 2³¹, four bytes each. */
export class Numbers {
  length = 0;
  #values = new Int32Array(1_024);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Int32Array(this.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length++] = value;
  }

  set(index: number, value: number): void {
    this.#values[index] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }
}
