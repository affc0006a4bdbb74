/**
 * Declares the witnesses of a policy by request: the next version has them, and the numbers of the version before. A
 * declaration that the newest version says already makes no other one, so that a request can be repeated.
 */

import type { DeclaredWitnessPolicy, WitnessPolicyBody } from "@svc/api";
import type { Json } from "@svc/core";
import type { RecordChange } from "@svc/host/administration";
import { latest, serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import { anchoringOf, anchoringSettings } from "../chain/settings.ts";
import type { Context } from "../context.ts";
import { feedingSettings } from "../feeding/settings.ts";
import { type Idempotency, idempotencyOf } from "../idempotency/idempotency.ts";
import { declarePolicy, policyIdTaken } from "./declare-policy.ts";
import { ownWitness } from "./own-witness.ts";
import { newestPolicy, type PolicyVersion, policyVersion } from "./policies-store.ts";
import { type DocumentProblem, ownKeys, type PolicyDocument, readPolicyDocument } from "./policy-document.ts";
import { resolvePolicy } from "./resolve-policy.ts";
import { unmetDemands } from "./unmet-demands.ts";

/** A declaration by request. */
export interface WitnessDeclaration {
  readonly policyId: string;
  readonly body: WitnessPolicyBody;
  /** The body as it was sent. */
  readonly value: Json;
  readonly idempotencyKey: string;
}

/** Declares the witnesses of policies. */
export class DeclareWitnesses {
  readonly #context: Pick<Context, "administration" | "clock" | "kernel" | "settings" | "origin">;
  readonly #idempotency: Idempotency;

  constructor(
    context: Pick<Context, "administration" | "clock" | "kernel" | "settings" | "origin">,
    idempotency: Idempotency,
  ) {
    this.#context = context;
    this.#idempotency = idempotency;
  }

  /**
   * Resolves to the version that says what was declared, the newest one or, for a repeated request, that of the first.
   * Rejects with `action_forbidden`, `policy_id_taken`, the code of the first fault, and the refusals of
   * Idempotency-Keys.
   */
  async declare(
    principal: Principal,
    { policyId, body, value, idempotencyKey }: WitnessDeclaration,
  ): Promise<DeclaredWitnessPolicy> {
    requireWholeTenant(principal);
    const repeatable = {
      principal,
      route: "PUT /v2/tenant/witness/policies/{id}",
      key: idempotencyKey,
      target: policyId,
      body: value,
    };
    const version = await this.#context.administration.write(async (writer, record) => {
      const made = await this.#idempotency.replay(writer, repeatable);
      if (made !== null) return this.#madeBefore(writer, principal, policyId, Number(made.result?.policy_version));
      const declared = await this.#declare(writer, record, principal, policyId, body);
      const { policy_version } = declared.policy;
      const kept = { streamId: "", fromSeqNo: 0, toSeqNo: 0, result: { policy_version } };
      await this.#idempotency.keep(writer, repeatable, kept, serviceTime(this.#context.clock()));
      return declared;
    });
    const { witnessPolicy, witnessPolicyDigest, whenUnmet } = version;
    const { origin, settings } = this.#context;
    return {
      witness_policy: witnessPolicy,
      witness_policy_digest: witnessPolicyDigest,
      when_unmet: whenUnmet,
      unmet: unmetDemands(version, {
        origin,
        addressed: settings(feedingSettings).witnesses,
        isAnchoring: anchoringOf(settings(anchoringSettings)) !== null,
      }),
    };
  }

  async #declare(
    writer: Writer,
    record: RecordChange,
    principal: Principal,
    policyId: string,
    body: WitnessPolicyBody,
  ): Promise<PolicyVersion> {
    const { kernel, clock } = this.#context;
    const now = serviceTime(clock());
    const before = await newestPolicy(writer, principal.tenantId, policyId);
    if (before !== null && before.tenantId === null) throw policyIdTaken(policyId);
    const declaredAt = latest(now, before?.witnessPolicy.declared_at);
    const read = readPolicyDocument({ policy_id: policyId, ...body }, await ownKeys(writer), declaredAt);
    if (!("policy_id" in read)) throw refusal(read);
    const document = { ...numbersOf(before), ...read };
    if (before?.explicit && (await this.#says(writer, before, document))) return before;
    return declarePolicy(writer, kernel, principal, document, now, record);
  }

  /** Resolves to whether a version is what this document would have become at its time. */
  async #says(writer: Writer, version: PolicyVersion, document: PolicyDocument): Promise<boolean> {
    const { tenantId, policy, witnessPolicy, witnessPolicyDigest, whenUnmet, explicit } = version;
    const place = { tenantId, version: policy.policy_version, explicit, declaredAt: witnessPolicy.declared_at };
    const same = resolvePolicy(this.#context.kernel, document, await ownWitness(writer), place);
    return same.witnessPolicyDigest === witnessPolicyDigest && same.whenUnmet === whenUnmet;
  }

  async #madeBefore(
    writer: Writer,
    { tenantId }: Principal,
    policyId: string,
    version: number,
  ): Promise<PolicyVersion> {
    const found = await policyVersion(writer, tenantId, policyId, version);
    if (found === null) throw new Error(`version ${version} of the policy ${policyId} is missing from the database`);
    return found;
  }
}

/** The same, as the routes call it. */
export const declareWitnessesPart = part(
  "declaring of witnesses",
  (context: Context) => new DeclareWitnesses(context, idempotencyOf(context)),
);

function numbersOf(version: PolicyVersion | null): Partial<PolicyDocument> {
  if (version === null) return {};
  const { policy_id: _id, policy_version: _version, ...numbers } = version.policy;
  return numbers;
}

/** Throws `action_forbidden` for a key that is limited to certain streams: a policy is about all of a tenant's. */
function requireWholeTenant({ limits }: Principal): void {
  if (limits?.streams != null)
    throw new ServiceError(
      "action_forbidden",
      "This key is kept to some streams, and a policy is about all that name it. Use a key that is not kept to " +
        "streams.",
      { action: "declare_policy" },
    );
}

/** Returns the refusal of a document, by its first fault. */
function refusal(problems: readonly DocumentProblem[]): ServiceError {
  const [first] = problems;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more, see problems)` : "";
  return new ServiceError(first?.code ?? "invalid_request", `${first?.path} ${first?.message}${more}.`, {
    problems: problems.map(({ path, message }) => ({ path, message })),
  });
}
