/**
 * Verification for other scripts: `window.svcVerify` on the page, and this module for bundlers. The types
 * (api-types.ts) describe each function. Every function resolves to a whole report (protocol section 16).
 */
import {
  type TrustPolicy as CorePolicy,
  type Json,
  type PublicKeyHex,
  pinKeys,
  verify as verifyBytes,
} from "@svc/core";
import type { Evidence, SvcVerify, TrustPolicy } from "./api-types.ts";
import { loadKernel } from "./kernel.ts";

export type { Kind, Report } from "@svc/core";
export type { Evidence, ExpectedRange, SvcVerify, TrustPolicy, VerifyOptions } from "./api-types.ts";

export const verify: SvcVerify["verify"] = async (evidence, options = {}) => {
  const { publicKeysHex = [], trust, links = [], kind } = options;
  const wrong = publicKeysHex.findIndex((key) => !/^[0-9a-f]{64}$/.test(key));
  if (wrong >= 0) throw new TypeError(`publicKeysHex[${wrong}] is not 64 lowercase hex characters`);
  const { kernel } = await loadKernel();
  const pins = pinKeys(kernel, publicKeysHex as readonly PublicKeyHex[]);
  return verifyBytes(bytesOf(evidence), {
    kernel,
    trust: trust === undefined ? pins : withSigners(trust as CorePolicy, pins),
    links: links as readonly Json[],
    ...(kind === undefined ? {} : { kind }),
  });
};

export const verifyReceipt: SvcVerify["verifyReceipt"] = (receipt, options) =>
  verify(receipt, { ...options, kind: "receipt" });

export const verifyInclusion: SvcVerify["verifyInclusion"] = (inclusion, options) =>
  verify(inclusion, { ...options, kind: "inclusion" });

export const verifyCheckpointRoot: SvcVerify["verifyCheckpointRoot"] = (checkpoint, options) =>
  verify(checkpoint, { ...options, kind: "checkpoint" });

export const verifyCompleteness: SvcVerify["verifyCompleteness"] = (bundle, range = {}, options = {}) => {
  const { streamId, from, to } = range;
  const expect = {
    ...options.trust?.expect,
    ...(streamId === undefined ? {} : { stream_id: streamId }),
    ...(from === undefined ? {} : { from_seq_no: from }),
    ...(to === undefined ? {} : { to_seq_no: to }),
  };
  const asked = Object.keys(expect).length > 0 ? { expect } : {};
  const trust: TrustPolicy = { ...(options.trust ?? { signers: [] }), ...asked };
  return verify(bundle, { ...options, trust, kind: "bundle" });
};

/**
 * Returns a policy with another's signers beside its own. A policy without signers stays unchanged: verification
 * reports its fault.
 */
function withSigners(policy: CorePolicy, { signers }: CorePolicy): CorePolicy {
  return Array.isArray(policy.signers) ? { ...policy, signers: [...policy.signers, ...signers] } : policy;
}

function bytesOf(evidence: Evidence): Uint8Array {
  if (typeof evidence === "string") return new TextEncoder().encode(evidence);
  return evidence instanceof Uint8Array ? evidence : new Uint8Array(evidence);
}
