/**
 * The examination of a bundle, as a checklist in the order of protocol section 16. Each step is a separate check;
 * together they show that events i to j of one stream are all there, unchanged, in order, committed to and cosigned.
 */
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { Examination } from "../../report/examination.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { asCosigned, examineCheckpoint, examineListedWindows, pinnedWitnesses } from "../checkpoint.ts";
import { Cosignatures } from "../cosignatures.ts";
import type { ShownTree } from "../known-checkpoints.ts";
import { examineQuorum } from "../quorum.ts";
import { examinePayload, examineRecord, receivedTimes } from "../receipt.ts";
import { examineSequence } from "../stream.ts";
import { examineWindow, windowHash } from "../window.ts";
import { examineBundleAnchors, settleBundleAnchors } from "./anchors.ts";
import type { BulkReceipts } from "./bulk.ts";
import { examineCheckpointChain, examineCheckpointWindows } from "./checkpoints.ts";
import { examineCompleteness, examineWindowRoots, examineWindowTiling, placesOf } from "./completeness.ts";
import { examineForks } from "./forks.ts";
import { artifactHash } from "./issue.ts";
import { examineOrders } from "./order.ts";
import { examinePolicies, type ShownPolicies } from "./policies.ts";
import { placesInRun } from "./receipts.ts";
import type { Bundle } from "./schema.ts";

/** The note of a check that has nothing to look at, and misses nothing. */
export const NO_PROOFS_NEEDED = "no inclusion proofs: the events themselves are here, and give each window's root";

/** The checks that together show events under windows under checkpoints. */
const COMMITTED = [
  "event_hash",
  "window_root",
  "window_seal",
  "window_tiling",
  "checkpoint_root",
  "checkpoint_chain",
  "checkpoint_seal",
  "note",
] as const;

/**
 * Examines a bundle, and returns the tree of its checkpoints. It settles the signatures. If its receipts and payloads
 * have been checked in bulk, the bundle holds none of them. `examineVaults`: examines the part of vaults, which only
 * some bundles have.
 */
export function examineBundle(
  exam: Examination,
  bundle: Bundle,
  bulk?: BulkReceipts,
  examineVaults: (exam: Examination, bundle: Bundle, bulk?: BulkReceipts) => void = () => undefined,
): ShownTree {
  const { manifest, artifacts } = bundle;
  const { bundle_id, stream_id, from_seq_no, to_seq_no } = manifest;
  const records = bulk === undefined ? placesOf(artifacts["receipts.json"]) : placesInRun(bulk);
  const windows = artifacts["windows.json"];
  const checkpoints = artifacts["checkpoints.json"];
  const held =
    bulk === undefined
      ? artifacts["receipts.json"]
      : [bulk.firstTime, bulk.lastTime].map((received_at) => ({ received_at }));
  exam.subject = { id: bundle_id, stream_id, from_seq_no, to_seq_no, ...receivedTimes(held) };
  exam.origin = checkpoints.at(-1)?.origin;

  examineArtifactHashes(exam, bundle, bulk);
  if (bulk === undefined) examineRecords(exam, bundle);
  else acceptInBulk(exam, bundle, bulk);
  windows.forEach((window, index) => {
    examineWindow(exam, window, `/artifacts/windows.json/${index}`);
  });
  if (windows.every((window) => window.inclusions === undefined)) exam.notChecked("inclusion", NO_PROOFS_NEEDED);
  examineWindowRoots(exam, windows, records);
  examineWindowTiling(exam, manifest, windows);
  examineCompleteness(exam, manifest, windows, records);
  const { roots, windows: windowHashes } = examineCheckpointRoots(exam, bundle);
  examineCheckpointChain(exam, manifest, windows, checkpoints);
  const policies = examinePolicies(exam, windows, checkpoints, artifacts["witnesses.json"]);
  const cosignatures = examineCheckpoints(exam, bundle, policies);
  examineOrders(exam, artifacts);
  const anchors = examineBundleAnchors(exam, bundle, policies);
  exam.seal("bundle_seal", "bundle", manifest, bundle.seal, {
    path: "/seal",
    what: "the bundle's manifest",
    streamId: stream_id,
    ownTime: manifest.created_at,
  });

  exam.settle();
  examineWitnesses(exam, bundle, policies, cosignatures);
  settleBundleAnchors(exam, bundle, anchors);
  examineForks(exam, bundle, policies);
  examineVaults(exam, bundle, bulk);
  exam.included = exam.held(...COMMITTED);
  exam.complete = exam.included && exam.held("sequence", "completeness", "bundle_seal");
  return { streamId: stream_id, roots, newestSize: checkpoints.at(-1)?.window_count ?? 0, windows: windowHashes };
}

/** Examines receipts and payloads one by one. */
function examineRecords(exam: Examination, bundle: Bundle): void {
  const records = bundle.artifacts["receipts.json"];
  examinePayloads(exam, bundle);
  records.forEach((record, index) => {
    examineRecord(exam, record, `/artifacts/receipts.json/${index}`);
  });
  examineSequence(exam, bundle.manifest.stream_id, records, "/artifacts/receipts.json");
}

/** Notes the same as `examineRecords` for receipts that all hold. */
function acceptInBulk(exam: Examination, { manifest }: Bundle, { count, payloads, signers }: BulkReceipts): void {
  exam.looked("payload_hash", payloads);
  exam.redacted = count - payloads;
  if (exam.redacted > 0) exam.notChecked("payload_hash", `${exam.redacted} redacted`);
  exam.looked("event_hash", count);
  for (const { kid, index, seqNo, earliest, count: sealed } of signers) {
    const path = `/artifacts/receipts.json/${index}/receipt`;
    const first = {
      path,
      role: "receipt" as const,
      what: `the receipt of event ${seqNo}`,
      streamId: manifest.stream_id,
      ownTime: earliest,
      eventNo: seqNo,
    };
    exam.sealedInBulk("receipt_signature", kid, first, sealed);
  }
  exam.looked("sequence", count);
}

function examineArtifactHashes(exam: Examination, { manifest, artifacts }: Bundle, bulk?: BulkReceipts): void {
  for (const [name, artifact] of Object.entries(artifacts)) {
    if (bulk !== undefined && name === "receipts.json") {
      exam.looked("manifest");
      continue;
    }
    const expected = `${manifest.artifact_hashes[name as keyof typeof artifacts]}`;
    const known = name === "provenance.json" ? bulk?.provenance?.artifactHash : undefined;
    exam.expectEqual("manifest", "artifact_hash_mismatch", expected, known ?? artifactHash(exam.kernel, artifact), {
      path: `/artifacts/${name}`,
      message: `${name} is not the one that the manifest names.`,
    });
  }
}

function examinePayloads(exam: Examination, { artifacts, payloads = {} }: Bundle): void {
  const records = artifacts["receipts.json"];
  const known = new Set(records.map((record) => record.stream_event_id));
  for (const eventId of Object.keys(payloads)) {
    exam.expect("payload_hash", known.has(eventId), {
      code: "malformed",
      path: `/payloads/${eventId}`,
      message: "This payload belongs to no event in the bundle.",
    });
  }
  for (const record of records) {
    const eventId = record.stream_event_id;
    const entry = Object.hasOwn(payloads, eventId) ? payloads[eventId] : undefined;
    if (entry === undefined) exam.redacted++;
    else examinePayload(exam, record, entry.payload, entry.payload_salt, `/payloads/${eventId}`);
  }
  if (exam.redacted > 0) exam.notChecked("payload_hash", `${exam.redacted} redacted`);
}

/** Appends every window hash to the prior frontier, which must give the root of every checkpoint on the way. */
function examineCheckpointRoots(
  exam: Examination,
  { manifest, artifacts }: Bundle,
): Required<Pick<ShownTree, "roots" | "windows">> {
  const { kernel } = exam;
  const roots = new Map<number, HashHex>();
  const windows = new Map<number, HashHex>();
  let size = manifest.prior_windows.window_count;
  let frontier = manifest.prior_windows.frontier.map(hexToBytes);
  if (size > 0) roots.set(size, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  for (const window of artifacts["windows.json"]) {
    const hash = windowHash(kernel, window);
    windows.set(window.window_no, hash);
    frontier = kernel.appendToFrontier(size, frontier, [kernel.leafHash(hexToBytes(hash))]);
    size++;
    roots.set(size, encodeHex(kernel.rootFromFrontier(frontier)) as HashHex);
  }
  artifacts["checkpoints.json"].forEach((checkpoint, index) => {
    const path = `/artifacts/checkpoints.json/${index}`;
    examineListedWindows(exam, checkpoint, path);
    examineCheckpointWindows(exam, checkpoint, manifest, artifacts["windows.json"], path);
    const root = roots.get(checkpoint.window_count);
    if (root === undefined) return;
    exam.expectEqual("checkpoint_root", "checkpoint_root_mismatch", checkpoint.checkpoint_root, root, {
      path: `${path}/checkpoint_root`,
      message: `The windows up to checkpoint ${checkpoint.checkpoint_no} do not give its root.`,
      count: false,
    });
  });
  return { roots, windows };
}

function examineCheckpoints(exam: Examination, { artifacts }: Bundle, policies: ShownPolicies): Cosignatures[] {
  const checkpoints = artifacts["checkpoints.json"];
  const unshown = pinnedWitnesses(exam);
  const cosignatures = checkpoints.map((checkpoint, index) => {
    const witnesses = policies.witness.get(checkpoint.witness_policy_digest) ?? unshown;
    const cosigned = new Cosignatures(exam, asCosigned(exam.kernel, checkpoint), witnesses);
    examineCheckpoint(exam, checkpoint, cosigned, `/artifacts/checkpoints.json/${index}`);
    return cosigned;
  });
  const byId = new Map(checkpoints.map((checkpoint, index) => [checkpoint.checkpoint_id, cosignatures[index]]));
  artifacts["witnesses.json"].statements.forEach((statement, index) => {
    const path = `/artifacts/witnesses.json/statements/${index}`;
    const cosigned = byId.get(statement.checkpoint_id);
    if (cosigned !== undefined) {
      cosigned.addStatement(statement, path);
      return;
    }
    exam.reject("witness", {
      code: "witness_statement_mismatch",
      path: `${path}/checkpoint_id`,
      message: `The statement by ${statement.witness_id} is about a checkpoint that is not in the bundle.`,
    });
  });
  return cosignatures;
}

function examineWitnesses(
  exam: Examination,
  { artifacts }: Bundle,
  policies: ShownPolicies,
  cosignatures: readonly Cosignatures[],
): void {
  artifacts["checkpoints.json"].forEach((checkpoint, index) => {
    exam.addTimeProof(cosignatures[index]?.earliestPinnedTime ?? null, checkpoint.to_seq_no);
  });
  const newest = artifacts["checkpoints.json"].at(-1);
  const cosigned = cosignatures.at(-1);
  if (newest === undefined || cosigned === undefined) return;
  const threshold = policies.witness.get(newest.witness_policy_digest)?.policy?.threshold ?? null;
  examineQuorum(exam, cosigned, threshold, "/artifacts/witnesses.json/statements");
}
