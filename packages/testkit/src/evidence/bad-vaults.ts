/**
 * Evidence of vaults that must not pass, by its reason: forms that no vault makes, things that this release does not
 * judge, statements that contradict each other. Every reader of evidence gets the same files.
 */
import { issueIvcEpoch, type Json, type Kind, kidOf, referenceKernel, showFrontier, type TrustPolicy } from "@svc/core";
import { at, bundleOf, frontierOf, id, SERVICE } from "./service.ts";
import {
  custodyOf,
  type DisclosureOptions,
  disclosureOf,
  issueVaultStream,
  sealedStatus,
  statusOf,
  VAULT,
  vaultBundleOf,
} from "./vaults.ts";

/** A file that must not pass. */
export interface BadVault {
  readonly kind: Kind;
  readonly text: string;
  readonly trust: TrustPolicy;
  readonly verdict: "rejected" | "untrusted";
  readonly code: string;
}

const kernel = referenceKernel;
const TRUST: TrustPolicy = {
  signers: [{ kid: kidOf(kernel, SERVICE.publicKeyHex), public_key_hex: SERVICE.publicKeyHex }],
};
const REVOKED = { status: "revoked", revocationReason: "key_compromise" } as const;

/** Returns a value inside so many arrays. */
function nested(depth: number): Json {
  return Array.from({ length: depth }).reduce<Json>((inside) => [inside], 0);
}

/** Resolves to the files by name. */
export async function badVaults(): Promise<Readonly<Record<string, BadVault>>> {
  const evidence = await issueVaultStream(6, { perWindow: 2, perCheckpoint: 2 });
  const made = (options: DisclosureOptions = {}) => disclosureOf(evidence, 2, options);
  const good = await made();
  const of = (
    kind: Kind,
    value: unknown,
    code: string,
    { trust = {}, verdict = "rejected" }: { trust?: Partial<TrustPolicy>; verdict?: BadVault["verdict"] } = {},
  ): BadVault => ({
    kind,
    text: typeof value === "string" ? value : JSON.stringify(value),
    trust: { ...TRUST, ...trust },
    verdict,
    code,
  });
  const edited = (change: object) => ({
    ...good,
    fields: good.fields.map((field) => (field.name === "author" ? { ...field, ...change } : field)),
  });
  const many = Array.from({ length: 61 }, (_, no) => ({ ...good.fields.at(-1), name: `name${no}` }));
  const status = await sealedStatus(VAULT);
  const other = await sealedStatus(VAULT, { enrolledAt: at(-2000) });
  const [one, two] = evidence.checkpoints;
  if (one === undefined || two === undefined) throw new Error("too few checkpoints");
  const shown = showFrontier(two, frontierOf(evidence.windows.slice(0, one.window_count)));
  const first = await issueIvcEpoch(kernel, SERVICE, {
    ivc_epoch_id: id("ivc", 1),
    previous: null,
    checkpoints: [one],
    created_at: at(500),
  });
  const later = await issueIvcEpoch(kernel, SERVICE, {
    ivc_epoch_id: id("ivc", 2),
    previous: first,
    checkpoints: [shown],
    created_at: at(600),
  });
  const bundle = await vaultBundleOf(evidence);
  return {
    "a name outside the form": of("disclosure", edited({ name: "Author" }), "malformed"),
    "61 names": of("disclosure", { ...good, fields: [...good.fields, ...many] }, "disclosure_field_invalid"),
    "a value of 65,537 bytes": of("disclosure", edited({ value: "x".repeat(65_535) }), "disclosure_field_invalid"),
    "a value 17 deep": of("disclosure", edited({ value: nested(17) }), "disclosure_field_invalid"),
    "evidence that is not judged": of(
      "vault-attestation",
      await custodyOf(VAULT, {
        withEvidence: true,
        verified: false,
        reason: "custody_unsubstantiated",
        assuranceCapability: "L0",
        custody: null,
      }),
      "unsupported_object",
      { verdict: "untrusted" },
    ),
    "a provenance stream as a legacy bundle": of("bundle", await bundleOf(evidence), "assurance_insufficient", {
      trust: { require_assurance: "L0" },
    }),
    "an undated object of an ended key": of(
      "disclosure",
      await made({
        receipt: null,
        keyStatus: await sealedStatus(VAULT, { ...REVOKED, revokedAt: at(10) }),
      }),
      "key_time_unproven",
      { verdict: "untrusted" },
    ),
    "two statuses that contradict each other": of(
      "disclosure",
      { ...good, keyStatus: status },
      "vault_lifecycle_conflict",
      { trust: { key_status: [other] } },
    ),
    "a bundle against a later status": of("bundle", bundle, "vault_lifecycle_conflict", {
      trust: {
        key_status: [await sealedStatus(VAULT, { ...statusOf(VAULT, at(3000)), enrolledAt: at(-2000) })],
      },
    }),
    "an epoch and the one before it in one file": of("ivc-epoch", [first, later], "malformed"),
    "an epoch whose steps are those before it": of(
      "ivc-epoch",
      { ...later, checkpoints: first.checkpoints },
      "ivc_steps_incomplete",
    ),
    "a disclosure of 1 MiB + 1": of("disclosure", JSON.stringify(good).padEnd(2 ** 20 + 1), "unsupported_object"),
  };
}

/** Returns a bundle of envelopes with white space up to one byte more than a bundle may have. */
export async function tooLongBundle(): Promise<Buffer> {
  const text = JSON.stringify(await vaultBundleOf(await issueVaultStream(2)));
  const bytes = Buffer.alloc(2 ** 28 + 1, " ");
  bytes.write(text);
  return bytes;
}
