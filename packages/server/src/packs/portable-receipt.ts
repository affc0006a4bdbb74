/**
 * Portable receipts: one event with everything that proves it, and with no other event (protocol section 13). Its parts
 * are added one after another, and every intermediate form can be verified. Nothing is signed here: each part has the
 * seal with which it was made.
 */
import {
  type HashHex,
  issueEventProof,
  issueInclusion,
  issuePortableReceipt,
  type Kernel,
  type PortableReceipt,
  type PortableReceiptParts,
  policyDigest,
  proveWindow,
  type Window,
  type WitnessStatement,
} from "@svc/core";
import type { Reader } from "@svc/host/store";
import type { ReadContext } from "../context.ts";
import { policyVersions } from "../policies/policies-store.ts";
import {
  checkpointOverWindow,
  firstCheckpointOver,
  firstWitnessedOver,
  type StoredCheckpoint,
} from "../sealing/checkpoints-store.ts";
import { statementsOn } from "../sealing/statements-store.ts";
import { windowByNo, windowHashes, windowOfEvent } from "../sealing/windows-store.ts";
import { coveringEpoch } from "../service-log/covering-epoch.ts";
import type { CarriedKeys } from "../signing/signing-key.ts";
import { type EventRow, findEvent, hashesOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import { findStream, type StreamRow } from "../streams/streams-store.ts";
import { type MissingEvidence, missingEvidence } from "./missing-evidence.ts";

/** Makes the portable receipts of a deployment. The caller must have checked that the principal may see the event. */
export class PortableReceipts {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /**
   * Resolves to the portable receipt of an event as canonical JSON, with the parts that exist by now: the receipt; then
   * its window; then a checkpoint; then its cosignatures; then the epoch of the service log,
   * with its evidence of a chain where the policy asks for one.
   */
  async ofNow(tenantId: string, eventId: string): Promise<string> {
    return this.#issue(await this.#context.database.read((reader) => this.#parts(reader, tenantId, eventId)));
  }

  /**
   * Resolves to the portable receipt with all parts, or to the missing steps. It never waits for the service log.
   */
  async whole(tenantId: string, eventId: string): Promise<string | MissingEvidence> {
    const parts = await this.#context.database.read(async (reader) => {
      const found = await this.#parts(reader, tenantId, eventId);
      return found.proof.witnesses === undefined ? missingEvidence(reader, found.stream, found.row.seq_no) : found;
    });
    return "missing" in parts ? parts : this.#issue(parts);
  }

  /** Resolves to the C2SP tlog-proof of an event, or to the missing steps. */
  async tlogProof(tenantId: string, eventId: string): Promise<string | MissingEvidence> {
    const portable = await this.whole(tenantId, eventId);
    return typeof portable === "string"
      ? issueEventProof(this.#context.kernel, JSON.parse(portable) as PortableReceipt)
      : portable;
  }

  async #parts(reader: Reader, tenantId: string, eventId: string) {
    const row = await findEvent(reader, tenantId, eventId);
    if (row === null) throw new Error(`event ${eventId} is missing from the database`);
    const stream = await findStream(reader, tenantId, row.stream_id);
    if (stream === null) throw new Error(`stream ${row.stream_id} is missing from the database`);
    const { kernel, signingKey } = this.#context;
    const proof = await proofOf(reader, kernel, stream, row.seq_no);
    return { stream, row, proof, carried: await signingKey.carried(reader) };
  }

  async #issue({ row, proof, carried }: Parts): Promise<string> {
    const { database, archived, kernel } = this.#context;
    const [fetched = row] = await archived.restored<EventRow>(database, [row]);
    const portable = issuePortableReceipt({ receipt: recordOf(fetched, true), ...proof, ...carried });
    return Buffer.from(kernel.canonicalize(portable)).toString("utf8");
  }
}

/** The parts besides the receipt that exist. */
type Proof = Omit<PortableReceiptParts, "receipt" | keyof CarriedKeys>;

/** Everything of which a receipt is made, out of one snapshot. */
interface Parts {
  readonly row: EventRow;
  readonly proof: Proof;
  readonly carried: CarriedKeys;
}

async function proofOf(reader: Reader, kernel: Kernel, stream: StreamRow, seqNo: number): Promise<Proof> {
  const { stream_id } = stream;
  const window = await windowOfEvent(reader, stream_id, seqNo);
  if (window === null) return {};
  const events = await hashesOfRange(reader, stream_id, window.from_seq_no, window.to_seq_no);
  const hashes = events.map(({ event_hash }) => event_hash);
  const included = { window, inclusion: issueInclusion(kernel, window, hashes, seqNo) };

  const witnessed = await firstWitnessedOver(reader, stream_id, seqNo);
  const stored = witnessed ?? (await firstCheckpointOver(reader, stream_id, seqNo));
  if (stored === null) return included;
  const committed = { ...included, ...(await treeProof(reader, kernel, stream_id, window, stored)) };
  // Every verifier would reject too few cosignatures, although the rest holds: cosignatures are added only when there
  // are enough.
  if (witnessed === null) return committed;
  const witnesses = await witnessesOf(reader, stream, window, stored);
  const { policies } = witnesses;
  const wantsMined = policies.some(
    (policy) => policyDigest(kernel, policy) === stored.checkpoint.policy_digest && policy.anchor !== "none",
  );
  const anchor = await coveringEpoch(reader, kernel, stored.checkpoint.checkpoint_id, wantsMined);
  return { ...committed, witnesses, ...(anchor === null ? {} : { anchor }) };
}

/**
 * Resolves to the proof that the window is a leaf of the checkpoint's tree, and the same for the checkpoint's last
 * window, which binds its policy.
 */
async function treeProof(
  reader: Reader,
  kernel: Kernel,
  streamId: string,
  { window_no }: Window,
  { checkpoint, frontierBefore }: StoredCheckpoint,
): Promise<Pick<PortableReceiptParts, "checkpoint_inclusion" | "checkpoint" | "last_window">> {
  const { window_count } = checkpoint;
  // An earlier checkpoint may list the window: its frontier is then the start of the tree.
  const first = await checkpointOverWindow(reader, streamId, window_no);
  if (first === null) throw new Error(`no checkpoint of ${streamId} lists window ${window_no}`);
  const priorCount = first.checkpoint.window_count - first.checkpoint.window_roots.length;
  const tree = {
    priorCount,
    priorFrontier: first.frontierBefore,
    windowHashes: await windowHashes(reader, streamId, priorCount + 1, window_count),
  };
  const pathOf = (no: number): HashHex[] => proveWindow(kernel, tree, no, window_count);
  const proven = {
    checkpoint_inclusion: { window_no, window_count, path: pathOf(window_no) },
    checkpoint: { ...checkpoint, frontier: [...frontierBefore] },
  };
  if (window_no === window_count) return proven;
  const last = await windowByNo(reader, streamId, window_count);
  if (last === null) throw new Error(`window ${window_count} of ${streamId} is missing from the database`);
  return { ...proven, last_window: { window: last, path: pathOf(window_count) } };
}

/** Resolves to the policies that the window and the checkpoint name, and the statements on the checkpoint. */
async function witnessesOf(
  reader: Reader,
  { tenant_id, policy_id }: StreamRow,
  window: Window,
  { checkpoint }: StoredCheckpoint,
): Promise<NonNullable<PortableReceiptParts["witnesses"]>> {
  const versions = await policyVersions(reader, tenant_id, policy_id);
  const named = new Set([window, checkpoint].flatMap((one) => [one.policy_digest, one.witness_policy_digest]));
  const statements: WitnessStatement[] = await statementsOn(reader, checkpoint);
  return {
    policies: versions.filter(({ policyDigest }) => named.has(policyDigest)).map(({ policy }) => policy),
    witness_policies: versions
      .filter(({ witnessPolicyDigest }) => named.has(witnessPolicyDigest))
      .map(({ witnessPolicy }) => witnessPolicy),
    statements,
  };
}
