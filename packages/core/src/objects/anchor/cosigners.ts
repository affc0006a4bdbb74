/**
 * The other signers that have cosigned an epoch of the service log (protocol section 12). Their cosignatures show that
 * the epoch was published; they witness no stream, and count for no stream's quorum. Only witnesses that the verifier
 * pins are known to be others.
 */
import { cosignedBytes, parseCosignature } from "../../note/cosignature.ts";
import type { SignedNote } from "../../note/signed-note.ts";
import type { CheckId } from "../../report/checks.ts";
import type { Examination, PendingSignature } from "../../report/examination.ts";
import type { KnownWitness, KnownWitnesses } from "../known-witnesses.ts";

/** Finds the keys of note lines, by one policy or by several. */
export type LineKeys = Pick<KnownWitnesses, "ofLine">;

interface Cosigned {
  readonly isPinned: boolean;
  readonly cosignedAt: number;
  readonly signature: PendingSignature;
}

/** The cosignatures on one epoch's note by known keys. Read them after the examination has settled its signatures. */
export class Cosigners {
  readonly #seen: Cosigned[] = [];

  /** The earliest time, in Unix seconds, at which a pinned witness cosigned; null if none did. */
  get earliestPinnedTime(): number | null {
    const times = this.#seen.filter(({ isPinned, signature }) => isPinned && signature.valid === true);
    return times.length === 0 ? null : Math.min(...times.map(({ cosignedAt }) => cosignedAt));
  }

  /** Adds the lines by known keys, each of which must verify; all others are ignored. */
  addNote(exam: Examination, note: SignedNote, keys: LineKeys, path: string, check: CheckId = "note"): void {
    for (const line of note.lines) {
      for (const { name, publicKeyHex, isPinned } of keys.ofLine(line.name, line.keyId)) {
        const cosignature = parseCosignature(line.signature);
        if (cosignature === null) {
          exam.reject(check, {
            code: "witness_signature_invalid",
            path,
            message: `The note's line by ${name} is not a cosignature.`,
          });
          continue;
        }
        const { cosignedAt } = cosignature;
        const message = cosignedBytes(cosignedAt, note.text);
        const signature = exam.signature(check, publicKeyHex, message, cosignature.signature, {
          code: "witness_signature_invalid",
          path,
          message: `The cosignature by ${name} does not verify.`,
        });
        this.#seen.push({ isPinned, cosignedAt, signature });
      }
    }
  }
}

/**
 * Joins the keys of several policies, so that a note of many lines costs no more for many policies. Each key is there
 * once.
 */
export function mergedKeys(known: readonly KnownWitnesses[]): LineKeys {
  const byLine = new Map<string, Map<string, KnownWitness>>();
  for (const [line, witnesses] of known.flatMap((one) => [...one.lines()])) {
    const byKey = byLine.get(line) ?? new Map<string, KnownWitness>();
    byLine.set(line, byKey);
    for (const witness of witnesses) {
      const seen = byKey.get(witness.publicKeyHex);
      if (seen === undefined || (witness.isPinned && !seen.isPinned)) byKey.set(witness.publicKeyHex, witness);
    }
  }
  return { ofLine: (name, keyId) => [...(byLine.get(`${keyId} ${name}`)?.values() ?? [])] };
}
