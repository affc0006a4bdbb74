/**
 * Each signature in good evidence of vaults, made again by each other key of the case: none of these objects is
 * verified, even if the service itself seals around them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { OTHER_VAULT, START_KEY, VAULT } from "@svc/testkit/evidence/vaults";
import { type JsonObject, selectKernel, verify } from "../../src/index.ts";
import { recordBody, resultBody } from "../../src/objects/attestation/issue.ts";
import { artifactHash } from "../../src/objects/bundle/issue.ts";
import type { Bundle } from "../../src/objects/bundle/schema.ts";
import { disclosureBody } from "../../src/objects/disclosure/issue.ts";
import { envelopeBody } from "../../src/objects/envelope/issue.ts";
import { ivcEpochBody } from "../../src/objects/ivc/schema.ts";
import { providerPolicyBody } from "../../src/objects/provider/policy.ts";
import type { Tag } from "../../src/protocol.ts";
import type { JsonKind } from "../../src/report/checks.ts";
import { type AnySeal, makeSeal } from "../../src/seal.ts";
import { handoverBody } from "../../src/vault/handover.ts";
import { keyStatusBody } from "../../src/vault/key-status/issue.ts";
import { goodsOf } from "../tamper-goods.ts";

const kernel = selectKernel();
const KINDS: readonly JsonKind[] = [
  "bundle",
  "envelope",
  "vault-attestation",
  "provenance-inclusion",
  "disclosure",
  "key-status",
  "ivc-epoch",
];
const SUCCESSOR = testSigner("successor");
const KEYS = [SERVICE, VAULT.signer, OTHER_VAULT.signer, START_KEY, SUCCESSOR, testSigner("stranger")];
/** The seals of the service, whose key may be endorsed: there each of its keys is as good as the other. */
const BY_SERVICE: ReadonlySet<Tag> = new Set(["bundle", "ivc-epoch", "key-status", "result", "provider-policy"]);

/** The members that identify objects with seals, and the bytes under their seals. */
const SEALED: readonly [member: string, tag: Tag, body: (value: never) => JsonObject][] = [
  ["capsuleRoot", "envelope", envelopeBody],
  ["evidenceHash", "record", recordBody],
  ["assuranceCapability", "result", resultBody],
  ["handoverAt", "handover", handoverBody],
  ["policyVersion", "provider-policy", providerPolicyBody],
  ["disclosureId", "disclosure", disclosureBody],
  ["ivc_epoch_id", "ivc-epoch", ivcEpochBody],
  ["keyId", "key-status", keyStatusBody],
  ["manifest", "bundle", ({ manifest }: Bundle) => manifest as unknown as JsonObject],
];

/** A seal, the object that it is in, and its place. */
interface Place {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  readonly tag: Tag;
  readonly body: JsonObject;
  readonly path: string;
}

function* sealsIn(value: unknown, path = ""): Generator<Place> {
  if (typeof value !== "object" || value === null) return;
  const owner = value as Record<string, unknown>;
  const sealed = SEALED.find(([member]) => Object.hasOwn(owner, member));
  for (const [name, inside] of Object.entries(owner)) {
    const isSeal = typeof inside === "object" && inside !== null && Object.hasOwn(inside, "signature");
    if (isSeal && sealed !== undefined) {
      const [, tag, body] = sealed;
      const own = name === "startSeal" ? "envelope-start" : tag;
      yield { owner, name, tag: own, body: body(value as never), path: `${path}/${name}` };
    } else yield* sealsIn(inside, `${path}/${name}`);
  }
}

/** Seals the manifest of a bundle again by the service, over the artifacts as they are now. */
async function sealAround(object: Record<string, unknown>): Promise<void> {
  const bundle = object as unknown as { manifest: Bundle["manifest"]; artifacts: Bundle["artifacts"]; seal: AnySeal };
  const artifact = bundle.artifacts["provenance.json"];
  const { artifact_hashes } = bundle.manifest as unknown as { artifact_hashes: Record<string, string> };
  if (artifact !== undefined) artifact_hashes["provenance.json"] = artifactHash(kernel, artifact);
  bundle.seal = await makeSeal(kernel, "bundle", bundle.manifest as unknown as JsonObject, SERVICE);
}

for (const kind of KINDS) {
  test(`no ${kind} is verified with a seal by another key`, async () => {
    const tags = new Set<Tag>();
    let count = 0;
    for (const good of goodsOf(kind)) {
      if (good.verdict !== "verified" || (kind === "bundle" && !good.input.includes("provenance.json"))) continue;
      // The first of many envelopes in one bundle is as good as any.
      const places = [...sealsIn(JSON.parse(good.input))].filter(({ path }) => !/\/[1-9]\d*\//.test(path));
      for (const [index, { tag, body, path }] of places.entries()) {
        tags.add(tag);
        // No attestation is beside an envelope alone, so nobody knows the key of its start.
        if (kind === "envelope" && tag === "envelope-start") continue;
        for (const key of KEYS) {
          if (BY_SERVICE.has(tag) && good.input.includes("endorsed_kid") && [SERVICE, SUCCESSOR].includes(key))
            continue;
          const seal = await makeSeal(kernel, tag, body, key);
          for (const more of [{}, { kid: null }]) {
            const copy = JSON.parse(good.input) as Record<string, unknown>;
            const own = [...sealsIn(copy)].filter((one) => !/\/[1-9]\d*\//.test(one.path))[index];
            const before = own?.owner[own.name] as AnySeal;
            if (own === undefined || before.signature === seal.signature) continue;
            own.owner[own.name] = Object.hasOwn(more, "kid") ? { ...seal, kid: before.kid } : seal;
            if (kind === "bundle" && path !== "/seal") await sealAround(copy);
            const bytes = kernel.canonicalize(copy as JsonObject);
            const links = good.links === undefined ? {} : { links: good.links };
            const { verdict } = verify(bytes, { kernel, kind, trust: good.trust, ...links });
            assert.notEqual(verdict, "verified", `${good.name} ${path} by ${KEYS.indexOf(key)}`);
            count++;
          }
        }
      }
    }
    console.log(`# ${kind}: ${count} objects, seals of ${[...tags].join(", ")}`);
    assert.ok(count > 10, `${count} objects`);
  });
}
