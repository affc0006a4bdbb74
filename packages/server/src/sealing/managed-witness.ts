/**
 * The service's own witness (protocol section 10) in the server, with its own keys and memory. It cosigns a checkpoint
 * only if the sealing key has sealed it and signed its note, and if it extends, window by window, the tree that the
 * witness signed last. It is NOT independent of the service, and every report says so.
 */
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
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
  type WitnessStatement,
} from "@svc/core";
import { failpoint } from "@svc/host/failpoint";
import type { OutboxMessage } from "@svc/host/jobs";
import type { Reader, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { cosignsHere, ownWitness } from "../policies/own-witness.ts";
import { policyByDigest } from "../policies/policies-store.ts";
import type { KidSigner } from "../signing/file-signer.ts";
import type { KeySource } from "../signing/key-source.ts";
import { sealedAt, signingKeys } from "../signing/service-store.ts";
import type { SignedTree } from "../witness-memory/memory-store.ts";
import { checkpointOfStream, earlierWithOpenMessage, type StoredCheckpoint } from "./checkpoints-store.ts";
import { cosignedNote } from "./cosigned-note.ts";
import { frontierAfter, frontierRoot } from "./frontier.ts";
import { lastSigned } from "./last-signed.ts";
import { COSIGN } from "./make-checkpoints.ts";
import { insertStatement, statementOn } from "./statements-store.ts";
import { windowHashes } from "./windows-store.ts";

/** The message by which a checkpoint reaches the witness: its subject is the checkpoint's id. */
type CosignMessage = Pick<OutboxMessage, "tenant_id" | "stream_id" | "subject">;

interface ListedKey {
  readonly key: WitnessKey;
  readonly signer: KidSigner;
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

/** A cosignature that is not remembered yet. */
interface Cosigned {
  readonly origin: string;
  /** The size of the tree that is remembered so far; null for none. */
  readonly fromSize: number | null;
  readonly tree: SignedTree;
  readonly statement: WitnessStatement;
}

/** A checkpoint that is to be cosigned. */
interface Asked {
  readonly checkpoint: Checkpoint;
  readonly listed: ListedKey;
  /** The tree that the witness signed last; null before the first. */
  readonly last: SignedTree | null;
}

/** A checkpoint that extends the tree that was signed last. */
interface Extending extends Asked {
  /** The size of the tree that is remembered so far; null for none. */
  readonly fromSize: number | null;
  /** The frontier after the checkpoint. */
  readonly frontier: readonly HashHex[];
}

/** The managed witness of a deployment. */
export class ManagedWitness {
  readonly #context: Context;
  readonly #source: Pick<KeySource, "keys">;
  /** The keys that were found so far, by their public keys. */
  readonly #signers = new Map<PublicKeyHex, KidSigner>();
  /** Ends with the turn that the last step was given. */
  #lastTurn: Promise<void> = Promise.resolve();

  /** `source`: the witness's keys, none of which ever seals. */
  constructor(context: Context, source: Pick<KeySource, "keys">) {
    this.#context = context;
    this.#source = source;
  }

  /**
   * Cosigns checkpoints of different streams, and resolves to their outcomes when the witness remembers all of them on
   * the disk: the statement; or null if there is nothing to be signed, since the statement exists already, the policy
   * lists no key of this witness for the time, or only one that is gone, or the stream's history was given up. It is an
   * Error for a checkpoint that is not as it was sealed or must wait for an earlier one, and WitnessContradiction for
   * one that does not extend the signed tree.
   */
  async cosign(messages: readonly CosignMessage[]): Promise<PromiseSettledResult<WitnessStatement | null>[]> {
    // Those that wait for a database on a server wait together.
    const examined = await Promise.allSettled(messages.map((message) => this.#examine(message)));
    const signed: PromiseSettledResult<Cosigned | null>[] = [];
    for (const outcome of examined) {
      await this.#turn();
      signed.push(...(await Promise.allSettled([this.#sign(outcome)])));
    }
    // All are remembered in one wait for the disk.
    return Promise.allSettled(
      signed.map(async (outcome) => {
        const cosigned = valueIn(outcome);
        if (cosigned === null) return null;
        const { origin, fromSize, tree, statement } = cosigned;
        await this.#context.witnessMemory.keep(origin, fromSize, tree);
        failpoint("witness: remembered");
        return statement;
      }),
    );
  }

  /** Resolves to null if there is nothing to be signed. Rejects if the checkpoint must not be signed, or not yet. */
  async #examine({ stream_id, subject }: CosignMessage): Promise<Extending | null> {
    const { database, witnessMemory, origin } = this.#context;
    if (stream_id === null) throw new Error(`the message to cosign ${subject} names no stream`);
    const remembered = await witnessMemory.of(`${origin}/${stream_id}`);
    if (remembered !== null && remembered.givenUpAt !== null) return null;
    const asked = await database.read((reader) => this.#look(reader, stream_id, subject, remembered));
    if (asked === null) return null;
    const frontier = await this.#extended(asked.checkpoint, asked.last);
    return { ...asked, fromSize: remembered?.treeSize ?? null, frontier };
  }

  async #sign(examined: PromiseSettledResult<Extending | null>): Promise<Cosigned | null> {
    const extending = valueIn(examined);
    if (extending === null) return null;
    const { issuing } = this.#context;
    const { checkpoint, listed, fromSize, frontier } = extending;
    const { key, signer, cosignedAt } = listed;
    const statement = await issueWitnessStatement(issuing, signer, key, checkpoint, cosignedAt);
    failpoint("witness: cosigned");
    // The note is kept as one side of any later fork.
    const note = cosignedNote(issuing, checkpoint, [key], [statement]);
    const tree = { treeSize: checkpoint.window_count, frontier, note, cosignedAt };
    return { origin: checkpoint.origin, fromSize, tree, statement };
  }

  /**
   * Resolves in a turn of the event loop that no other step has been given: however many answers of a database come
   * together, requests are served between any two checks of seals and between any two signatures.
   */
  #turn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(() => turnOfEventLoop());
    return this.#lastTurn;
  }

  /** Stores the outcome of `cosign` in a transaction of the caller. */
  async store(
    writer: Writer,
    { tenant_id, subject }: CosignMessage,
    statement: WitnessStatement | null,
  ): Promise<void> {
    if (statement === null) return;
    if (tenant_id === null) throw new Error(`the message to cosign ${subject} names no tenant`);
    await insertStatement(writer, tenant_id, statement);
  }

  /** Looks at all that the database says of it, in one snapshot; otherwise as `#examine`. */
  async #look(
    reader: Reader,
    streamId: string,
    checkpointId: string,
    remembered: SignedTree | null,
  ): Promise<Asked | null> {
    const stored = await checkpointOfStream(reader, streamId, checkpointId);
    if (stored === null) throw new Error(`checkpoint ${checkpointId} is missing from the database`);
    await this.#requireSealed(reader, stored, checkpointId);
    const { checkpoint, checkpointHash: storedHash } = stored;
    const listed = await this.#listedKey(reader, checkpoint);
    if (listed === null) return null;
    const statement = await statementOn(reader, checkpoint, listed.key.witness_id);
    if (statement !== null && statement.checkpoint_hash !== storedHash)
      throw new Error(`the statement of the witness on ${checkpointId} is of another checkpoint: it refuses it`);
    if (statement !== null) return null;
    const last = remembered ?? (await lastSigned(reader, this.#context.kernel, checkpoint, listed.key.witness_id));
    // Outbox messages can overtake each other; a later statement would leave the earlier checkpoint without one for
    // good.
    const earlier = await earlierWithOpenMessage(reader, COSIGN, checkpoint, last?.treeSize ?? 0);
    if (earlier !== null) throw new Error(`${checkpointId} waits until ${earlier} is cosigned`);
    return { checkpoint, listed, last };
  }

  /**
   * Resolves to this witness's key in the checkpoint's witness policy, and the time of its cosignature, in Unix
   * seconds. That time is never before the checkpoint's nor before the key's, even if the clock has been set back.
   * Resolves to null if the key is not listed, its time is over, or it was replaced and is gone; both ends of that time
   * are included (protocol section 6). Rejects with DataFolderError if it is the key of now, and is not here.
   */
  async #listedKey(reader: Reader, checkpoint: Checkpoint): Promise<ListedKey | null> {
    const { clock, origin } = this.#context;
    const named = await policyByDigest(reader, checkpoint.policy_id, checkpoint.witness_policy_digest);
    const now = Math.floor(Math.max(clock(), Date.parse(checkpoint.created_at)) / 1000);
    let first: ListedKey | null = null;
    for (const key of named?.witnessPolicy.witnessKeys ?? []) {
      if (!cosignsHere(key, origin)) continue;
      const cosignedAt = Math.max(now, Math.ceil(Date.parse(key.valid_from) / 1000));
      if (key.valid_to !== null && cosignedAt * 1000 > Date.parse(key.valid_to)) continue;
      const signer = await this.#signerOf(key.public_key_hex);
      if (signer === null) await requireReplaced(reader, key);
      else if (first === null || cosignedAt < first.cosignedAt) first = { key, signer, cosignedAt };
    }
    return first;
  }

  /** Resolves to the signer of a key, also of one that was added meanwhile; null if it is not here. */
  async #signerOf(publicKeyHex: PublicKeyHex): Promise<KidSigner | null> {
    if (!this.#signers.has(publicKeyHex))
      for (const signer of await this.#source.keys()) this.#signers.set(signer.publicKeyHex, signer);
    return this.#signers.get(publicKeyHex) ?? null;
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
    await this.#turn();
    const bytes = issuing.canonicalize({ ...checkpoint, frontier: frontierBefore });
    const report = verify(bytes, { kind: "checkpoint", trust: pinKeys(kernel, [sealer.public_key_hex]), kernel });
    if (report.verdict !== "verified")
      throw new Error(
        `checkpoint ${checkpointId} does not verify (${report.problems[0]?.code ?? report.verdict}): the witness ` +
          `refuses it`,
      );
    if (
      checkpoint.checkpoint_id !== checkpointId ||
      checkpoint.origin !== `${origin}/${checkpoint.stream_id}` ||
      checkpointHash(issuing, checkpoint) !== storedHash
    )
      throw new Error(`checkpoint ${checkpointId} is not the one that was stored: the witness refuses it`);
    this.#requireSealedNote(checkpoint, sealer.public_key_hex);
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
  async #extended(checkpoint: Checkpoint, last: SignedTree | null): Promise<readonly HashHex[]> {
    const { kernel, database } = this.#context;
    const { treeSize, frontier } = last ?? { treeSize: 0, frontier: [] };
    const { checkpoint_id, stream_id, window_count, checkpoint_root } = checkpoint;
    if (window_count < treeSize)
      throw new Error(
        `the witness has signed ${treeSize} windows of ${stream_id}, and ${checkpoint_id} is over ` +
          `${window_count}, without a statement of the witness: it refuses it. The database was changed, or is ` +
          `older than what was signed`,
      );
    const added = await database.read((reader) => windowHashes(reader, stream_id, treeSize + 1, window_count));
    const extended = frontierAfter(kernel, treeSize, frontier, added);
    if (treeSize + added.length === window_count && frontierRoot(kernel, extended) === checkpoint_root) return extended;
    const message = `${checkpoint_id} does not extend the tree that the witness signed last: it refuses it`;
    throw last === null ? new Error(message) : new WitnessContradiction(message, last.note, checkpoint);
  }
}

/** Rejects with DataFolderError for the witness's key of now: a checkpoint under it waits until it is here. */
async function requireReplaced(reader: Reader, { public_key_hex }: WitnessKey): Promise<void> {
  const own = await ownWitness(reader);
  if (own.public_key_hex === public_key_hex)
    throw new DataFolderError(
      `The witness's key of epoch ${own.key_epoch}, ${public_key_hex}, is not in this data folder. Put ` +
        `witness-key.pem, or witness-key.next.pem, there as on the server on which it was made.`,
    );
}

/** Returns the value of an outcome, or throws its reason. */
function valueIn<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
