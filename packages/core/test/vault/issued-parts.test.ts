/** Objects that vaults and the service issue, and others that nobody can. This file issues none while it is loaded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, frontierOf, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  custodyOf,
  disclosureOf,
  drawn,
  inclusionOf,
  issueVaultStream,
  OTHER_VAULT,
  provenanceOf,
  sealedStatus,
  startOf,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import {
  type Capsule,
  type Envelope,
  envelopeHash,
  issueDisclosure,
  issueHandover,
  issueIvcEpoch,
  issueProviderPolicy,
  leavesOf,
  pinKeys,
  provenancePart,
  provenanceRoot,
  providerPolicyDigest,
  referenceKernel,
  showFrontier,
  type TrustPolicy,
  verify,
} from "../../src/index.ts";
import { envelopeHashesOf, leafHashesOf, provenanceLeaf } from "../../src/objects/bundle/provenance/leaves.ts";

const kernel = referenceKernel;

/** Resolves to the input of a part over three events, and the part. */
async function made() {
  const evidence = await issueVaultStream(3);
  const part = provenanceOf(evidence);
  const { envelopes, attestations, handovers, provider_policies } = part.artifact;
  const artifact = { envelopes, attestations, handovers, provider_policies };
  return { part, input: { ...artifact, records: evidence.records, lifecycle: part.members.vault_key_lifecycle } };
}

test("each event has the leaf of its record and its envelope", async () => {
  const { input, part } = await made();
  const { records, envelopes } = input;
  const leaves = leavesOf(kernel, records, envelopes);
  const expected = records.map(({ stream_id, seq_no, event_hash, source_ref }, index) => {
    const { envelope } = envelopes[index] ?? assert.fail();
    const { installationId: installation_id, capsuleRoot: capsule_root } = envelope;
    const own = { installation_id, envelope_hash: envelopeHash(kernel, envelope), capsule_root };
    return { stream_id, seq_no, event_hash, source_ref, ...own };
  });
  assert.deepEqual(leaves, expected);
  assert.equal(part.members.provenance_root, provenanceRoot(kernel, leaves));
});

test("many objects are hashed as each of them is, in order", async () => {
  const envelopes = (await issueVaultStream(3)).envelopes.map(({ content: _, ...envelope }) => envelope);
  assert.deepEqual(
    envelopeHashesOf(kernel, envelopes),
    envelopes.map((envelope) => envelopeHash(kernel, envelope)),
  );
  const hash = drawn("hash");
  const leaves = Array.from({ length: 4097 }, (_, no) => ({
    stream_id: "str_1",
    seq_no: no + 1,
    event_hash: hash,
    source_ref: `psr_${no}`,
    installation_id: "ins_1",
    envelope_hash: hash,
    capsule_root: hash,
  }));
  const hashes = leafHashesOf(kernel, leaves);
  assert.equal(hashes.length, leaves.length);
  for (const index of [0, 1, 4095, 4096]) {
    const leaf = leaves[index] ?? assert.fail();
    assert.deepEqual(hashes[index], kernel.leafHash(Buffer.from(provenanceLeaf(kernel, leaf), "hex")));
  }
  const [first] = leaves;
  assert.ok(first !== undefined);
  assert.equal(provenanceRoot(kernel, [first]), Buffer.from(hashes[0] ?? []).toString("hex"));
  assert.throws(() => leafHashesOf(kernel, [{ ...first, source_ref: "\ud800" }]), /not JSON at "\/source_ref"/);
});

test("a part holds what it is given, and counts its events", async () => {
  const { input, part } = await made();
  const lifecycle = [...input.lifecycle, ...input.lifecycle];
  const lists = { attestations: [1], handovers: [2], provider_policies: [3] } as never as Partial<typeof input>;
  const { members, artifact, contents } = provenancePart(kernel, { ...input, ...lists, lifecycle });
  assert.deepEqual(members, { ...part.members, provenance_event_count: 3, vault_key_lifecycle: lifecycle });
  assert.deepEqual(artifact, { envelopes: input.envelopes, ...lists });
  assert.equal(contents, null);
  const shown = { sev_1: part.contents?.[input.records[0]?.stream_event_id ?? ""] } as never;
  assert.equal(provenancePart(kernel, { ...input, contents: shown }).contents, shown);
});

test("there is one envelope for each record, in order, and at least one", async () => {
  const { input } = await made();
  const [first, second, third] = input.envelopes;
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  for (const envelopes of [[first, second], [first, second, third, third], []])
    assert.throws(() => leavesOf(kernel, input.records, envelopes), {
      name: "RangeError",
      message: `3 records have ${envelopes.length} envelopes`,
    });
  assert.throws(() => leavesOf(kernel, input.records, [first, third, second]), {
    name: "RangeError",
    message: /event 2, found that of event 3/,
  });
  assert.throws(() => provenancePart(kernel, { ...input, records: [], envelopes: [] }), {
    name: "RangeError",
    message: /at least one event/,
  });
});

/** Verifies an object under a policy that pins the service and a vault. */
function found(object: unknown, policy: Partial<TrustPolicy> = {}): string[] {
  const vaults = [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }];
  const trust = { ...pinKeys(kernel, [SERVICE.publicKeyHex]), vaults, ...policy };
  const { verdict, problems } = verify(Buffer.from(JSON.stringify(object)), { kernel, trust });
  return [verdict, ...problems.map(({ code, path }) => `${code} ${path}`)];
}

test("what vaults and the service issue verifies", async () => {
  const policy = await issueProviderPolicy(kernel, SERVICE, {
    policyVersion: 1,
    providers: [
      {
        providerId: "marker.one",
        operations: ["mark"],
        egress: "none",
        reason: "reviewed by ourselves",
        reviewedBy: "media governance",
        reviewedAt: at(-500),
      },
    ],
    updatedAt: at(-400),
  });
  const metadata = {
    mediaClass: "image",
    operation: "mark",
    providerId: "marker.one",
    providerPolicyDigest: providerPolicyDigest(kernel, policy),
    providerResult: null,
    softBindingAlg: null,
  } as const;
  const attestations = [await custodyOf(), await startOf()];
  const [l1, l2] = [
    { level: "L1", attestationRef: id("att", 1), startId: null },
    { level: "L2", attestationRef: null, startId: attestations[1]?.result?.startId ?? null },
  ] as const;
  const evidence = await issueVaultStream(4, {
    perWindow: 1,
    vaultOf: (no) => (no === 4 ? OTHER_VAULT : VAULT),
    stated: (no) => [{}, { assurance: l1 }, { assurance: l2, metadata }, {}][no - 1] ?? {},
  });
  const handovers = [await issueHandover(kernel, VAULT.signer, OTHER_VAULT.signer.publicKeyHex, at(1))];
  const bundle = await vaultBundleOf(evidence, { attestations, handovers, policies: [policy] });
  const { envelopes, checkpoints, windows } = evidence;
  const [first, second] = checkpoints;
  assert.ok(first !== undefined && second !== undefined);
  const epoch = { ivc_epoch_id: id("ivc", 1), previous: null, checkpoints: [first], created_at: at(500) };
  const one = await issueIvcEpoch(kernel, SERVICE, epoch);
  const shown = showFrontier(second, frontierOf(windows.slice(0, 2)));
  const review = { state: "reviewed", reference: "report 1" } as const;
  const two = await issueIvcEpoch(kernel, SERVICE, { ...epoch, previous: one, checkpoints: [shown], review });
  for (const [name, object] of Object.entries({
    bundle,
    envelope: envelopes[0],
    "envelope at L2": envelopes[2],
    disclosure: await disclosureOf(evidence, 2, { isSealed: true, audience: "a", nonce: "n", attestations }),
    inclusion: inclusionOf(bundle, 3),
    custody: attestations[0],
    start: attestations[1],
    status: await sealedStatus(VAULT),
    epoch: one,
    "later epoch": two,
  }))
    assert.deepEqual(found(object), ["verified"], name);
  assert.deepEqual([two.review, one.review], [review, { state: "pending", reference: null }]);
  assert.deepEqual([two.ivc_epoch_no, two.from_checkpoint_no, two.to_checkpoint_no, two.step_count], [2, 2, 2, 1]);
});

test("a disclosure opens fields in the order of their places, or none, and is sealed if somebody seals it", async () => {
  const evidence = await issueVaultStream(1);
  const [capsule, envelope] = [evidence.capsules[0] as Capsule, evidence.envelopes[0] as Envelope];
  const said = { disclosureId: id("dsc", 1), audience: null, nonce: null, disclosedAt: at(9) };
  const rest = { envelope, receipt: null, keyStatus: await sealedStatus(VAULT), attestations: [await custodyOf()] };
  const names = ["author", "policy", "content"];
  const open = await issueDisclosure(kernel, null, { ...said, ...rest, opened: { capsule, names } });
  const { fields, envelopeHash: named, seal, ...others } = open;
  assert.deepEqual(others, { ...said, ...rest });
  assert.deepEqual([named, seal], [envelopeHash(kernel, envelope), null]);
  assert.deepEqual(
    fields.map(({ name }) => name),
    ["content", "policy", "author"],
  );
  assert.deepEqual(found(open), ["verified"]);
  const none = await issueDisclosure(kernel, VAULT.signer, { ...said, ...rest, opened: null });
  assert.deepEqual([none.fields, none.seal?.alg], [[], "Ed25519"]);
  assert.deepEqual(found(none), ["verified"]);
  const strange = await issueDisclosure(kernel, testSigner("stranger"), { ...said, ...rest, opened: null });
  assert.equal(found(strange)[0], "rejected");
  assert.equal(found({ ...open, envelopeHash: drawn("other") })[0], "rejected");
});
