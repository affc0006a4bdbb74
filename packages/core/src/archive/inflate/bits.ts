/** The bits of a deflate stream (RFC 1951 section 3.1.1). None is read twice, and none from behind the end. */
import { DeflateFault } from "./fault.ts";

/** Reads the bits of the stream, the lowest bit of each byte first. */
export class Bits {
  /** The inner loop borrows these and reads on from here. */
  readonly bytes: Uint8Array;
  at = 0;
  held = 0;
  count = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Returns the next bits, 17 at least, without taking them; zeros behind the end. */
  peek(): number {
    while (this.count <= 16 && this.at < this.bytes.length) {
      this.held |= (this.bytes[this.at++] as number) << this.count;
      this.count += 8;
    }
    return this.held;
  }

  drop(count: number): void {
    if (count > this.count) throw new DeflateFault("it ends early");
    this.held >>>= count;
    this.count -= count;
  }

  /** Takes a number of so many bits, at most 16. */
  take(count: number): number {
    const value = this.peek() & ((1 << count) - 1);
    this.drop(count);
    return value;
  }

  /** Takes whole bytes; only where a byte begins. */
  takeBytes(count: number): Uint8Array {
    this.at -= this.count >> 3;
    this.held = this.count = 0;
    const bytes = this.bytes.subarray(this.at, this.at + count);
    if (bytes.length < count) throw new DeflateFault("it ends early");
    this.at += count;
    return bytes;
  }

  /** Goes on to the next byte; the bits before it must be zeros. */
  align(): void {
    if (this.take(this.count & 7) !== 0) throw new DeflateFault("bits stand in it that mean nothing");
  }

  expectEnd(): void {
    this.align();
    if (this.count > 0 || this.at < this.bytes.length) throw new DeflateFault("data stands behind its end");
  }
}
