/**
 * Verification for other scripts: `window.svcVerify` on the page, and this module for whoever bundles it. Nothing here takes a credential,
 * opens a connection or reads a clock. Every answer is a whole report (protocol section 16).
 */
import { type Json, type Kind, pinKeys, type Report, type TrustPolicy, verify as verifyBytes } from "@svc/core";
import { loadKernel } from "./kernel.ts";

export type { Kind, Report, TrustPolicy } from "@svc/core";

/** Bytes as they were received, or their text. Not a parsed value: what two readers could read differently shows only in the bytes. */
export type Evidence = Uint8Array | ArrayBuffer | string;

export interface VerifyOptions {
  /** Raw Ed25519 public keys that you trust, each 64 lowercase hex characters, got from elsewhere than the evidence. */
  readonly publicKeysHex?: readonly string[];
  /** A trust policy of protocol section 16. The keys are added to its signers. */
  readonly trust?: TrustPolicy;
  /** Consistency evidence that links the checkpoints that you know, parsed. */
  readonly links?: readonly Json[];
  /** The kind to verify as; found from the members where it is not given. */
  readonly kind?: Kind;
}

/** The events that have to be there; numbers from 1, both included. */
export interface ExpectedRange {
  readonly streamId?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Verifies evidence of any kind. Rejects with TypeError for a key that is none. */
export async function verify(evidence: Evidence, options: VerifyOptions = {}): Promise<Report> {
  const { publicKeysHex = [], trust, links, kind } = options;
  const wrong = publicKeysHex.findIndex((key) => !/^[0-9a-f]{64}$/.test(key));
  if (wrong >= 0) throw new TypeError(`publicKeysHex[${wrong}] is not 64 lowercase hex characters`);
  const { kernel } = await loadKernel();
  const pins = pinKeys(kernel, publicKeysHex as Parameters<typeof pinKeys>[1]);
  return verifyBytes(bytesOf(evidence), {
    kernel,
    trust: trust === undefined ? pins : withSigners(trust, pins),
    ...(links === undefined ? {} : { links }),
    ...(kind === undefined ? {} : { kind }),
  });
}

/** Verifies a receipt: what the service signed when it accepted one event. */
export function verifyReceipt(receipt: Evidence, options: VerifyOptions = {}): Promise<Report> {
  return verify(receipt, { ...options, kind: "receipt" });
}

/** Verifies an inclusion proof: one event under a window's root. Nothing signed stands around it: it is `untrusted` at best. */
export function verifyInclusion(inclusion: Evidence, options: VerifyOptions = {}): Promise<Report> {
  return verify(inclusion, { ...options, kind: "inclusion" });
}

/** Verifies a checkpoint, its root recomputed from its windows and the frontier before them. */
export function verifyCheckpointRoot(checkpoint: Evidence, options: VerifyOptions = {}): Promise<Report> {
  return verify(checkpoint, { ...options, kind: "checkpoint" });
}

/** Verifies that a bundle holds every event of a range, none missing and none added. Without a range, that of its own manifest. */
export function verifyCompleteness(
  bundle: Evidence,
  { streamId, from, to }: ExpectedRange = {},
  options: VerifyOptions = {},
): Promise<Report> {
  const expect = {
    ...options.trust?.expect,
    ...(streamId === undefined ? {} : { stream_id: streamId }),
    ...(from === undefined ? {} : { from_seq_no: from }),
    ...(to === undefined ? {} : { to_seq_no: to }),
  } as NonNullable<TrustPolicy["expect"]>;
  const asked = Object.keys(expect).length > 0 ? { expect } : {};
  const trust: TrustPolicy = { ...(options.trust ?? { signers: [] }), ...asked };
  return verify(bundle, { ...options, trust, kind: "bundle" });
}

/** A policy with the signers of another beside its own. What has none is left as it is: verification says what is wrong with it. */
function withSigners(policy: TrustPolicy, { signers }: TrustPolicy): TrustPolicy {
  return Array.isArray(policy.signers) ? { ...policy, signers: [...policy.signers, ...signers] } : policy;
}

function bytesOf(evidence: Evidence): Uint8Array {
  if (typeof evidence === "string") return new TextEncoder().encode(evidence);
  return evidence instanceof Uint8Array ? evidence : new Uint8Array(evidence);
}
