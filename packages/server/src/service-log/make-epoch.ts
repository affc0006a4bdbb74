/**
 * Makes an epoch of the service log (protocol section 12): a published anchor, sealed and noted by the sealing key. The
 * witness's file remembers the newest one, so that a database that was rolled back or copied does not publish another
 * history under the same numbers.
 */
import { type Anchor, encodeHex, type HashHex, issueAnchor } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import type { Lease } from "@svc/host/jobs";
import type { Reader, Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type FedWitness, feedKind } from "../feeding/fed-witness.ts";
import { feederOf, wantCosigned } from "../feeding/feeder.ts";
import { openFeedsOf } from "../feeding/feeds-store.ts";
import { feedingSettings } from "../feeding/settings.ts";
import { newId } from "../ids.ts";
import { epochMade } from "./epoch-made.ts";
import { epochOfSize, insertEpoch, newestEpoch } from "./epochs-store.ts";
import { FED_EPOCHS, takesLineBy } from "./fed-epochs.ts";
import { lastLeaf } from "./leaves-store.ts";
import { logState } from "./log-store.ts";
import { frontierAt, rootAt } from "./log-tree.ts";

/** An epoch that was made, and the frontier of the log at it. */
interface MadeEpoch {
  readonly anchor: Anchor;
  readonly frontier: readonly HashHex[];
}

/** Makes an epoch over the whole log, unless the newest one covers it already, or epochs have ended for good. */
export async function makeEpoch(context: Context, lease: Lease): Promise<void> {
  const { database, origin, witnessMemory } = context;
  const remembered = await witnessMemory.of(origin);
  if (remembered !== null && remembered.givenUpAt !== null) return;
  const fromSize = remembered?.treeSize ?? null;
  const made = await database.write(
    async (writer) => {
      await lease.hold(writer);
      if (fromSize !== null) await requireRemembered(writer, fromSize);
      const next = await nextEpoch(context, writer);
      if (next === null) return null;
      failpoint("service log: epoch sealed");
      await insertEpoch(writer, next.anchor);
      await wantEpochCosigned(context, writer, context.settings(feedingSettings).witnesses, next.anchor.log_size);
      failpoint("service log: epoch inserted");
      return next;
    },
    // The lease keeps all others from these tables, and the key is locked.
    { givesWay: true, isLocking: true },
  );
  if (made === null) return;
  failpoint("service log: epoch made");
  const { epoch_no, log_size: treeSize, note, anchored_at } = made.anchor;
  const cosignedAt = Math.floor(Date.parse(anchored_at) / 1000);
  await witnessMemory.keep(origin, fromSize, { treeSize, frontier: made.frontier, note, cosignedAt });
  failpoint("service log: epoch remembered");
  feederOf(context).wake();
  context.channel.publish(epochMade, epoch_no);
}

/**
 * Resolves to the outside witnesses that have no line in the note of the newest epoch, and were not asked for one:
 * those that the settings name since it was made.
 */
export async function unaskedWitnesses(
  { settings, origin }: Pick<Context, "settings" | "origin">,
  reader: Reader,
): Promise<FedWitness[]> {
  const { witnesses } = settings(feedingSettings);
  const newest = witnesses.length === 0 ? null : await newestEpoch(reader);
  if (newest === null || (await logState(reader)).closedAt !== null) return [];
  const missing = witnesses.filter((witness) => takesLineBy(witness, newest));
  const asked = new Set((await openFeedsOf(reader, missing.map(feedKind), origin, null)).map(({ kind }) => kind));
  return missing.filter((witness) => !asked.has(feedKind(witness)));
}

/** Asks these witnesses for their lines in the note of the newest epoch: the next one may be a long time away. */
export async function askUnasked(context: Context, lease: Lease): Promise<void> {
  await context.database.write(
    async (writer) => {
      await lease.hold(writer);
      const witnesses = await unaskedWitnesses(context, writer);
      const newest = await newestEpoch(writer);
      if (newest !== null) await wantEpochCosigned(context, writer, witnesses, newest.log_size);
    },
    { givesWay: true, isLocking: true },
  );
  feederOf(context).wake();
}

/** Asks outside witnesses of the deployment: no policy is about its log. */
async function wantEpochCosigned(
  { kernel, clock, origin }: Context,
  writer: Writer,
  witnesses: readonly FedWitness[],
  treeSize: number,
): Promise<void> {
  const keys = witnesses.map(({ name, publicKeyHex }) => ({ name, public_key_hex: publicKeyHex }));
  const wanted = { log: FED_EPOCHS, tenantId: null, streamId: null, origin, treeSize };
  await wantCosigned(writer, kernel, keys, wanted, serviceTime(clock()));
}

/** Rejects unless the epoch that this process remembers is in the database. */
async function requireRemembered(reader: Reader, logSize: number): Promise<void> {
  if ((await epochOfSize(reader, logSize)) === null)
    throw new Error(
      `an epoch of the service log over ${logSize} checkpoints was published, and the database does not have it: ` +
        `it is older than what was published, and no epoch is made. Put the newer database back`,
    );
}

async function nextEpoch(context: Context, writer: Writer): Promise<MadeEpoch | null> {
  const { issuing: kernel, origin, clock, signingKey } = context;
  const before = await newestEpoch(writer);
  const last = await lastLeaf(writer);
  const { closedAt } = await logState(writer);
  if (last === null || closedAt !== null || last.leaf_index < (before?.log_size ?? 0)) return null;
  if (before !== null && (await rootAt(writer, kernel, before.log_size)) !== before.epoch_root)
    throw new Error(
      `the service log does not have the root of epoch ${before.epoch_no} at its size any more: the database was ` +
        `changed`,
    );
  const log_size = last.leaf_index + 1;
  const frontier = await frontierAt(writer, kernel, log_size);
  const epoch_root = encodeHex(kernel.rootFromFrontier(frontier)) as HashHex;
  const signer = await signingKey.held(writer);
  const anchor = await issueAnchor(kernel, signer, {
    anchor_epoch_id: newId("anc"),
    epoch: { origin, epoch_no: (before?.epoch_no ?? 0) + 1, log_size, epoch_root },
    members: [],
    anchoring: null,
    anchored_at: latest(serviceTime(clock()), signer.validFrom, last.latest_created_at, before?.anchored_at),
  });
  return { anchor, frontier: frontier.map((hash) => encodeHex(hash) as HashHex) };
}
