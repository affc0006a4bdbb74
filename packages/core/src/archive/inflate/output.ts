/** The output of a deflate stream: never more than is declared, and no more of it in memory than a copy can reach. */
import { DeflateFault } from "./fault.ts";

/** A copy can reach so far back, in bytes. */
export const WINDOW_BYTES = 32_768;
/** The most output in one piece, in bytes. */
const PIECE_BYTES = 65_536;

/** The output, in one buffer that keeps as much of the past as a copy can reach. */
export class Output {
  readonly sizeBytes: number;
  readonly #take: (piece: Uint8Array) => void;
  /** The inner loop borrows this, and says by `advance` how far it has filled it. */
  readonly buffer: Uint8Array;
  /** The number of bytes in the buffer, and how many of them have been passed on. */
  filled = 0;
  #taken = 0;
  /** The number of bytes that may still come. */
  left: number;

  constructor(sizeBytes: number, take: (piece: Uint8Array) => void) {
    this.sizeBytes = sizeBytes;
    this.left = sizeBytes;
    this.#take = take;
    this.buffer = new Uint8Array(Math.min(sizeBytes, WINDOW_BYTES + PIECE_BYTES));
  }

  /** Counts bytes that were written into the buffer; there was room for them. */
  advance(count: number): void {
    this.filled += count;
    this.left -= count;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.buffer[this.filled++] = value;
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.buffer.set(bytes, this.filled);
    this.filled += bytes.length;
  }

  /** Repeats the bytes that came `distance` bytes before, byte by byte: a copy may reach into itself. */
  copy(distance: number, length: number): void {
    if (distance > this.sizeBytes - this.left) throw new DeflateFault("it copies from before its beginning");
    this.#reserve(length);
    const buffer = this.buffer;
    for (let end = this.filled + length; this.filled < end; this.filled++)
      buffer[this.filled] = buffer[this.filled - distance] as number;
  }

  end(): void {
    if (this.left > 0) throw new DeflateFault(`${this.sizeBytes - this.left} bytes come out of it`);
    this.#hand();
  }

  /**
   * Makes room. It checks the size before anything is written, so that memory never holds a byte past the declared
   * size.
   */
  #reserve(count: number): void {
    if (count > this.left) throw new DeflateFault("more comes out of it");
    this.left -= count;
    if (this.filled + count <= this.buffer.length) return;
    this.#hand();
    const kept = this.filled - WINDOW_BYTES;
    this.buffer.copyWithin(0, kept, this.filled);
    this.filled = this.#taken = WINDOW_BYTES;
  }

  #hand(): void {
    if (this.filled > this.#taken) this.#take(this.buffer.subarray(this.#taken, this.filled));
    this.#taken = this.filled;
  }
}
