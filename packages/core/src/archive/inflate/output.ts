/** The output of a deflate stream: never more than is declared, and no more of it in memory than a copy can reach. */
import { DeflateFault } from "./fault.ts";

/** How far back a copy can reach. */
export const WINDOW_BYTES = 32_768;
/** How much output comes at a time, at most. */
const PIECE_BYTES = 65_536;

/** What comes out, in one buffer that keeps as much of the past as a copy can reach. */
export class Output {
  readonly sizeBytes: number;
  readonly #take: (piece: Uint8Array) => void;
  /** Lent to the inner loop, which says by `advance` how far it has filled it. */
  readonly buffer: Uint8Array;
  /** What is in the buffer, and how much of that was handed out. */
  filled = 0;
  #taken = 0;
  /** How much may still come. */
  left: number;

  constructor(sizeBytes: number, take: (piece: Uint8Array) => void) {
    this.sizeBytes = sizeBytes;
    this.left = sizeBytes;
    this.#take = take;
    this.buffer = new Uint8Array(Math.min(sizeBytes, WINDOW_BYTES + PIECE_BYTES));
  }

  /** So many bytes have been written into the buffer; there was room for them. */
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

  /** Repeats what came `distance` bytes before, byte by byte: a copy may reach into itself. */
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

  /** Makes room; checked before anything is written, so that nothing past the declared size is ever held. */
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
