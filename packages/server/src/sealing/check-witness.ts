/**
 * Checks what the service's own witness remembers against the checkpoints of the streams, and the epochs. Neither the
 * order in which it has signed nor the time at which a history was given up is bound by anything.
 */
import {
  type Checkpoint,
  COSIGNATURE_LINE,
  checkpointText,
  ED25519_LINE,
  type HashHex,
  hexToBytes,
  noteKeyId,
  openNote,
  type PublicKeyHex,
  parseNote,
  type VerificationKey,
  type WitnessKey,
} from "@svc/core";
import type { Fault } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";
import type { CheckContext } from "../check-context.ts";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { ownWitnessKeys } from "../policies/own-witness.ts";
import { epochOfSize } from "../service-log/epochs-store.ts";
import { logState } from "../service-log/log-store.ts";
import { signingKeys } from "../signing/service-store.ts";
import { accessesTo } from "../tenancy/access-log-store.ts";
import { allTenants } from "../tenancy/tenants-store.ts";
import type { RememberedTree } from "../witness-memory/memory-store.ts";
import { documentOf } from "./document-of.ts";
import { rootOf } from "./frontier.ts";
import { rawCheckpoint } from "./rows-store.ts";

/** The table that a fault of the memory names. */
export const WITNESS_TABLE = "witness.db";
/** The number of trees that are read at a time. */
const PORTION = 500;

/** A remembered tree as the database has it, and the keys by which its note is signed. */
interface Stored {
  /** Null if nothing is of that size; undefined if it cannot be read, which is a fault of its table. */
  readonly root: HashHex | null | undefined;
  /** The time of an epoch, which the service signs itself; null for a checkpoint, which the witness cosigns. */
  readonly epochAt: string | null;
  readonly logKeys: readonly PublicKeyHex[];
  readonly witnessKeys: readonly WitnessKey[];
}

/**
 * Yields the faults of that memory, where it is here: each last signed tree must be that of a checkpoint, and its note
 * must hold. The memory is read before the database: a server beside this check signs only what it has committed.
 */
export async function* checkWitnessMemory(context: CheckContext): AsyncGenerator<Fault> {
  const { witnessMemory } = context;
  if (witnessMemory === null) return;
  try {
    for (let after = ""; ; ) {
      const trees = await witnessMemory.list(after, PORTION);
      for (const tree of trees) {
        const fault = tree.givenUpAt === null ? await faultOf(context, tree) : await faultOfGivenUp(context);
        if (fault !== null) yield { table: WITNESS_TABLE, row: { origin: tree.origin }, fault };
      }
      const last = trees.at(-1);
      if (last === undefined) return;
      after = last.origin;
    }
  } catch (error) {
    if (!(error instanceof DataFolderError)) throw error;
    yield { table: WITNESS_TABLE, row: {}, fault: error.message };
  }
}

/** Resolves to the fault of a tree whose history was given up, or null. */
async function faultOfGivenUp({ database }: CheckContext): Promise<string | null> {
  const isAccepted = await database.read(async (reader) => {
    if ((await logState(reader)).closedAt !== null) return true;
    for (const { tenant_id } of await allTenants(reader))
      if ((await accessesTo(reader, tenant_id, "service.loss_accepted")) > 0) return true;
    return false;
  });
  return isAccepted ? null : "its history is given up, and nothing says that a loss was accepted";
}

async function faultOf(context: CheckContext, tree: RememberedTree): Promise<string | null> {
  const { origin, treeSize, frontier } = tree;
  const isLog = origin === context.origin;
  const leaves = isLog ? "checkpoints" : "windows";
  const stored = await context.database.read(async (reader) => ({
    ...(isLog ? await storedEpoch(reader, treeSize) : await storedCheckpoint(reader, context, tree)),
    logKeys: (await signingKeys(reader)).map(({ public_key_hex }) => public_key_hex),
    witnessKeys: await ownWitnessKeys(reader),
  }));
  if (stored.root === undefined) return null;
  if (stored.root === null)
    return isLog
      ? `an epoch over ${treeSize} checkpoints was published, and it is missing`
      : `the witness has signed ${treeSize} windows, and no checkpoint is over so many`;
  const root = rootOf(context.kernel, frontier);
  if (root !== stored.root)
    return `the root ${root} of ${treeSize} ${leaves} was signed, and the database has ${stored.root}`;
  const text = checkpointText(origin, treeSize, hexToBytes(stored.root));
  if (parseNote(tree.note)?.text !== text) return `its note is not that of its ${treeSize} ${leaves}`;
  return signatureFault(context, tree, stored);
}

async function storedCheckpoint(reader: Reader, { kernel }: CheckContext, { origin, treeSize }: RememberedTree) {
  const streamId = origin.slice(origin.lastIndexOf("/") + 1);
  const row = await rawCheckpoint(reader, streamId, treeSize);
  const root = row === null ? null : documentOf<Checkpoint>(kernel, row)?.checkpoint_root;
  return { root, epochAt: null };
}

async function storedEpoch(reader: Reader, treeSize: number): Promise<Pick<Stored, "root" | "epochAt">> {
  try {
    const epoch = await epochOfSize(reader, treeSize);
    return { root: epoch?.epoch_root ?? null, epochAt: epoch?.anchored_at ?? null };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { root: undefined, epochAt: null };
  }
}

/** Returns the fault of a note's lines, and of the time that is remembered with it, or null. */
function signatureFault(
  { kernel }: CheckContext,
  { origin, note, cosignedAt }: RememberedTree,
  { epochAt, logKeys, witnessKeys }: Stored,
): string | null {
  const keyOf = (name: string, type: VerificationKey["type"], publicKeyHex: PublicKeyHex): VerificationKey => ({
    name,
    keyId: noteKeyId(kernel, name, type, publicKeyHex),
    type,
    publicKeyHex,
  });
  const ofLog = openNote(
    kernel,
    note,
    logKeys.map((key) => keyOf(origin, ED25519_LINE, key)),
  );
  if (!ofLog.ok) return `its note is not signed by a key of this service (${ofLog.code})`;
  if (epochAt !== null)
    return Math.floor(Date.parse(epochAt) / 1000) === cosignedAt ? null : "its time is not that of its epoch";
  const ofWitness = openNote(
    kernel,
    note,
    witnessKeys.map(({ name, public_key_hex }) => keyOf(name, COSIGNATURE_LINE, public_key_hex)),
  );
  if (!ofWitness.ok) return `its note is not cosigned by the witness (${ofWitness.code})`;
  return ofWitness.signatures.some((one) => one.cosignedAt === cosignedAt)
    ? null
    : "its time is not that of its cosignature";
}
