/** Compares bytes that come in pieces with the expected lines, without holding either whole. */

/** The number of the line at which they first differ, from 1; found piece by piece. */
export class LineComparison {
  readonly #lines: Iterator<Uint8Array>;
  #line: Uint8Array = new Uint8Array();
  #at = 0;
  #number = 0;
  #differs = false;

  constructor(lines: Iterable<Uint8Array>) {
    this.#lines = lines[Symbol.iterator]();
  }

  /** Takes the next bytes. */
  take(piece: Uint8Array): void {
    for (let at = 0; at < piece.length && !this.#differs; ) {
      if (this.#at === this.#line.length) this.#next();
      // On local names: a table is as long as all payloads. Behind the piece nothing is equal.
      const line = this.#line;
      let own = this.#at;
      for (; own < line.length && line[own] === piece[at]; at++) own++;
      this.#at = own;
      this.#differs = own === 0 || (own < line.length && at < piece.length);
    }
  }

  /** Returns the number of the first line that differs or is missing; null if all are the same. Call it last. */
  difference(): number | null {
    if (!this.#differs && this.#at === this.#line.length) {
      this.#next();
      if (this.#line.length === 0) return null;
    }
    return this.#number;
  }

  /** Behind the last line stands an empty one, which no byte matches. */
  #next(): void {
    const { done, value } = this.#lines.next();
    this.#line = done ? new Uint8Array() : value;
    this.#at = 0;
    this.#number++;
  }
}
