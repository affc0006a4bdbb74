/**
 * The cosignatures of one checkpoint, from witness statements and from lines of its note (protocol section 10). The
 * same witness counts once. This file counts them; only the verifier can know whether they are independent, by pinning
 * them.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { cosignedBytes, parseCosignature } from "../note/cosignature.ts";
import { checkpointText, type SignedNote } from "../note/signed-note.ts";
import { COSIGNATURE_SKEW_SECONDS, unixSeconds } from "../protocol.ts";
import type { Examination, PendingSignature } from "../report/examination.ts";
import type { HashHex } from "../schema/atoms.ts";
import type { KnownWitness, KnownWitnesses } from "./known-witnesses.ts";
import type { WitnessKey } from "./policy.ts";
import { byWitness } from "./same-witness.ts";

/** The members by which statements and notes name a checkpoint. */
export interface CosignedCheckpoint {
  readonly stream_id: string;
  readonly checkpoint_id: string;
  readonly checkpoint_hash: HashHex;
  readonly checkpoint_no: number;
  readonly window_count: number;
  readonly checkpoint_root: HashHex;
  readonly origin: string;
  readonly created_at: string;
}

/** The members of a statement that matter for counting it. */
interface Statement {
  readonly witness_id: string;
  readonly key_epoch: number;
  readonly stream_id: string;
  readonly checkpoint_id: string;
  readonly checkpoint_hash: HashHex;
  readonly window_count: number;
  readonly checkpoint_root: HashHex;
  readonly cosigned_at: number;
  readonly signature: string;
}

/** The members in which a statement must equal its checkpoint. */
const NAMED = ["stream_id", "checkpoint_id", "checkpoint_hash", "window_count", "checkpoint_root"] as const;

/** A cosignature that waits for its check, and its witness. */
interface Cosigned {
  readonly witness: KnownWitness;
  readonly cosignedAt: number;
  readonly signature: PendingSignature;
}

/** All cosignatures of one checkpoint. Read them after the examination has settled its signatures. */
export class Cosignatures {
  readonly #exam: Examination;
  readonly #checkpoint: CosignedCheckpoint;
  readonly #witnesses: KnownWitnesses;
  readonly #seen: Cosigned[] = [];
  readonly #unchecked = new Set<string>();

  constructor(exam: Examination, checkpoint: CosignedCheckpoint, witnesses: KnownWitnesses) {
    this.#exam = exam;
    this.#checkpoint = checkpoint;
    this.#witnesses = witnesses;
  }

  /**
   * Adds the note's lines: a line by a known witness key must verify, all others are ignored; ML-DSA-44 is not checked.
   */
  addNote(note: SignedNote, path: string): void {
    for (const line of note.lines) {
      if (this.#exam.isUncheckedLine(line) || this.#witnesses.isUnchecked(line)) this.#unchecked.add(line.name);
      for (const witness of this.#witnesses.ofLine(line.name, line.keyId)) {
        const cosignature = parseCosignature(line.signature);
        if (cosignature !== null) this.#add(witness, cosignature.cosignedAt, cosignature.signature, path);
        else
          this.#exam.reject("witness", {
            code: "witness_signature_invalid",
            path,
            message: `The note's line by ${line.name} is not a cosignature.`,
          });
      }
    }
  }

  /**
   * Adds a statement. It must be about this checkpoint, by a key that the policy lists, at a time at which that key is
   * valid.
   */
  addStatement(statement: Statement, path: string): void {
    const checkpoint = this.#checkpoint;
    const differing = NAMED.find((name) => statement[name] !== checkpoint[name]);
    if (differing !== undefined) {
      this.#exam.reject("witness", {
        code: "witness_statement_mismatch",
        path: `${path}/${differing}`,
        message: `The statement by ${statement.witness_id} is not about checkpoint ${checkpoint.checkpoint_no}.`,
        expected: `${checkpoint[differing]}`,
        actual: `${statement[differing]}`,
      });
      return;
    }
    const witness = this.#witnesses.ofEpoch(statement.witness_id, statement.key_epoch);
    if (witness !== null) {
      this.#add(witness, statement.cosigned_at, hexToBytes(statement.signature), path);
      return;
    }
    this.#exam.reject("witness", {
      code: "witness_key_epoch_invalid",
      path: `${path}/key_epoch`,
      message: `The policy lists no key ${statement.key_epoch} of ${statement.witness_id}.`,
    });
  }

  /** The number of distinct witnesses of the policy that have cosigned. */
  get valid(): number {
    return new Set(this.#valid().flatMap(({ witness }) => witness.listed?.witness_id ?? [])).size;
  }

  /** The number of distinct witnesses that have cosigned and that the verifier pins. */
  get pinned(): number {
    return this.pinnedOnce.length;
  }

  /** The pinned keys that have cosigned, with those of one witness in one list. */
  get pinnedOnce(): readonly (readonly KnownWitness[])[] {
    return byWitness(this.#validPinned().map(({ witness }) => witness));
  }

  /** The number of distinct witnesses that have cosigned. */
  get known(): number {
    return byWitness(this.#valid().map(({ witness }) => witness)).length;
  }

  /** The names under which known keys of ML-DSA-44 cosigned; nothing here checks them. */
  get unchecked(): readonly string[] {
    return [...this.#unchecked];
  }

  /** Says whether the policy marks every witness that cosigned as the service's own. */
  get onlyManaged(): boolean {
    return this.#valid().every(({ witness }) => witness.listed?.managed === true);
  }

  /** The earliest time, in Unix seconds, at which a pinned witness cosigned; null if none did. */
  get earliestPinnedTime(): number | null {
    let earliest: number | null = null;
    for (const { cosignedAt } of this.#validPinned()) earliest = Math.min(earliest ?? cosignedAt, cosignedAt);
    return earliest;
  }

  #valid(): Cosigned[] {
    return this.#seen.filter(({ signature }) => signature.valid === true);
  }

  #validPinned(): Cosigned[] {
    return this.#valid().filter(({ witness }) => witness.isPinned);
  }

  #add(witness: KnownWitness, cosignedAt: number, signature: Uint8Array, path: string): void {
    const { origin, window_count, checkpoint_root, created_at } = this.#checkpoint;
    const inKeyTime = witness.listed === null || isInKeyTime(witness.listed, cosignedAt);
    const inTime = inKeyTime && cosignedAt >= Date.parse(created_at) / 1000 - COSIGNATURE_SKEW_SECONDS;
    this.#exam.expect("witness", inTime, {
      code: "witness_key_epoch_invalid",
      path,
      message: inKeyTime
        ? `${witness.name} cosigned before the checkpoint was made.`
        : `${witness.name} cosigned outside the time for which the policy lists its key.`,
    });
    const message = cosignedBytes(cosignedAt, checkpointText(origin, window_count, hexToBytes(checkpoint_root)));
    const pending = this.#exam.signature("witness", witness.publicKeyHex, message, signature, {
      code: "witness_signature_invalid",
      path,
      message: `The cosignature by ${witness.name} does not verify.`,
    });
    if (inTime) this.#seen.push({ witness, cosignedAt, signature: pending });
  }
}

/** A key is valid from `valid_from`, rounded down to the second, to `valid_to`, both included (protocol section 6). */
function isInKeyTime({ valid_from, valid_to }: WitnessKey, cosignedAt: number): boolean {
  return cosignedAt >= unixSeconds(valid_from) && (valid_to === null || cosignedAt * 1000 <= Date.parse(valid_to));
}
