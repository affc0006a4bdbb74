/**
 * The provider policy: which providers a vault may use, and for what (protocol section 29). The vault enforces it; a
 * verifier checks that what an envelope names is in the version that the envelope names.
 */
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import { digest } from "../../protocol.ts";
import type { Examination } from "../../report/examination.ts";
import type { ShapeFault } from "../../report/shape.ts";
import { Closed, type HashHex, OneOf, Ordinal, ServiceTime, Slug } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { TextOf } from "../../schema/vault-atoms.ts";
import { makeSeal, ProvenanceSeal, type Signer } from "../../seal.ts";
import type { Scope } from "../../trust/key-ring.ts";
import { mayVouch } from "../../vault/key-status/vouching.ts";

/** The operations of a vault or a provider on content (protocol section 20). */
export const OPERATIONS = ["register", "mark", "detect", "transform", "disclose"] as const;
export type Operation = (typeof OPERATIONS)[number];

/**
 * A provider that is allowed, and why (protocol section 29). `egress` says whether content leaves the vault for the
 * provider. As JSON, shortened:
 *
 * ```json
 * {"providerId":"marker.one","operations":["mark","detect"],"egress":"none","reason":"reviewed on our own machines",
 *  "reviewedBy":"media governance","reviewedAt":"2026-03-01T00:00:00.000Z"}
 * ```
 */
export const AllowedProvider = Closed({
  providerId: Slug,
  operations: Type.Array(OneOf(...OPERATIONS), { minItems: 1 }),
  egress: OneOf("none", "provider"),
  reason: TextOf(10, 500),
  reviewedBy: TextOf(1, 128),
  reviewedAt: ServiceTime,
});
export type AllowedProvider = Type.Static<typeof AllowedProvider>;

/**
 * The providers that a tenant's vaults may use (protocol section 29). As JSON, shortened:
 *
 * ```json
 * {"policyVersion":1,"providers":[],"updatedAt":"2026-03-01T00:00:00.000Z","seal":{}}
 * ```
 */
export const ProviderPolicy = Closed(
  { policyVersion: Ordinal, providers: Type.Array(AllowedProvider), updatedAt: ServiceTime, seal: ProvenanceSeal },
  { $id: "provider-policy" },
);
export type ProviderPolicy = Type.Static<typeof ProviderPolicy>;

/** Returns the members that the seal of a policy and its digest cover. */
export function providerPolicyBody(policy: ProviderPolicy): Omit<ProviderPolicy, "seal"> & JsonObject {
  const { seal: _seal, ...body } = policy;
  return body;
}

/**
 * Returns the digest by which envelopes name a provider policy (protocol section 29), 64 lowercase hex characters. It
 * does not check the policy.
 *
 * @example
 * const policy = await issueProviderPolicy(kernel, signer, {
 *   policyVersion: 1,
 *   providers: [],
 *   updatedAt: "2026-03-01T00:00:00.000Z",
 * });
 * console.log(providerPolicyDigest(kernel, policy).length); // 64
 */
export function providerPolicyDigest(kernel: Kernel, policy: ProviderPolicy): HashHex {
  return digest(kernel, "provider-policy", providerPolicyBody(policy));
}

/**
 * Seals a provider policy (protocol section 29). `signer`: the service's key. `body`: the policy without its seal;
 * providers ascend by `providerId`. Resolves to the policy. It checks nothing: `verify` of what names it does.
 *
 * @example
 * const body = { policyVersion: 1, providers: [], updatedAt: "2026-03-01T00:00:00.000Z" };
 * console.log((await issueProviderPolicy(kernel, signer, body)).policyVersion); // 1
 */
export async function issueProviderPolicy(
  kernel: Kernel,
  signer: Signer,
  body: Omit<ProviderPolicy, "seal">,
): Promise<ProviderPolicy> {
  return { ...body, seal: await makeSeal(kernel, "provider-policy", body, signer) };
}

/** Returns the faults of a policy that its schema cannot express: providers ascend by id, each once. */
export function providerPolicyFaults({ providers }: ProviderPolicy, path: string): ShapeFault[] {
  const at = providers.findIndex(
    ({ providerId }, index) => index > 0 && providerId <= (providers[index - 1] as AllowedProvider).providerId,
  );
  if (at < 0) return [];
  return [{ path: `${path}/providers/${at}/providerId`, message: "Providers ascend by providerId, each once." }];
}

/** A policy that counts, whose providers are found by id: it may list many, and many envelopes may name them. */
export interface CountingPolicy {
  readonly policyVersion: number;
  readonly operations: ReadonlyMap<string, readonly Operation[]>;
}

/**
 * Checks the seals of policies. Returns those that a signer trusted for this scope has sealed, by their digest. `path`:
 * of the list; `streamId`: of the object that they are in.
 */
export function examineProviderPolicies(
  exam: Examination,
  policies: readonly ProviderPolicy[],
  path: string,
  scope: Scope,
): ReadonlyMap<HashHex, CountingPolicy> {
  const counting = new Map<HashHex, CountingPolicy>();
  policies.forEach((policy, index) => {
    const { policyVersion, providers, updatedAt, seal } = policy;
    exam.seal("provider", "provider-policy", providerPolicyBody(policy), seal, {
      path: `${path}/${index}/seal`,
      what: `version ${policyVersion} of the provider policy`,
      streamId: scope.streamId,
      ownTime: updatedAt,
    });
    if (!mayVouch(exam, seal.kid, updatedAt, scope)) return;
    const operations = new Map(providers.map((one) => [one.providerId, one.operations]));
    counting.set(providerPolicyDigest(exam.kernel, policy), { policyVersion, operations });
  });
  return counting;
}

/** Says of an envelope by itself what is not checked of its provider. `content`: of the envelope, if it is here. */
export function policyNote(content: { readonly metadata: NamedProvider } | undefined): string {
  if (content === undefined) return "the content is not here, which may name a provider";
  return content.metadata.providerId === null
    ? "it names no provider"
    : "the provider policy that it names is not here";
}

/** The members of an envelope's metadata by which it names a provider. */
export interface NamedProvider {
  readonly operation: Operation;
  readonly providerId: string | null;
  readonly providerPolicyDigest: string | null;
}

/**
 * Checks that the policy that an envelope names is here, and lets the provider do this. An envelope without a provider
 * names no policy, and is not looked at. `path`: of the metadata; `what`: the envelope in words.
 */
export function examineNamedProvider(
  exam: Examination,
  { operation, providerId, providerPolicyDigest: named }: NamedProvider,
  policies: ReadonlyMap<HashHex, CountingPolicy>,
  path: string,
  what: string,
): void {
  if (providerId === null) return;
  exam.looked("provider");
  const policy = policies.get(named as HashHex);
  const allowed = policy?.operations.get(providerId)?.includes(operation);
  exam.expect("provider", allowed === true, {
    code: "provider_not_allowed",
    path: `${path}/${policy === undefined ? "providerPolicyDigest" : "providerId"}`,
    message:
      policy === undefined
        ? `The provider policy that ${what} names is not here, or nobody you trust has sealed it.`
        : `Version ${policy.policyVersion} of the provider policy does not let ${providerId} ${operation}, as ` +
          `${what} says.`,
  });
}
