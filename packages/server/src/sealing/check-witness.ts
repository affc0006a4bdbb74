/** Checks the managed witness's state for a stream against the last statement that it made. */
import { type Checkpoint, encodeHex, type HashHex, hexToBytes, type Kernel } from "@svc/core";
import { difference, type Fault, type RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";
import type { CheckContext } from "../check-context.ts";
import { managedWitnessName } from "../policies/default-policy.ts";
import { policyVersions } from "../policies/policies-store.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { findCheckpoint } from "./checkpoints-store.ts";
import { cosignedNote } from "./cosigned-note.ts";
import { rawWitnessState } from "./rows-store.ts";
import { statementsOfRange } from "./witness-state-store.ts";

/** Yields the faults of that state. */
export async function* checkWitnessState(
  { database, kernel, origin }: CheckContext,
  stream: StreamRow,
): AsyncGenerator<Fault> {
  const name = managedWitnessName(origin);
  const key = { witness_name: name, origin: `${origin}/${stream.stream_id}` };
  const { row, expected } = await database.read(async (reader) => ({
    row: await rawWitnessState(reader, key.witness_name, key.origin),
    expected: await lastSigned(reader, kernel, stream),
  }));
  if (row === null && expected === null) return;
  if (row === null) yield { table: "witness_state", row: key, fault: "is missing, and the witness has signed for it" };
  else if (expected === null) yield { table: "witness_state", row: key, fault: "no statement says what it is of" };
  else {
    const { checkpoint, note, cosignedAt } = expected;
    const fault = difference(
      "witness_state",
      key,
      { ...row, root: rootOf(kernel, row) },
      {
        tree_size: checkpoint.window_count,
        root: checkpoint.checkpoint_root,
        signed_note: note,
        cosigned_at: cosignedAt,
      },
    );
    if (fault !== null) yield fault;
  }
}

/**
 * Resolves to the checkpoint that the managed witness cosigned last, with the note and the time that its state must
 * hold; null if there is none.
 */
async function lastSigned(
  reader: Reader,
  kernel: Kernel,
  { stream_id, tenant_id, policy_id, checkpointed_window_count }: StreamRow,
): Promise<{ readonly checkpoint: Checkpoint; readonly note: string; readonly cosignedAt: number } | null> {
  const statements = await statementsOfRange(reader, stream_id, 1, checkpointed_window_count);
  const versions = await policyVersions(reader, tenant_id, policy_id);
  for (const statement of statements.reverse()) {
    const checkpoint = (await findCheckpoint(reader, statement.checkpoint_id))?.checkpoint;
    const named = versions.find(({ witnessPolicyDigest }) => witnessPolicyDigest === checkpoint?.witness_policy_digest);
    const key = named?.witnessPolicy.witnessKeys.find(
      ({ managed, witness_id, key_epoch }) =>
        managed && witness_id === statement.witness_id && key_epoch === statement.key_epoch,
    );
    if (checkpoint !== undefined && key !== undefined)
      return {
        checkpoint,
        note: cosignedNote(kernel, checkpoint, [key], [statement]),
        cosignedAt: statement.cosigned_at,
      };
  }
  return null;
}

/** Returns the root of a row's frontier; null if the row holds no frontier. */
function rootOf(kernel: Kernel, { frontier }: RawRow): string | null {
  try {
    const hashes = JSON.parse(String(frontier)) as HashHex[];
    return encodeHex(kernel.rootFromFrontier(hashes.map(hexToBytes)));
  } catch {
    return null;
  }
}
