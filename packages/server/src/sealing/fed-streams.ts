/**
 * The checkpoints of streams as witnesses in other processes cosign them (protocol section 10): outside ones, and the
 * service's own where it is a separate process.
 */
import { checkpointHash, type WitnessKey } from "@svc/core";
import type { Context } from "../context.ts";
import type { FedLog, FedNote } from "../feeding/fed-log.ts";
import { proveStep } from "../feeding/prove-step.ts";
import { cosignsHere } from "../policies/own-witness.ts";
import { policyByDigest } from "../policies/policies-store.ts";
import { checkpointByWindowCount, newestStoredCheckpoint, type StoredCheckpoint } from "./checkpoints-store.ts";
import { frontierAfter } from "./frontier.ts";
import { sealed } from "./sealed.ts";
import { insertStatement, statementOn } from "./statements-store.ts";
import { windowHashes } from "./windows-store.ts";

/** How long before its checkpoint a cosignature may be dated (protocol section 10). */
const MAX_EARLY_S = 300;

/** A checkpoint for a witness. */
interface FedCheckpoint extends FedNote {
  readonly stored: StoredCheckpoint;
  /** The witness's key in the checkpoint's witness policy. */
  readonly key: WitnessKey;
}

/** The name of these logs in messages. */
export const FED_STREAMS = { name: "stream" } as const;

/** Returns the streams as logs to be fed. */
export function fedStreams({ kernel, issuing, channel, clock, origin: serviceOrigin }: Context): FedLog<FedCheckpoint> {
  return {
    ...FED_STREAMS,
    newest: async (reader, { stream_id, subject }, { name, publicKeyHex }) => {
      if (stream_id === null) throw new Error(`the message about ${subject} names no stream`);
      const stored = await newestStoredCheckpoint(reader, stream_id);
      if (stored === null) throw new Error(`the checkpoints of ${stream_id} are missing from the database`);
      const { checkpoint } = stored;
      const { origin, policy_id, witness_policy_digest, window_count, window_roots, note, created_at } = checkpoint;
      const named = await policyByDigest(reader, policy_id, witness_policy_digest);
      const key = fedKeys(named?.witnessPolicy.witnessKeys ?? [], serviceOrigin, clock()).find(
        (one) => one.name === name && one.public_key_hex === publicKeyHex,
      );
      if (key === undefined) return null;
      const statement = await statementOn(reader, checkpoint, key.witness_id);
      if (statement?.key_epoch === key.key_epoch) return null;
      return {
        origin,
        treeSize: window_count,
        note,
        probableSize: window_count - window_roots.length,
        // Whole seconds: one of less would be early for every verifier, and reject all evidence with it.
        notBefore: Math.max(secondsOf(key.valid_from), Math.ceil(Date.parse(created_at) / 1000) - MAX_EARLY_S),
        notAfter: key.valid_to === null ? null : secondsOf(key.valid_to),
        stored,
        key,
      };
    },
    prove: async (reader, { stored: { checkpoint, frontierBefore }, probableSize }, fromSize) => {
      const { stream_id, window_count, window_roots } = checkpoint;
      if (fromSize === probableSize) {
        const leaves = window_roots.map(({ window_hash }) => window_hash);
        return proveStep(issuing, fromSize, { frontier: frontierBefore, leaves });
      }
      const earlier = await checkpointByWindowCount(reader, stream_id, fromSize);
      if (earlier === null) return null;
      const hashes = earlier.checkpoint.window_roots.map(({ window_hash }) => window_hash);
      return proveStep(issuing, fromSize, {
        frontier: frontierAfter(issuing, fromSize - hashes.length, earlier.frontierBefore, hashes),
        leaves: await windowHashes(reader, stream_id, fromSize + 1, window_count),
      });
    },
    keep: async (writer, { tenant_id, subject }, { stored: { checkpoint }, key }, { cosignedAt, signature }) => {
      if (tenant_id === null) throw new Error(`the message about ${subject} names no tenant`);
      const { stream_id, checkpoint_id, window_count, checkpoint_root } = checkpoint;
      await insertStatement(writer, tenant_id, {
        witness_id: key.witness_id,
        key_epoch: key.key_epoch,
        stream_id,
        checkpoint_id,
        checkpoint_hash: checkpointHash(kernel, checkpoint),
        window_count,
        checkpoint_root,
        cosigned_at: cosignedAt,
        signature,
      });
    },
    onKept: ({ stored }) => channel.publish(sealed, stored.checkpoint.checkpoint_id),
  };
}

/**
 * Returns the keys by which other processes cosign that are good now. `origin`: the deployment's; `now`: in ms since
 * 1970.
 */
export function fedKeys(keys: readonly WitnessKey[], origin: string, now: number): readonly WitnessKey[] {
  return keys.filter(
    (key) =>
      !cosignsHere(key, origin) &&
      secondsOf(key.valid_from) * 1000 <= now &&
      (key.valid_to === null || now <= Date.parse(key.valid_to)),
  );
}

function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}
