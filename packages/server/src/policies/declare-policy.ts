/**
 * Declares policies: each tenant has its own ids, every version is kept, and the newest one applies to all later
 * sealing. An id that a stream names and its tenant has not declared becomes its own too, as `managed-shadow` with the
 * default numbers. The ids of other tenants do not matter, and cannot be learned here.
 */

import type { Kernel } from "@svc/core";
import type { RecordChange } from "@svc/host/administration";
import { latest } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import { recordBeside } from "../tenancy/administration.ts";
import { policyDeclared } from "./events.ts";
import { ownWitness } from "./own-witness.ts";
import { insertPolicyVersion, newestPolicy, type PolicyVersion } from "./policies-store.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { resolvePolicy } from "./resolve-policy.ts";

/**
 * Stores a declaration as the next version of its id, in a transaction of the caller, and resolves to that version.
 * Rejects with `policy_id_taken` for a built-in id.
 */
export async function declarePolicy(
  writer: Writer,
  kernel: Kernel,
  actor: Principal,
  document: PolicyDocument,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<PolicyVersion> {
  const { policy_id } = document;
  const before = await newestPolicy(writer, actor.tenantId, policy_id);
  if (before !== null && before.tenantId === null) throw policyIdTaken(policy_id);
  const version = resolvePolicy(kernel, document, await ownWitness(writer), {
    tenantId: actor.tenantId,
    version: (before?.policy.policy_version ?? 0) + 1,
    explicit: true,
    // The time is never before that of the last version, even if the clock has been set back.
    declaredAt: latest(now, before?.witnessPolicy.declared_at),
  });
  await insertPolicyVersion(writer, version, now);
  const said = (one: PolicyVersion) => ({
    policy_version: one.policy.policy_version,
    witness_policy_digest: one.witnessPolicyDigest,
  });
  const change = { objectId: policy_id, before: before === null ? null : said(before), after: said(version) };
  await record(actor, { type: policyDeclared, ...change }, now);
  return version;
}

/**
 * Resolves to the newest version of an id for a tenant: its own, a built-in one, or version 1 of an undeclared id,
 * which is stored here.
 */
export async function usePolicy(
  writer: Writer,
  kernel: Kernel,
  tenantId: string,
  policyId: string,
  now: string,
): Promise<PolicyVersion> {
  const found = await newestPolicy(writer, tenantId, policyId);
  if (found !== null) return found;
  const place = { tenantId, version: 1, explicit: false, declaredAt: now };
  const implied = resolvePolicy(kernel, { policy_id: policyId }, await ownWitness(writer), place);
  await insertPolicyVersion(writer, implied, now);
  return implied;
}

/** Returns the refusal of a built-in id. */
export function policyIdTaken(policyId: string): ServiceError {
  return new ServiceError(
    "policy_id_taken",
    `The policy id ${JSON.stringify(policyId)} is built in, and its policy is the same for every tenant. Choose ` +
      `another id.`,
    { path: "/policy_id" },
  );
}
