/**
 * The kernel computes of a provenance part, in the bytes of its bundle, the same as each object gives by itself: seals,
 * hashes, and the records that envelopes are compared with.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { issueVaultStream, OTHER_VAULT, startOf, VAULT, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import {
  type Bundle,
  envelopeHash,
  type HashHex,
  type Json,
  kidOf,
  type RecordedEnvelope,
  selectKernel,
} from "../../src/index.ts";
import { artifactHash } from "../../src/objects/bundle/issue.ts";
import { digestProvenance } from "../../src/objects/bundle/provenance/bulk.ts";
import { hashesIn, recordsIn } from "../../src/objects/bundle/provenance/described.ts";
import { checkReceipts } from "../../src/objects/bundle/receipts.ts";
import { contentHash } from "../../src/objects/envelope/issue.ts";
import { payloadHash } from "../../src/objects/receipt.ts";

const kernel = selectKernel();
const OWN = VAULT.signer.publicKeyHex;
const OTHER = OTHER_VAULT.signer.publicKeyHex;
const start = await startOf();
const evidence = await issueVaultStream(4, {
  perWindow: 2,
  vaultOf: (no) => (no === 3 ? OTHER_VAULT : VAULT),
  stated: (no) =>
    no === 2 ? { assurance: { level: "L2", attestationRef: null, startId: start.result?.startId ?? null } } : {},
});
const good = await vaultBundleOf(evidence, { shows: (no) => no !== 4 });

/** Opens a value, and looks at its canonical bytes. */
function opened(value: unknown) {
  const canonical = kernel.canonicalize(value as Json);
  const read = kernel.openJson(canonical);
  assert.ok(read.ok);
  return { document: read.document, canonical };
}

function digestsOf(value: unknown, keys = [OWN, OTHER]) {
  const { document, canonical } = opened(value);
  return digestProvenance(kernel, document, canonical, keys);
}

/** Returns a copy of the bundle with a change, and its envelopes. */
function changed(change: (copy: Bundle, envelopes: RecordedEnvelope[]) => unknown): Bundle {
  const copy = structuredClone(good);
  change(copy, copy.artifacts["provenance.json"]?.envelopes as RecordedEnvelope[]);
  return copy;
}

/** Returns the digests of a bundle, each of its object by itself. `holds`: under which key each seal does. */
function expectedOf(bundle: Bundle, holds: readonly (string | null)[]) {
  const artifact = bundle.artifacts["provenance.json"];
  assert.ok(artifact !== undefined);
  return {
    artifactHash: artifactHash(kernel, artifact),
    envelopes: artifact.envelopes.map(({ envelope, payload_salt }, index) => ({
      payloadHash: payloadHash(kernel, envelope, payload_salt),
      envelopeHash: envelopeHash(kernel, envelope),
      holdsUnder: holds[index] ?? null,
    })),
    contents: new Map(Object.entries(bundle.contents ?? {}).map(([id, content]) => [id, contentHash(kernel, content)])),
  };
}

test("the digests of a provenance part in bulk are those of each object by itself", () => {
  assert.deepEqual(digestsOf(good), expectedOf(good, [OWN, OWN, OTHER, OWN]));
  assert.equal(digestsOf(good)?.contents.size, 3);
});

test("a seal holds in bulk only under the key that its kid names, and only if that key is given", () => {
  assert.deepEqual(digestsOf(good, [OTHER]), expectedOf(good, [null, null, OTHER]));
  assert.deepEqual(digestsOf(good, []), expectedOf(good, []));
  const misnamed = changed((_, [first]) => Object.assign(first?.envelope.seal ?? {}, { kid: kidOf(kernel, OTHER) }));
  assert.deepEqual(digestsOf(misnamed), expectedOf(misnamed, [null, OWN, OTHER, OWN]));
});

test("each member that a seal covers is covered in bulk", () => {
  const other = "00".repeat(32) as HashHex;
  for (const change of [
    { installationId: OTHER_VAULT.installationId },
    { streamId: "str_00000000000000000000000000" },
    { sourceRef: `psr_${other}` },
    { vaultSeq: 9 },
    { previousEnvelopeHash: good.manifest.provenance_root },
    { capsuleRoot: other },
    { contentHash: other },
  ]) {
    const bundle = changed((_, [first]) => Object.assign(first?.envelope ?? {}, change));
    assert.deepEqual(digestsOf(bundle), expectedOf(bundle, [null, OWN, OTHER, OWN]), JSON.stringify(change));
  }
});

test("what the kernel cannot take as it stands is left to the way one by one", () => {
  const cut = changed((_, [, second]) => Object.assign(second?.envelope.seal ?? {}, { signature: "00" }));
  const { envelopes } = expectedOf(good, []);
  assert.deepEqual(digestsOf(cut)?.envelopes, [envelopes[0], null, envelopes[2], envelopes[3]]);
  const more = changed(({ contents = {} }) => Object.assign(Object.values(contents)[1] ?? {}, { more: 1 }));
  const [first, , third] = expectedOf(good, []).contents;
  assert.deepEqual(digestsOf(more)?.contents, new Map([first, third] as [string, HashHex][]));
});

test("a part without contents or envelopes has no digests of any, and a bundle without the part has none at all", () => {
  const { contents: _, ...bare } = good;
  assert.deepEqual(digestsOf(bare)?.contents, new Map());
  const empty = changed((_, envelopes) => envelopes.splice(0));
  assert.deepEqual(digestsOf(empty)?.envelopes, []);
  const alone = { ...good, artifacts: { "provenance.json": good.artifacts["provenance.json"] } };
  assert.equal(digestsOf(alone)?.artifactHash, digestsOf(good)?.artifactHash);
  const { "provenance.json": _part, ...artifacts } = good.artifacts;
  assert.equal(digestsOf({ ...good, artifacts }), null);
  assert.equal(digestsOf({ ...good, artifacts: {} }), null);
});

test("the records of receipts that were checked in bulk are those of the bundle", () => {
  const receipts = good.artifacts["receipts.json"];
  const sealer = receipts[0]?.receipt.kid ?? "";
  const key = Buffer.from(good.key_hints[0]?.public_key_hex ?? "", "hex");
  const streamId = good.manifest.stream_id;
  const context = { streamId, keys: new Map([[sealer, Uint8Array.from(key)]]), isDescribed: true };
  for (const from of [0, 2]) {
    const run = checkReceipts(opened(receipts.slice(from)).document, context);
    assert.ok(run !== null);
    const expected = receipts.slice(from).map((record) => {
      const { stream_id, stream_event_id, seq_no, event_hash, payload_hash } = record;
      const { source_ref, event_type, occurred_at, received_at } = record;
      const compared = { stream_id, stream_event_id, seq_no, event_hash, payload_hash };
      return { ...compared, source_ref, event_type, occurred_at, received_at };
    });
    assert.deepEqual(recordsIn(run, streamId), expected);
  }
  assert.deepEqual(hashesIn(new Uint8Array(0)), []);
  assert.deepEqual(hashesIn(new Uint8Array(64).fill(1)), ["01".repeat(32), "01".repeat(32)]);
});
