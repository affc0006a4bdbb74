/**
 * The cosignatures of one checkpoint, from witness statements and from lines of its note (protocol section 10). The same witness
 * counts once. Whether enough of them are there is read here; whether they are independent, only the verifier can know, by
 * pinning them.
 */
import { hexToBytes } from "../encoding/hex.ts";
import { cosignedBytes, parseCosignature } from "../note/cosignature.ts";
import { COSIGNATURE_LINE, checkpointText, noteKeyId, type SignedNote } from "../note/signed-note.ts";
import { COSIGNATURE_SKEW_SECONDS, unixSeconds } from "../protocol.ts";
import type { Examination, PendingSignature } from "../report/examination.ts";
import type { HashHex, PublicKeyHex } from "../schema/atoms.ts";
import type { PinnedWitness } from "../trust/policy.ts";
import type { WitnessKey, WitnessPolicy } from "./policy.ts";

/** What is cosigned: the members by which statements and notes name a checkpoint. */
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

/** A statement as far as it is counted. */
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

/** A cosignature that was handed in for checking, and everything it may count for. */
interface Cosigned {
  readonly publicKeyHex: PublicKeyHex;
  /** Null for a witness that only the verifier pins. */
  readonly witnessId: string | null;
  readonly pinned: boolean;
  readonly cosignedAt: number;
  readonly signature: PendingSignature;
}

/** All cosignatures of one checkpoint. Read them after the examination has settled its signatures. */
export class Cosignatures {
  readonly #exam: Examination;
  readonly #checkpoint: CosignedCheckpoint;
  readonly #policy: WitnessPolicy | null;
  readonly #seen: Cosigned[] = [];

  /** `policy` is the witness policy that the checkpoint names, null where the object does not show it. */
  constructor(exam: Examination, checkpoint: CosignedCheckpoint, policy: WitnessPolicy | null) {
    this.#exam = exam;
    this.#checkpoint = checkpoint;
    this.#policy = policy;
  }

  /** Takes up the note's lines: one by a known witness key must verify, all others are ignored. */
  addNote(note: SignedNote, path: string): void {
    for (const { name, publicKeyHex, key } of this.#knownKeys()) {
      const keyId = noteKeyId(this.#exam.kernel, name, COSIGNATURE_LINE, publicKeyHex);
      for (const line of note.lines) {
        if (line.name !== name || line.keyId !== keyId) continue;
        const cosignature = parseCosignature(line.signature);
        if (cosignature === null) {
          this.#exam.reject("witness", {
            code: "witness_signature_invalid",
            path,
            message: `The note's line by ${name} is not a cosignature.`,
          });
          continue;
        }
        this.#add(name, publicKeyHex, key, cosignature.cosignedAt, cosignature.signature, path);
      }
    }
  }

  /** Takes up a statement. It must be about this checkpoint, by a key that the policy lists, in that key's time. */
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
    const key = this.#policy?.witnessKeys.find(
      (listed) => listed.witness_id === statement.witness_id && listed.key_epoch === statement.key_epoch,
    );
    if (key === undefined) {
      this.#exam.reject("witness", {
        code: "witness_key_epoch_invalid",
        path: `${path}/key_epoch`,
        message: `The policy lists no key ${statement.key_epoch} of ${statement.witness_id}.`,
      });
      return;
    }
    this.#add(key.name, key.public_key_hex, key, statement.cosigned_at, hexToBytes(statement.signature), path);
  }

  /** How many distinct witnesses of the policy have cosigned. */
  get valid(): number {
    const ids = this.#valid().map((cosigned) => cosigned.witnessId);
    return new Set(ids.filter((id) => id !== null)).size;
  }

  /** How many distinct witnesses have cosigned that the verifier pins. */
  get pinned(): number {
    return new Set(this.#validPinned().map((cosigned) => cosigned.publicKeyHex)).size;
  }

  /** How many distinct witnesses have cosigned in all. */
  get known(): number {
    return new Set(this.#valid().map((cosigned) => cosigned.witnessId ?? cosigned.publicKeyHex)).size;
  }

  /** The earliest time, in Unix seconds, at which a pinned witness cosigned; null where none did. */
  get earliestPinnedTime(): number | null {
    const times = this.#validPinned().map((cosigned) => cosigned.cosignedAt);
    return times.length === 0 ? null : Math.min(...times);
  }

  #valid(): Cosigned[] {
    return this.#seen.filter((cosigned) => cosigned.signature.valid === true);
  }

  #validPinned(): Cosigned[] {
    return this.#valid().filter((cosigned) => cosigned.pinned);
  }

  #knownKeys(): { name: string; publicKeyHex: PublicKeyHex; key: WitnessKey | null }[] {
    const listed = (this.#policy?.witnessKeys ?? []).map((key) => ({
      name: key.name,
      publicKeyHex: key.public_key_hex,
      key,
    }));
    const isListed = (witness: PinnedWitness) =>
      listed.some(({ name, publicKeyHex }) => name === witness.name && publicKeyHex === witness.public_key_hex);
    const pinnedOnly = (this.#exam.trust.witnesses ?? []).filter((witness) => !isListed(witness));
    return [
      ...listed,
      ...pinnedOnly.map((witness) => ({ name: witness.name, publicKeyHex: witness.public_key_hex, key: null })),
    ];
  }

  #add(
    name: string,
    publicKeyHex: PublicKeyHex,
    key: WitnessKey | null,
    cosignedAt: number,
    signature: Uint8Array,
    path: string,
  ): void {
    const { origin, window_count, checkpoint_root, created_at } = this.#checkpoint;
    const inKeyTime =
      key === null ||
      (cosignedAt >= unixSeconds(key.valid_from) &&
        (key.valid_to === null || cosignedAt * 1000 <= Date.parse(key.valid_to)));
    const inTime = inKeyTime && cosignedAt >= Date.parse(created_at) / 1000 - COSIGNATURE_SKEW_SECONDS;
    this.#exam.expect("witness", inTime, {
      code: "witness_key_epoch_invalid",
      path,
      message: inKeyTime
        ? `${name} cosigned before the checkpoint was made.`
        : `${name} cosigned outside the time for which the policy lists its key.`,
    });
    const text = checkpointText(origin, window_count, hexToBytes(checkpoint_root));
    const pending = this.#exam.signature("witness", publicKeyHex, cosignedBytes(cosignedAt, text), signature, {
      code: "witness_signature_invalid",
      path: `${path}`,
      message: `The cosignature by ${name} does not verify.`,
    });
    const pinned = (this.#exam.trust.witnesses ?? []).some(
      (witness) => witness.name === name && witness.public_key_hex === publicKeyHex,
    );
    if (inTime)
      this.#seen.push({ publicKeyHex, witnessId: key?.witness_id ?? null, pinned, cosignedAt, signature: pending });
  }
}
