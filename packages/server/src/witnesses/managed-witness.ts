/**
 * The service's own witness (protocol section 10): its own key and its own state. It cosigns a checkpoint only when the sealing key has
 * signed its note and it extends, window by window, the tree that the witness signed last. It is NOT independent of the service, and
 * every report says so.
 */
import {
  type Checkpoint,
  checkpointText,
  cosignatureLine,
  ED25519_LINE,
  encodeNote,
  type HashHex,
  hexToBytes,
  issueWitnessStatement,
  noteKeyId,
  parseNote,
  type WitnessKey,
  type WitnessStatement,
} from "@svc/core";
import type { Foundation } from "../foundation.ts";
import type { KidSigner } from "../keys/file-signer.ts";
import { findCheckpoint } from "../sealing/checkpoints-store.ts";
import { frontierAfter, frontierRoot } from "../sealing/frontier.ts";
import { windowHashes } from "../sealing/windows-store.ts";
import type { Reader, Writer } from "../store/database.ts";
import { managedWitnessName } from "./default-policy.ts";
import { policyVersions } from "./policies-store.ts";
import { insertStatement, moveWitnessState, type WitnessState, witnessState } from "./witness-state-store.ts";

export class ManagedWitness {
  readonly #ground: Foundation;
  readonly #signer: KidSigner;
  readonly #name: string;

  /** `signer` holds the witness's key, which is never the one that seals. */
  constructor(ground: Foundation, signer: KidSigner) {
    this.#ground = ground;
    this.#signer = signer;
    this.#name = managedWitnessName(ground.origin);
  }

  /**
   * Cosigns a checkpoint, in a transaction of the caller's, and stores the statement. Does nothing where the policy lists no key of this
   * witness, or where it has signed a later checkpoint already. Throws where the checkpoint does not extend what it signed.
   */
  async cosign(writer: Writer, tenantId: string, checkpointId: string): Promise<void> {
    const stored = await findCheckpoint(writer, checkpointId);
    if (stored === null) throw new Error(`checkpoint ${checkpointId} is missing from the database`);
    const { checkpoint } = stored;
    const key = await this.#listedKey(writer, checkpoint);
    if (key === null) return;

    const at = { witnessName: this.#name, origin: checkpoint.origin };
    const state = await witnessState(writer, at.witnessName, at.origin);
    if (checkpoint.window_count <= state.treeSize) return;
    this.#requireSealedNote(checkpoint);
    const frontier = await this.#extend(writer, checkpoint, state);

    const now = Math.max(this.#ground.clock(), Date.parse(checkpoint.created_at));
    const cosignedAt = Math.floor(now / 1000);
    const statement = await issueWitnessStatement(this.#ground.kernel, this.#signer, key, checkpoint, cosignedAt);
    const note = this.#cosignedNote(checkpoint, statement);
    await moveWitnessState(writer, at, state, { treeSize: checkpoint.window_count, frontier, note, cosignedAt });
    await insertStatement(writer, tenantId, statement);
  }

  /** This witness's key in the checkpoint's witness policy, null where it is not listed or its time is over. */
  async #listedKey(reader: Reader, checkpoint: Checkpoint): Promise<WitnessKey | null> {
    const versions = await policyVersions(reader, checkpoint.policy_id);
    const named = versions.find((version) => version.witnessPolicyDigest === checkpoint.witness_policy_digest);
    const key = named?.witnessPolicy.witnessKeys.find((listed) => listed.public_key_hex === this.#signer.publicKeyHex);
    if (key === undefined || !key.managed) return null;
    return key.valid_to === null || key.valid_to > checkpoint.created_at ? key : null;
  }

  #requireSealedNote(checkpoint: Checkpoint): void {
    const { kernel, signer } = this.#ground;
    const { origin, window_count, checkpoint_root, checkpoint_id } = checkpoint;
    const note = parseNote(checkpoint.note);
    const text = checkpointText(origin, window_count, hexToBytes(checkpoint_root));
    const keyId = noteKeyId(kernel, origin, ED25519_LINE, signer.publicKeyHex);
    const line = note?.lines.find((candidate) => candidate.name === origin && candidate.keyId === keyId);
    const [signed] =
      line === undefined
        ? [false]
        : kernel.verifyEd25519([
            { publicKey: hexToBytes(signer.publicKeyHex), message: Buffer.from(text), signature: line.signature },
          ]);
    if (note?.text !== text || signed !== true)
      throw new Error(`the note of ${checkpoint_id} is not signed by the sealing key: the witness refuses it`);
  }

  /**
   * The frontier after the checkpoint's windows, appended to the tree that was signed last. Its root must be the checkpoint's: that says
   * all that a consistency proof would, and costs only the new windows.
   */
  async #extend(reader: Reader, checkpoint: Checkpoint, state: WitnessState): Promise<HashHex[]> {
    const { kernel } = this.#ground;
    const added = await windowHashes(reader, checkpoint.stream_id, state.treeSize + 1, checkpoint.window_count);
    const frontier = frontierAfter(kernel, state.treeSize, state.frontier, added);
    const size = state.treeSize + added.length;
    if (size !== checkpoint.window_count || frontierRoot(kernel, frontier) !== checkpoint.checkpoint_root)
      throw new Error(
        `${checkpoint.checkpoint_id} does not extend the tree that the witness signed last: it refuses it`,
      );
    return frontier;
  }

  /** The checkpoint's note with this witness's line, to be kept as one side of any later fork. */
  #cosignedNote(checkpoint: Checkpoint, { cosigned_at, signature }: WitnessStatement): string {
    const { kernel } = this.#ground;
    const lines = parseNote(checkpoint.note)?.lines ?? [];
    const own = cosignatureLine(kernel, this.#name, this.#signer.publicKeyHex, cosigned_at, signature);
    const text = checkpointText(checkpoint.origin, checkpoint.window_count, hexToBytes(checkpoint.checkpoint_root));
    return encodeNote(text, [...lines, own]);
  }
}
