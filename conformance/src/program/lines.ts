/**
 * Splits the output of a program into lines as it arrives. Memory holds a line up to a cap: the rest of a longer one is
 * counted, and thrown away as it comes.
 */

const NEWLINE = 0x0a;

/** A line without its newline. `bytes` is null if the line was longer than the cap. */
export interface Line {
  readonly bytes: Uint8Array | null;
  readonly length: number;
}

export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The length of the line that has begun, and has no newline yet. */
  get begun(): number {
    return this.#length;
  }

  /** Returns the beginning of the line that has no newline yet, up to the cap. */
  peek(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  /** Adds a chunk, and yields the lines that it ends. */
  *add(chunk: Uint8Array): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#take();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  #keep(bytes: Uint8Array): void {
    const room = this.#maxBytes - this.#length;
    this.#length += bytes.length;
    if (room > 0 && bytes.length > 0) this.#parts.push(bytes.subarray(0, room));
  }

  #take(): Line {
    const length = this.#length;
    const bytes = length > this.#maxBytes ? null : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#length = 0;
    return { bytes, length };
  }
}
