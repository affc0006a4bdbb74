/**
 * The receipts that a watcher holds, against the checkpoints of the service: each event must be in one, in time and
 * unchanged. A receipt that no checkpoint in time covers is a broken promise (protocol section 11, kind `omission`).
 */
import {
  type Checkpoint,
  checkpointHash,
  type ForkEvidence,
  findFork,
  type Json,
  type PortableReceipt,
  type ReceiptRecord,
  randomId,
  verify,
} from "@svc/core";
import { openEvidence } from "../evidence-file/open.ts";
import { EXIT, Refusal } from "../exit.ts";
import type { Watcher } from "./look.ts";
import type { WatchedService } from "./service.ts";

/** A receipt that holds under the watcher's pins. */
export interface HeldReceipt {
  readonly path: string;
  readonly record: ReceiptRecord;
}

/** The state of the held receipts. */
export interface CheckedReceipts {
  /** The event hashes of those that the service has shown in a checkpoint. */
  readonly covered: readonly string[];
  /** Those that the service denies, or shows in no way that holds, in words. */
  readonly denied: readonly string[];
  /** Proof that the service told otherwise, or broke its promise. */
  readonly fork: ForkEvidence | null;
}

/** Reads receipts of a stream. Refuses one that does not hold (1), is not trusted (2), or is of another stream (64). */
export async function readReceipts(
  { kernel, trust }: Watcher,
  paths: readonly string[],
  streamId: string,
): Promise<HeldReceipt[]> {
  const held: HeldReceipt[] = [];
  for (const path of paths) {
    const { value, kind, bytes } = await openEvidence(kernel, path, ["receipt", "portable-receipt"]);
    const record = (kind === "receipt"
      ? value
      : (value as unknown as PortableReceipt).receipt) as unknown as ReceiptRecord;
    const { verdict, problems } = verify(bytes, { kernel, trust });
    const [problem] = problems;
    if (verdict !== "verified")
      throw new Refusal(
        EXIT[verdict],
        `"${path}" is ${verdict}: ${problem?.code}. ${problem?.message}`,
        problem?.action ?? "",
      );
    if (record.stream_id !== streamId)
      throw new Refusal(
        EXIT.usage,
        `"${path}" is of another stream: ${record.stream_id}.`,
        "Watch that stream with it.",
      );
    held.push({ path, record });
  }
  return held;
}

/** Holds the receipts that are not covered yet against what the service shows under a checkpoint. */
export async function checkReceipts(
  service: WatchedService,
  watcher: Watcher,
  checkpoint: Checkpoint,
  held: readonly HeldReceipt[],
  before: readonly string[],
): Promise<CheckedReceipts> {
  const covered = [...before];
  const denied: string[] = [];
  for (const one of held.filter(({ record }) => !covered.includes(record.event_hash))) {
    const { record, path } = one;
    const isDue = record.seq_no <= checkpoint.to_seq_no;
    // A checkpoint that was made before the event leaves nothing out.
    if (!isDue && checkpoint.created_at <= record.received_at) continue;
    const shown = await service.portableReceipt(Math.min(record.seq_no, checkpoint.to_seq_no));
    const fork = shown === null ? null : contradiction(watcher, record, shown.value);
    if (fork !== null) return { covered, denied, fork };
    if (!isDue) continue;
    const fault = shown === null ? "it shows no such event" : await faultOf(service, watcher, checkpoint, one, shown);
    if (fault === null) covered.push(record.event_hash);
    else if (fault !== LATER)
      denied.push(`The service denies event ${record.seq_no}, of which "${path}" is a receipt: ${fault}.`);
  }
  return { covered, denied, fork: null };
}

/** The receipt is in a checkpoint that is newer than the one that was looked at. */
const LATER = "";

/** Resolves to why a portable receipt does not show the held event under the checkpoint; null if it does. */
async function faultOf(
  service: WatchedService,
  { kernel, trust }: Watcher,
  checkpoint: Checkpoint,
  { record }: HeldReceipt,
  { bytes, value }: { readonly bytes: Uint8Array; readonly value: Json },
): Promise<string | null> {
  const demands = {
    ...trust,
    require: ["included" as const],
    expect: { stream_id: service.streamId },
  };
  const { verdict, problems } = verify(bytes, { kind: "portable-receipt", kernel, trust: demands });
  if (verdict !== "verified") return `what it shows is ${verdict}, ${problems[0]?.code}`;
  const { receipt, checkpoint: over } = value as unknown as PortableReceipt;
  if (receipt.event_hash !== record.event_hash) return "it shows another event there";
  if (over === undefined) return "it shows the event under no checkpoint";
  if (checkpointHash(kernel, over) === checkpointHash(kernel, checkpoint)) return null;
  if (over.window_count >= checkpoint.window_count) return LATER;
  const said = await service.consistency(checkpoint.checkpoint_id, over.checkpoint_id);
  const { stream_id, window_count, checkpoint_root } = over;
  const known_checkpoints = [{ stream_id, window_count, checkpoint_root }];
  const isLinked =
    said.ok && verify(said.bytes, { kind: "consistency", kernel, trust: { ...trust, known_checkpoints } }).ok;
  return isLinked ? null : "it shows the event under a checkpoint of which the watched one is no extension";
}

function contradiction({ kernel, trust }: Watcher, record: ReceiptRecord, shown: Json): ForkEvidence | null {
  const names = {
    fork_id: randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))),
    detected_at: new Date().toISOString(),
    trust,
    kernel,
  };
  const fork = findFork(record as unknown as Json, shown, names);
  const isProof =
    fork !== null && verify(kernel.canonicalize(fork as unknown as Json), { kind: "fork", trust, kernel }).ok;
  return isProof ? fork : null;
}
