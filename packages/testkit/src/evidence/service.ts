/**
 * A service in memory, made of core's issuing functions alone: a stream with windows, checkpoints and a managed
 * witness, and the bundle over it. Deterministic, so that a test can name what it changes.
 */
import {
  type Anchor,
  type Bundle,
  type Checkpoint,
  type EventInput,
  type ForkEvidence,
  type HashHex,
  hexToBytes,
  issueBundle,
  issueCheckpoint,
  issueReceipt,
  issueWindow,
  issueWitnessStatement,
  keyHint,
  type NodeHash,
  type Policy,
  policyDigest,
  type ReceiptRecord,
  referenceKernel,
  type Signer,
  type Window,
  type WitnessKey,
  type WitnessPolicy,
  type WitnessStatement,
  windowHash,
  witnessPolicyDigest,
  ZERO_HASH,
} from "@svc/core";
import { testSigner } from "./signer.ts";

const kernel = referenceKernel;

export const ORIGIN = "test.example/evidence";
export const SERVICE: Signer = testSigner("service");
export const WITNESS: Signer = testSigner("witness");

export const POLICY: Policy = {
  policy_id: "default",
  policy_version: 1,
  window_max_events: 4,
  window_max_seconds: 10,
  checkpoint_max_windows: 2,
  anchor: "none",
};

export const WITNESS_POLICY: WitnessPolicy = {
  policy_id: "default",
  policy_version: 1,
  mode: "managed-shadow",
  threshold: 1,
  witnessKeys: [
    {
      witness_id: "managed",
      name: `${ORIGIN}/witness`,
      public_key_hex: WITNESS.publicKeyHex,
      key_epoch: 1,
      valid_from: "2026-01-01T00:00:00.000Z",
      valid_to: null,
      managed: true,
    },
  ],
  declared_at: "2026-01-01T00:00:00.000Z",
};

/** The evidence of one stream, and the policies that it names. */
export interface Evidence {
  readonly policies: Policy[];
  readonly witnessPolicy: WitnessPolicy;
  readonly records: ReceiptRecord[];
  readonly windows: Window[];
  readonly checkpoints: Checkpoint[];
  readonly statements: WitnessStatement[];
}

/** Returns an identifier with a readable number in it. */
export function id(prefix: string, number: number): string {
  return `${prefix}_01k3${String(number).padStart(22, "0")}`;
}

/** Returns a service time `second` seconds after the start of the test stream. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();
}

/** The differences of a test stream from the ordinary one. */
export interface StreamOptions {
  readonly perWindow?: number;
  readonly perCheckpoint?: number;
  readonly streamNo?: number;
  readonly signer?: Signer;
  readonly witness?: Signer;
  readonly witnessKey?: Partial<WitnessKey>;
  /** The whole witness policy, its keys included. */
  readonly witnessPolicy?: WitnessPolicy;
  /** When the witness cosigns, in seconds after the checkpoints are made. */
  readonly cosignedAfter?: number;
  readonly anchor?: Policy["anchor"];
  /** From this event on the stream tells another history. */
  readonly forkedAt?: number;
  /** The event of each number, in place of a loan's; events come in order. */
  readonly event?: (seqNo: number) => EventInput | Promise<EventInput>;
  /** The delay of windows and checkpoints, in seconds. */
  readonly sealedAfter?: number;
  /** The policy version of each window in turn; later windows keep the last one. */
  readonly policyVersions?: readonly number[];
  /**
   * False objects that the service seals: each function gets an object as it is issued, and everything later builds on
   * its result.
   */
  readonly lies?: Lies;
}

/** Changes of issued objects. A change below a seal needs a new seal: resealed.ts. */
export interface Lies {
  record?(record: ReceiptRecord): ReceiptRecord | Promise<ReceiptRecord>;
  window?(window: Window): Window | Promise<Window>;
  checkpoint?(checkpoint: Checkpoint): Checkpoint | Promise<Checkpoint>;
}

/**
 * Resolves to a stream of loan decisions, `perWindow` events a window and `perCheckpoint` windows a checkpoint, fully
 * witnessed.
 */
export async function issueStream(events: number, options: StreamOptions = {}): Promise<Evidence> {
  const {
    perWindow = 4,
    perCheckpoint = 2,
    streamNo = 1,
    signer = SERVICE,
    witness: witnessSigner = WITNESS,
  } = options;
  const { anchor = "none", policyVersions = [1], witnessKey = {}, cosignedAfter = 1 } = options;
  const { forkedAt = events + 1, sealedAfter = 0, lies = {} } = options;
  const policyOf = (windowNo: number): Policy => {
    const policy_version = policyVersions[Math.min(windowNo, policyVersions.length) - 1] ?? 1;
    return { ...POLICY, anchor, policy_version };
  };
  const witnessKeys = WITNESS_POLICY.witnessKeys.map((key) => ({
    ...key,
    public_key_hex: witnessSigner.publicKeyHex,
    ...witnessKey,
  }));
  const { witnessPolicy = { ...WITNESS_POLICY, witnessKeys } } = options;
  const versions = [...new Set(policyVersions)].sort((a, b) => a - b);
  const policies = versions.map((policy_version) => ({ ...policyOf(1), policy_version }));
  const stream_id = id("str", streamNo);
  const evidence: Evidence = { policies, witnessPolicy, records: [], windows: [], checkpoints: [], statements: [] };
  let previous_event_hash = ZERO_HASH;
  for (let seq_no = 1; seq_no <= events; seq_no++) {
    const event = (await options.event?.(seq_no)) ?? {
      source_ref: `loan-${1000 + seq_no}`,
      event_type: "loan.decided",
      occurred_at: "2026-03-01T09:30:00+01:00",
      payload: { applicant: `A${seq_no}`, amount: 12_500 + seq_no, approved: (seq_no % 3 !== 0) === seq_no < forkedAt },
    };
    const place = {
      stream_id,
      stream_event_id: id("sev", streamNo * 1000 + seq_no),
      seq_no,
      previous_event_hash,
      received_at: at(seq_no),
      payload_salt: seq_no.toString(16).padStart(32, "0"),
    };
    const issued = await issueReceipt(kernel, signer, event, place);
    const record = (await lies.record?.(issued)) ?? issued;
    previous_event_hash = record.event_hash;
    evidence.records.push(record);
  }
  for (let from = 0; from < events; from += perWindow) {
    const window = await issueWindow(kernel, signer, {
      window_id: id("win", streamNo * 1000 + evidence.windows.length + 1),
      stream_id,
      window_no: evidence.windows.length + 1,
      from_seq_no: from + 1,
      event_hashes: evidence.records.slice(from, from + perWindow).map((record) => record.event_hash),
      policy_digest: policyDigest(kernel, policyOf(evidence.windows.length + 1)),
      witness_policy_digest: witnessPolicyDigest(kernel, witnessPolicy),
      closed_at: at(events + 1 + sealedAfter),
    });
    evidence.windows.push((await lies.window?.(window)) ?? window);
  }
  for (let first = 0; first < evidence.windows.length; first += perCheckpoint) {
    const windows = evidence.windows.slice(first, first + perCheckpoint);
    const issued = await issueCheckpoint(kernel, signer, {
      checkpoint_id: id("chk", streamNo * 1000 + evidence.checkpoints.length + 1),
      service_origin: ORIGIN,
      previous: evidence.checkpoints.at(-1) ?? null,
      frontier: frontierOf(evidence.windows.slice(0, first)),
      windows,
      latest_event_hash: evidence.records.slice(0, windows.at(-1)?.to_seq_no).at(-1)?.event_hash as HashHex,
      policy_id: POLICY.policy_id,
      created_at: at(events + 2 + sealedAfter),
    });
    const checkpoint = (await lies.checkpoint?.(issued)) ?? issued;
    evidence.checkpoints.push(checkpoint);
    const cosignedAt = Date.parse(at(events + 2 + sealedAfter + cosignedAfter)) / 1000;
    const witness = { witness_id: "managed", key_epoch: 1 };
    evidence.statements.push(await issueWitnessStatement(kernel, witnessSigner, witness, checkpoint, cosignedAt));
  }
  return evidence;
}

/** Returns the frontier of the checkpoint tree over these windows. */
export function frontierOf(windows: readonly Window[]): NodeHash[] {
  const leaves = windows.map((window) => kernel.leafHash(hexToBytes(windowHash(kernel, window))));
  return kernel.appendToFrontier(0, [], leaves);
}

/** Resolves to a bundle over the windows from number `firstWindow` on. */
export async function bundleOf(
  evidence: Evidence,
  firstWindow = 1,
  signer = SERVICE,
  anchors: readonly Anchor[] = [],
  forks: readonly ForkEvidence[] = [],
): Promise<Bundle> {
  const windows = evidence.windows.slice(firstWindow - 1);
  const from = windows[0]?.from_seq_no ?? 1;
  const checkpoints = evidence.checkpoints.filter((checkpoint) => checkpoint.window_count >= firstWindow);
  const ids = new Set(checkpoints.map((checkpoint) => checkpoint.checkpoint_id));
  return issueBundle(kernel, signer, {
    bundle_id: id("bundle", 1),
    created_at: at(1000),
    stream_id: windows[0]?.stream_id ?? "",
    records: evidence.records.filter((record) => record.seq_no >= from),
    windows,
    checkpoints,
    witnesses: {
      policies: evidence.policies,
      witness_policies: [evidence.witnessPolicy],
      statements: evidence.statements.filter((statement) => ids.has(statement.checkpoint_id)),
    },
    anchors,
    forks,
    prior: { window_count: firstWindow - 1, frontier: frontierOf(evidence.windows.slice(0, firstWindow - 1)) },
    key_hints: [keyHint(kernel, signer.publicKeyHex)],
    key_endorsements: [],
  });
}
