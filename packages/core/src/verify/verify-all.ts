/**
 * Verifies many objects at once, with the reports that `verify` gives for each. Signatures cost most of a small object,
 * and a kernel checks thousands together faster than each alone. So a small object is examined as if its signatures
 * held, and they are checked afterwards, together with those of others. If one does not hold, its object is verified
 * again alone.
 */

import type { Kernel, SignatureItem } from "../kernel/kernel.ts";
import { selectKernel } from "../kernel/select.ts";
import type { Kind } from "../report/checks.ts";
import type { Report } from "../report/report.ts";
import { readTrust, verifyUnder } from "./examine-bytes.ts";
import { type VerifyOptions, withAll } from "./verify.ts";

/** A larger object has its signatures checked together anyway, and must not be examined twice. */
const MAX_SMALL_BYTES = 65_536;
/**
 * At most so many signatures wait for each other, and so many bytes under them; the object that goes past a limit still
 * counts.
 */
const MAX_SIGNATURES = 4096;
const MAX_MESSAGE_BYTES = 2 ** 23;

/** One object of many. */
export interface VerifyItem {
  readonly bytes: Uint8Array;
  /** The kind to verify it as, in place of that of the options. */
  readonly kind?: Kind;
}

/**
 * Verifies many objects (protocol section 16), faster than `verify` does one by one. `items`: the bytes of each, and
 * perhaps its kind. `options`: as for `verify`; the trust policy is read once. Returns the reports that `verify` would
 * give for each item alone, in their order. Throws as `verify` does.
 *
 * @example
 * const [whole, cut] = verifyAll([{ bytes: pack }, { bytes: pack.slice(1) }], { trust });
 * console.log(whole?.verdict, cut?.verdict); // verified rejected
 */
export function verifyAll(items: readonly VerifyItem[], options: VerifyOptions = {}): Report[] {
  const { kernel = selectKernel() } = options;
  const trust = readTrust(withAll({ ...options, kernel }));
  const verifyWith = (by: Kernel, item: VerifyItem) =>
    verifyUnder(trust, item.bytes, withAll({ ...options, ...item, kernel: by }));
  const reports: Report[] = [];
  const noted = noteSignatures(kernel);
  const settle = () => {
    for (const index of noted.takeFailed()) reports[index] = verifyWith(kernel, items[index] as VerifyItem);
  };
  for (const [index, item] of items.entries()) {
    const isSmall = item.bytes.length <= MAX_SMALL_BYTES;
    reports.push(verifyWith(isSmall ? noted.noting : kernel, item));
    noted.endOf(index);
    if (noted.isFull()) settle();
  }
  settle();
  return reports;
}

/** Signatures of several objects that wait for their check. */
interface NotedSignatures {
  /** The kernel, except for signatures: it says that they hold, and notes them. */
  readonly noting: Kernel;
  readonly isFull: () => boolean;
  /** Says that the signatures noted since the last call belong to the object at this place. */
  readonly endOf: (index: number) => void;
  /**
   * Checks the noted signatures and forgets them. Returns the places of the objects that have a signature not known to
   * hold.
   */
  readonly takeFailed: () => number[];
}

function noteSignatures(kernel: Kernel): NotedSignatures {
  const signatures: SignatureItem[] = [];
  const ends: [index: number, end: number][] = [];
  let messageBytes = 0;
  const note = (signature: SignatureItem) => {
    signatures.push(signature);
    messageBytes += signature.message.length;
    return true;
  };
  const verifyEd25519 = (items: readonly SignatureItem[]) => items.map(note);
  /** If the kernel cannot check signatures together, nothing is known of them: each object is verified alone. */
  const check = () => {
    const noted = signatures.splice(0);
    messageBytes = 0;
    try {
      return kernel.verifyEd25519(noted);
    } catch {
      return [];
    }
  };
  return {
    noting: Object.create(kernel, { verifyEd25519: { value: verifyEd25519 } }),
    isFull: () => signatures.length >= MAX_SIGNATURES || messageBytes >= MAX_MESSAGE_BYTES,
    endOf(index) {
      ends.push([index, signatures.length]);
    },
    takeFailed() {
      const holds = check();
      let start = 0;
      const failed = ends.splice(0).filter(([, end]) => {
        const held = holds.slice(start, end).filter((one) => one === true).length;
        const wanted = end - start;
        start = end;
        return held < wanted;
      });
      return failed.map(([index]) => index);
    },
  };
}
