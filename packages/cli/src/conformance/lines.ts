/**
 * Splits bytes into lines as they arrive. Memory holds a line up to a cap: the rest of a longer one is thrown away as
 * it comes.
 */

const NEWLINE = 0x0a;

/** A line without its newline; null for one that was longer than the cap. */
export type Line = Uint8Array | null;

/** Yields the lines of a byte stream, in order. The text behind the last newline is a line, unless it is empty. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Line> {
  const begun = new BegunLine(maxBytes);
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      begun.add(chunk.subarray(start, end));
      yield begun.take();
      start = end + 1;
    }
    begun.add(chunk.subarray(start));
  }
  if (!begun.isEmpty) yield begun.take();
}

/**
 * A line whose end has not come yet. Its bytes are copied into one buffer that grows, so that it keeps no chunk alive.
 */
class BegunLine {
  readonly #maxBytes: number;
  #buffer = new Uint8Array(0);
  /** The length of the line so far, including the part that was thrown away. */
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(bytes: Uint8Array): void {
    const at = this.#length;
    this.#length += bytes.length;
    if (this.#length > this.#maxBytes) {
      this.#buffer = new Uint8Array(0);
      return;
    }
    if (this.#length > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#maxBytes, Math.max(this.#length, 2 * this.#buffer.length)));
      grown.set(this.#buffer.subarray(0, at));
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, at);
  }

  take(): Line {
    const line = this.#length > this.#maxBytes ? null : this.#buffer.subarray(0, this.#length);
    this.#buffer = new Uint8Array(0);
    this.#length = 0;
    return line;
  }
}
