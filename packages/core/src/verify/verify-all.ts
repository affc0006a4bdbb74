/**
 * Many objects at once, with the reports that `verify` gives one by one. Signatures cost most of a small object, and a kernel checks
 * thousands together faster than each alone: so a small object is examined as if its signatures held, and they are checked afterwards,
 * together with those of others. Where one does not hold, its object is verified again alone.
 */

import type { Kernel, SignatureItem } from "../kernel/kernel.ts";
import { selectKernel } from "../kernel/select.ts";
import type { Kind } from "../report/checks.ts";
import type { Report } from "../report/report.ts";
import { readTrust, verifyUnder } from "./examine-bytes.ts";
import { type VerifyOptions, withAll } from "./verify.ts";

/** A larger object has its signatures checked together anyhow, and is not to be gone through twice. */
const MAX_SMALL_BYTES = 65_536;
/** How many signatures wait for each other at most, and how many bytes of what they sign; the object that goes past it counted. */
const MAX_SIGNATURES = 4096;
const MAX_MESSAGE_BYTES = 2 ** 23;

/** One object of many. */
export interface VerifyItem {
  readonly bytes: Uint8Array;
  /** The kind to verify it as, in place of that of the options. */
  readonly kind?: Kind;
}

/**
 * The reports that `verify` would give for each item alone, in their order. The trust policy is read once. Throws what `verify` throws for
 * one of them.
 *
 * @example
 * const [whole, cut] = verifyAll([{ bytes: pack }, { bytes: pack.slice(1) }], { trust });
 * console.log(whole?.verdict, cut?.verdict); // verified rejected
 */
export function verifyAll(items: readonly VerifyItem[], options: VerifyOptions = {}): Report[] {
  const { kernel = selectKernel() } = options;
  const trust = readTrust({ ...options, kernel });
  const verifyWith = (by: Kernel, item: VerifyItem) =>
    verifyUnder(trust, item.bytes, withAll({ ...options, ...item, kernel: by }));
  const reports: Report[] = [];
  const noted = new NotedSignatures(kernel);
  const settle = () => {
    for (const index of noted.takeFailed()) reports[index] = verifyWith(kernel, items[index] as VerifyItem);
  };
  for (const [index, item] of items.entries()) {
    const isSmall = item.bytes.length <= MAX_SMALL_BYTES;
    reports.push(verifyWith(isSmall ? noted.noting : kernel, item));
    noted.endOf(index);
    if (noted.isFull) settle();
  }
  settle();
  return reports;
}

/** Signatures of several objects that are yet to be checked. */
class NotedSignatures {
  /** The kernel, but for signatures: it says that they hold, and notes them. */
  readonly noting: Kernel;
  readonly #kernel: Kernel;
  readonly #signatures: SignatureItem[] = [];
  readonly #ends: [index: number, end: number][] = [];
  #messageBytes = 0;

  constructor(kernel: Kernel) {
    this.#kernel = kernel;
    const verifyEd25519 = (signatures: readonly SignatureItem[]) =>
      signatures.map((signature) => this.#note(signature));
    this.noting = Object.create(kernel, { verifyEd25519: { value: verifyEd25519 } });
  }

  get isFull(): boolean {
    return this.#signatures.length >= MAX_SIGNATURES || this.#messageBytes >= MAX_MESSAGE_BYTES;
  }

  /** Says that what was noted since the last call is of the object at this place. */
  endOf(index: number): void {
    this.#ends.push([index, this.#signatures.length]);
  }

  /** Checks what was noted, forgets it, and answers with the places of the objects of which not every signature is known to hold. */
  takeFailed(): number[] {
    const holds = this.#check();
    let start = 0;
    const failed = this.#ends.splice(0).filter(([, end]) => {
      const held = holds.slice(start, end).filter((one) => one === true).length;
      const wanted = end - start;
      start = end;
      return held < wanted;
    });
    return failed.map(([index]) => index);
  }

  #note(signature: SignatureItem): true {
    this.#signatures.push(signature);
    this.#messageBytes += signature.message.length;
    return true;
  }

  /** Of signatures that the kernel cannot check together nothing is known: each object shows alone what becomes of it. */
  #check(): boolean[] {
    const signatures = this.#signatures.splice(0);
    this.#messageBytes = 0;
    try {
      return this.#kernel.verifyEd25519(signatures);
    } catch {
      return [];
    }
  }
}
