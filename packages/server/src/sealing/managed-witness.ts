/**
 * The service's own witness (protocol section 10), with a key and a state of its own. It cosigns a checkpoint only if
 * the sealing key has sealed it and signed its note, and if it extends, window by window, the tree that the witness
 * signed last. It is NOT independent of the service, and every report says so.
 */
import {
  type Checkpoint,
  checkpointHash,
  checkpointText,
  ED25519_LINE,
  type HashHex,
  hexToBytes,
  issueWitnessStatement,
  noteKeyId,
  type PublicKeyHex,
  parseNote,
  pinKeys,
  verify,
  type WitnessKey,
} from "@svc/core";
import { failpoint } from "@svc/host/failpoint";
import type { OutboxMessage } from "@svc/host/jobs";
import type { Reader, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import type { KidSigner } from "../keys/file-signer.ts";
import { managedWitnessName } from "../policies/default-policy.ts";
import { policyByDigest } from "../policies/policies-store.ts";
import { sealedAt, signingKeys } from "../tenancy/service-store.ts";
import { checkpointOfStream, earlierWithOpenMessage, type StoredCheckpoint } from "./checkpoints-store.ts";
import { cosignedNote } from "./cosigned-note.ts";
import { frontierAfter, frontierRoot } from "./frontier.ts";
import { COSIGN } from "./make-checkpoints.ts";
import { windowHashes } from "./windows-store.ts";
import {
  insertStatement,
  moveWitnessState,
  signedNote,
  statementOn,
  type WitnessState,
  witnessState,
} from "./witness-state-store.ts";

/** The message by which a checkpoint reaches the witness: its subject is the checkpoint's id. */
type CosignMessage = Pick<OutboxMessage, "tenant_id" | "stream_id" | "subject">;

interface ListedKey {
  readonly key: WitnessKey;
  /** Unix seconds. */
  readonly cosignedAt: number;
}

/**
 * A sealed checkpoint does not belong to the tree that the witness has cosigned: these are the two sides of a fork, or
 * of a database that was changed.
 */
export class WitnessContradiction extends Error {
  /** The last note that the witness has cosigned. */
  readonly signedNote: string;
  readonly checkpoint: Checkpoint;

  constructor(message: string, signedNote: string, checkpoint: Checkpoint) {
    super(message);
    this.name = "WitnessContradiction";
    this.signedNote = signedNote;
    this.checkpoint = checkpoint;
  }
}

/** The managed witness of a deployment. */
export class ManagedWitness {
  readonly #context: Context;
  readonly #signer: KidSigner;
  readonly #name: string;

  /** `signer`: the witness's key, which is never the one that seals. */
  constructor(context: Context, signer: KidSigner) {
    this.#context = context;
    this.#signer = signer;
    this.#name = managedWitnessName(context.origin);
  }

  /**
   * Cosigns a checkpoint, in a transaction of the caller, and stores the statement. Does nothing if the policy lists no
   * key of this witness for the time, or if the statement exists already. Rejects with Error for a checkpoint that is
   * not as it was sealed or must wait for an earlier one, and with WitnessContradiction for one that does not extend
   * the signed tree.
   */
  async cosign(writer: Writer, { tenant_id: tenantId, stream_id, subject }: CosignMessage): Promise<void> {
    const checkpointId = subject;
    if (stream_id === null) throw new Error(`the message to cosign ${checkpointId} names no stream`);
    const stored = await checkpointOfStream(writer, stream_id, checkpointId);
    if (stored === null) throw new Error(`checkpoint ${checkpointId} is missing from the database`);
    await this.#requireSealed(writer, stored, checkpointId);
    const { checkpoint } = stored;
    const listed = await this.#listedKey(writer, checkpoint);
    if (listed === null) return;
    const { key, cosignedAt } = listed;

    const at = { witnessName: this.#name, origin: checkpoint.origin };
    const state = await witnessState(writer, at.witnessName, at.origin);
    if (checkpoint.window_count <= state.treeSize) return this.#requireStatement(writer, stored, key, state);
    // Outbox messages can overtake each other; a later statement would leave the earlier checkpoint without one for
    // good.
    const earlier = await earlierWithOpenMessage(writer, COSIGN, checkpoint, state.treeSize);
    if (earlier !== null) throw new Error(`${checkpointId} waits until ${earlier} is cosigned`);
    const frontier = await this.#extend(writer, checkpoint, state);

    const statement = await issueWitnessStatement(this.#context.issuing, this.#signer, key, checkpoint, cosignedAt);
    failpoint("witness: cosigned");
    // The note is stored as one side of any later fork.
    const note = cosignedNote(this.#context.issuing, checkpoint, [key], [statement]);
    await moveWitnessState(writer, at, state, { treeSize: checkpoint.window_count, frontier, note, cosignedAt });
    failpoint("witness: moved");
    await insertStatement(writer, tenantId, statement);
  }

  /**
   * Resolves to this witness's key in the checkpoint's witness policy, and the time of its cosignature, in Unix
   * seconds. That time is never before the checkpoint's nor before the key's, even if the clock has been set back.
   * Resolves to null if the key is not listed or its time is over; both ends of that time are included (protocol
   * section 6).
   */
  async #listedKey(reader: Reader, checkpoint: Checkpoint): Promise<ListedKey | null> {
    const named = await policyByDigest(reader, checkpoint.policy_id, checkpoint.witness_policy_digest);
    const now = Math.floor(Math.max(this.#context.clock(), Date.parse(checkpoint.created_at)) / 1000);
    let first: ListedKey | null = null;
    for (const key of named?.witnessPolicy.witnessKeys ?? []) {
      if (key.public_key_hex !== this.#signer.publicKeyHex || !key.managed) continue;
      const cosignedAt = Math.max(now, Math.ceil(Date.parse(key.valid_from) / 1000));
      if (key.valid_to !== null && cosignedAt * 1000 > Date.parse(key.valid_to)) continue;
      if (first === null || cosignedAt < first.cosignedAt) first = { key, cosignedAt };
    }
    return first;
  }

  /**
   * Rejects unless the checkpoint is the one that was stored, and the key of its time has sealed it and signed its
   * note.
   */
  async #requireSealed(
    reader: Reader,
    { checkpoint, checkpointHash: storedHash, frontierBefore }: StoredCheckpoint,
    checkpointId: string,
  ): Promise<void> {
    const { kernel, issuing, origin } = this.#context;
    const sealer = (await signingKeys(reader)).find((key) => sealedAt(key, checkpoint.created_at, checkpoint.seal.kid));
    if (sealer === undefined)
      throw new Error(`checkpoint ${checkpointId} is not sealed by the key of its time: the witness refuses it`);
    const bytes = issuing.canonicalize({ ...checkpoint, frontier: frontierBefore });
    const report = verify(bytes, { kind: "checkpoint", trust: pinKeys(kernel, [sealer.public_key_hex]), kernel });
    if (report.verdict !== "verified")
      throw new Error(
        `checkpoint ${checkpointId} does not verify (${report.problems[0]?.code ?? report.verdict}): the witness refuses it`,
      );
    if (
      checkpoint.checkpoint_id !== checkpointId ||
      checkpoint.origin !== `${origin}/${checkpoint.stream_id}` ||
      checkpointHash(issuing, checkpoint) !== storedHash
    )
      throw new Error(`checkpoint ${checkpointId} is not the one that was stored: the witness refuses it`);
    this.#requireSealedNote(checkpoint, sealer.public_key_hex);
  }

  /** Rejects unless the statement on a checkpoint that the witness's state has already reached exists and fits it. */
  async #requireStatement(
    reader: Reader,
    { checkpoint, checkpointHash: storedHash }: StoredCheckpoint,
    key: WitnessKey,
    state: WitnessState,
  ): Promise<void> {
    const { checkpoint_id, window_count, checkpoint_root } = checkpoint;
    const statement = await statementOn(reader, checkpoint, key.witness_id);
    const sameTree =
      window_count < state.treeSize || frontierRoot(this.#context.kernel, state.frontier) === checkpoint_root;
    const message = `the witness has signed ${state.treeSize} windows, and no statement of its on ${checkpoint_id} fits that: it refuses it`;
    if (!sameTree) throw await this.#contradiction(reader, checkpoint, message);
    if (statement?.checkpoint_hash !== storedHash) throw new Error(message);
  }

  #requireSealedNote(checkpoint: Checkpoint, publicKeyHex: PublicKeyHex): void {
    const { kernel } = this.#context;
    const { origin, window_count, checkpoint_root, checkpoint_id } = checkpoint;
    const note = parseNote(checkpoint.note);
    const text = checkpointText(origin, window_count, hexToBytes(checkpoint_root));
    const keyId = noteKeyId(kernel, origin, ED25519_LINE, publicKeyHex);
    const line = note?.lines.find((candidate) => candidate.name === origin && candidate.keyId === keyId);
    const [signed] =
      line === undefined
        ? [false]
        : kernel.verifyEd25519([
            { publicKey: hexToBytes(publicKeyHex), message: Buffer.from(text), signature: line.signature },
          ]);
    if (note?.text !== text || signed !== true)
      throw new Error(`the note of ${checkpoint_id} is not signed by the sealing key: the witness refuses it`);
  }

  /**
   * Resolves to the frontier after the checkpoint's windows, appended to the tree that was signed last. Its root must
   * be the checkpoint's: that proves as much as a consistency proof, and costs only the new windows.
   */
  async #extend(reader: Reader, checkpoint: Checkpoint, state: WitnessState): Promise<HashHex[]> {
    const { kernel } = this.#context;
    const added = await windowHashes(reader, checkpoint.stream_id, state.treeSize + 1, checkpoint.window_count);
    const frontier = frontierAfter(kernel, state.treeSize, state.frontier, added);
    const size = state.treeSize + added.length;
    if (size !== checkpoint.window_count || frontierRoot(kernel, frontier) !== checkpoint.checkpoint_root)
      throw await this.#contradiction(
        reader,
        checkpoint,
        `${checkpoint.checkpoint_id} does not extend the tree that the witness signed last: it refuses it`,
      );
    return frontier;
  }

  async #contradiction(reader: Reader, checkpoint: Checkpoint, message: string): Promise<Error> {
    const note = await signedNote(reader, this.#name, checkpoint.origin);
    return note === null ? new Error(message) : new WitnessContradiction(message, note, checkpoint);
  }
}
