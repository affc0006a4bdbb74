/** Checks policies: each row against its document, and the two halves of a policy against each other. */
import { type Kernel, policyDigest, witnessPolicyDigest } from "@svc/core";
import { difference, type Fault, type RawRow, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { unlogged } from "../tenancy/unlogged.ts";
import { rawPolicies, rawWitnessPolicies } from "./rows-store.ts";

const STRAYS: readonly StrayRule[] = [
  {
    table: "policies",
    id: "policy_id",
    fault: "its tenant has no witness policy of this id and version",
    where:
      "NOT EXISTS (SELECT 1 FROM witness_policies w WHERE w.policy_id = e.policy_id AND w.policy_version = " +
      "e.policy_version AND COALESCE(w.tenant_id, '') = COALESCE(e.tenant_id, ''))",
  },
  {
    table: "witness_policies",
    id: "policy_id",
    fault: "its tenant has no policy of this id and version",
    where:
      "NOT EXISTS (SELECT 1 FROM policies p WHERE p.policy_id = e.policy_id AND p.policy_version = " +
      "e.policy_version AND COALESCE(p.tenant_id, '') = COALESCE(e.tenant_id, ''))",
  },
  // A later version can be one that a rotation of the witness's key has made.
  unlogged("policies", "policy_id", "policy.declared", "e.explicit = 1 AND e.policy_version = 1"),
];

/** Yields the faults of all policies. */
export async function* checkPolicies(context: CheckContext): AsyncGenerator<Fault> {
  const { database, kernel } = context;
  const digestOf = (document: unknown) => policyDigest(kernel, document as never);
  const witnessDigestOf = (document: unknown) => witnessPolicyDigest(kernel, document as never);
  yield* policyFaults("policies", await database.read(rawPolicies), digestOf, kernel);
  yield* policyFaults("witness_policies", await database.read(rawWitnessPolicies), witnessDigestOf, kernel);
  yield* strayRows(context, STRAYS);
}

function* policyFaults(
  table: string,
  rows: readonly RawRow[],
  digestOf: (document: unknown) => string,
  kernel: Kernel,
): Generator<Fault> {
  for (const row of rows) {
    const key = {
      policy_id: row.policy_id ?? null,
      policy_version: row.policy_version ?? null,
      tenant_id: row.tenant_id ?? null,
    };
    const parsed = kernel.parseJson(Buffer.from(String(row.document)));
    if (!parsed.ok) {
      yield { table, row: key, fault: "its document is not JSON" };
      continue;
    }
    const document = parsed.value as RawRow;
    const { policy_id = null, policy_version = null } = document;
    const expected = { policy_id, policy_version, digest: digestOf(document) };
    const fault = difference(
      table,
      key,
      row,
      "threshold" in row ? { ...expected, threshold: document.threshold } : expected,
    );
    if (fault !== null) yield fault;
  }
}
