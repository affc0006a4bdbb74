/**
 * The bundles that are read in bulk, and those that must be read whole, each reason by itself; and helpers in other
 * threads change no report. The report is the same in either way, so these tests ask for the way itself.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealBundle, resealRecord } from "@svc/testkit/evidence/resealed";
import { at, bundleOf, id, issueStream, ORIGIN, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  type Helper,
  issueForkEvidence,
  issueKeyEndorsement,
  type Kernel,
  type Kind,
  keyHint,
  pinKeys,
  type ReceiptRecord,
  referenceKernel,
  selectKernel,
  type TrustPolicy,
  verify,
  verifyWithHelpers,
} from "../src/index.ts";
import { type SharedBundle, takeParts } from "../src/objects/bundle/parts.ts";
import { Examination } from "../src/report/examination.ts";
import type { PinnedSigner } from "../src/trust/policy.ts";
import { readInBulk } from "../src/verify/read-in-bulk.ts";

const kernel = selectKernel();
const EVENTS = 150;
const bundle = await bundleOf(await issueStream(EVENTS, { perWindow: 50, perCheckpoint: 3 }));
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const good = encoded({});

/** Returns the bundle with other members, canonical. */
function encoded(changes: object): Uint8Array {
  return kernel.canonicalize({ ...bundle, ...changes });
}

function isReadInBulk(bytes: Uint8Array, policy: TrustPolicy = trust, kind: Kind | null = null): boolean {
  const exam = new Examination(kernel, policy);
  exam.kind = kind;
  return readInBulk(exam, bytes) !== null;
}

test("a bundle is read in bulk as a bundle or as what it is, and as no other kind", () => {
  assert.equal(isReadInBulk(good), true);
  assert.equal(isReadInBulk(good, trust, "bundle"), true);
  assert.equal(isReadInBulk(good, trust, "stream"), false);
});

test("what is wrong beside the receipts makes it read whole", async () => {
  const { manifest, artifacts } = bundle;
  const stranger = testSigner("stranger");
  const endorsement = await issueKeyEndorsement(kernel, SERVICE, stranger.publicKeyHex, at(0));
  const [record = assert.fail("a record")] = artifacts["receipts.json"];
  const named = { fork_id: id("frk", 1), stream_id: manifest.stream_id, kind: "head", detected_at: at(0) } as const;
  const evidence = issueForkEvidence(record, record, named);
  const artifact_hashes = { ...manifest.artifact_hashes, "forks.json": "0".repeat(64) };
  for (const [what, changes] of Object.entries({
    "a member that is unknown": { other: 1 },
    "a manifest without members": { manifest: {} },
    "an endorsement that does not hold": { key_endorsements: [{ ...endorsement, valid_from: at(1) }] },
    "a hint with another key's identifier": {
      key_hints: [{ kid: bundle.seal.kid, public_key_hex: stranger.publicKeyHex }],
    },
    "fork evidence": {
      manifest: { ...manifest, artifact_hashes },
      artifacts: { ...artifacts, "forks.json": [evidence] },
    },
  }))
    assert.equal(isReadInBulk(encoded(JSON.parse(JSON.stringify(changes)))), false, what);
  const withEndorsement = encoded({ key_endorsements: [endorsement] });
  assert.equal(isReadInBulk(withEndorsement), true, "an endorsement that holds");
});

const [own = assert.fail("a signer")] = trust.signers;
const end = { valid_to: at(9999) };
const elsewhere: readonly Partial<PinnedSigner>[] = [{ streams: [id("str", 9)] }, { origin: "other.example" }];

test("a key with an end is judged signature by signature, if the end is one for this stream", async () => {
  assert.equal(isReadInBulk(good, { signers: [{ ...own, ...end }] }), false);
  assert.equal(isReadInBulk(good, { signers: [own, { ...own, ...end }] }), false);
  assert.equal(isReadInBulk(good, { signers: [{ ...own, ...end, origin: ORIGIN }] }), false);
  // It is enough that one of several signers has such an end.
  const other = testSigner("other");
  const record = (one: ReceiptRecord) => (one.seq_no > 100 ? resealRecord(one, {}, other) : one);
  const lies = { record };
  const twoSigners = await bundleOf(await issueStream(EVENTS, { perWindow: 50, lies }));
  const bytes = kernel.canonicalize({
    ...twoSigners,
    key_hints: [...twoSigners.key_hints, keyHint(kernel, other.publicKeyHex)],
  });
  const [second = assert.fail("a signer")] = pinKeys(kernel, [other.publicKeyHex]).signers;
  assert.equal(isReadInBulk(bytes, { signers: [own, second] }), true);
  assert.equal(isReadInBulk(bytes, { signers: [own, { ...second, ...end }] }), false);
  for (const limits of elsewhere)
    assert.equal(isReadInBulk(good, { signers: [own, { ...own, ...end, ...limits }] }), true, JSON.stringify(limits));
  assert.equal(isReadInBulk(good, { signers: [] }), true, "whose signer nobody trusts");
});

test("an endorsed key is judged signature by signature, if it was not yet valid at the first of them", async () => {
  const elder = testSigner("elder");
  for (const [validFrom, inBulk] of [
    [at(0), true],
    [at(1), true],
    [at(1).replace("000Z", "001Z"), false],
    [at(EVENTS), false],
  ] as const) {
    const endorsement = await issueKeyEndorsement(kernel, elder, SERVICE.publicKeyHex, validFrom);
    const bytes = encoded({ key_endorsements: [endorsement] });
    assert.equal(isReadInBulk(bytes, pinKeys(kernel, [elder.publicKeyHex])), inBulk, validFrom);
  }
});

const here: Helper = async (work) => takeParts(kernel, work);

/** Returns a helper that shows its work. */
function watching(seen: SharedBundle[]): Helper {
  return async (work) => {
    seen.push(work);
    return here(work);
  };
}

function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}

const failing: Helper = async ({ next }) => {
  Atomics.add(next, 0, 1);
  throw new Error("no thread");
};

test("with helpers the report is the same, whichever of them fails, and shared bytes are not copied", async () => {
  const wrong = encoded({ artifacts: { ...bundle.artifacts, "receipts.json": [] } });
  const cut = good.slice(0, -1);
  for (const bytes of [good, wrong, cut, encoded({ other: 1 })]) {
    const expected = verify(bytes, { trust, kernel });
    for (const given of [bytes, inSharedMemory(bytes)])
      for (const helpers of [[], [here], [failing, here]])
        assert.deepEqual(await verifyWithHelpers(given, { trust, kernel }, helpers), expected);
  }
  const seen: SharedBundle[] = [];
  const shared = inSharedMemory(good);
  await verifyWithHelpers(shared, { trust, kernel }, [watching(seen)]);
  assert.equal(seen[0]?.bytes.buffer, shared.buffer, "no copy of what is shared already");
});

test("in bulk the report is that of the way record by record: redacted, untrusted, and good", () => {
  const whole = kernelWith({ openJson: () => ({ ok: false, code: "json_malformed", offset: 0 }) });
  const { payloads: _payloads, ...redacted } = bundle;
  const artifact_hashes = { ...bundle.manifest.artifact_hashes, "windows.json": "0".repeat(64) };
  const wrong = encoded({ manifest: { ...bundle.manifest, artifact_hashes } });
  assert.equal(isReadInBulk(wrong), true);
  const { problems } = verify(wrong, { trust, kernel });
  assert.ok(problems.some(({ code, path }) => code === "artifact_hash_mismatch" && path === "/artifacts/windows.json"));
  const bare = kernel.canonicalize(redacted);
  for (const bytes of [good, bare, wrong])
    for (const policy of [trust, { signers: [] }])
      assert.deepEqual(verify(bytes, { trust: policy, kernel }), verify(bytes, { trust: policy, kernel: whole }));
});

test("a receipt that does not hold is found in bulk, also in a bundle that is sealed over it", async () => {
  const sealedOver = async (changes: (one: ReceiptRecord) => object) => {
    const records = bundle.artifacts["receipts.json"].map((one, index) =>
      index === 77 ? { ...one, ...changes(one) } : one,
    );
    return encoded(
      await resealBundle({ ...bundle, artifacts: { ...bundle.artifacts, "receipts.json": records as never } }),
    );
  };
  assert.equal(isReadInBulk(await sealedOver(() => ({}))), true);
  for (const [expected, changes] of [
    ["signature_invalid", ({ receipt }) => ({ receipt: { ...receipt, signature: `${"0".repeat(127)}1` } })],
    ["signature_invalid", ({ receipt }) => ({ receipt: { ...receipt, signature: "f".repeat(128) } })],
    ["event_hash_mismatch", () => ({ event_type: "other" })],
    ["unknown_member", () => ({ other: 1 })],
  ] as readonly [string, (one: ReceiptRecord) => object][]) {
    const bytes = await sealedOver(changes);
    assert.equal(isReadInBulk(bytes), false, expected);
    const { verdict, problems } = verify(bytes, { trust, kernel });
    assert.equal(verdict, "rejected");
    assert.ok(problems.some(({ code, path }) => code === expected && path.startsWith("/artifacts/receipts.json/77/")));
  }
});

test("links count with helpers too", async () => {
  const links = [{ from_checkpoint: {} }] as const;
  const expected = verify(good, { trust, kernel, links });
  assert.deepEqual(await verifyWithHelpers(good, { trust, kernel, links }, [here]), expected);
});

test("no text is read from shared memory, and none is copied that lies in other memory", async () => {
  const parsed: Uint8Array[] = [];
  const spying = kernelWith({
    parseJson: (bytes) => {
      parsed.push(bytes);
      return kernel.parseJson(bytes);
    },
  });
  const cut = good.slice(0, -1);
  await verifyWithHelpers(inSharedMemory(cut), { trust, kernel: spying }, [here]);
  assert.deepEqual(
    parsed.map(({ buffer }) => buffer instanceof SharedArrayBuffer),
    [false],
  );
  await verifyWithHelpers(cut, { trust, kernel: spying }, [here]);
  assert.equal(parsed[1], cut);
});

test("a runtime without shared memory asks no helper, and gives the same report", async () => {
  const expected = verify(good, { trust, kernel });
  const { SharedArrayBuffer: known } = globalThis;
  const seen: SharedBundle[] = [];
  try {
    Object.assign(globalThis, { SharedArrayBuffer: undefined });
    assert.deepEqual(await verifyWithHelpers(good, { trust, kernel }, [watching(seen)]), expected);
  } finally {
    Object.assign(globalThis, { SharedArrayBuffer: known });
  }
  assert.deepEqual(seen, []);
});

/** Returns the kernel with some functions replaced. */
function kernelWith(functions: Partial<Kernel>): Kernel {
  return { ...kernel, sha256Hex: kernel.sha256Hex, ...functions };
}

test("where the receipts are not those of the manifest no part of them is looked at", async () => {
  let opened = 0;
  const counting = kernelWith({
    openJson: (bytes) => {
      opened++;
      return kernel.openJson(bytes);
    },
  });
  const { manifest } = bundle;
  const artifact_hashes = { ...manifest.artifact_hashes, "receipts.json": "0".repeat(64) };
  const bytes = encoded({ manifest: { ...manifest, artifact_hashes } });
  assert.equal(verify(bytes, { trust, kernel: counting }).verdict, "rejected");
  assert.equal(opened, 1, "the text around them alone");
  const late: Helper = async (work) => {
    await Promise.resolve();
    return takeParts(counting, work);
  };
  await verifyWithHelpers(bytes, { trust, kernel: counting }, [late]);
  assert.equal(opened, 2);
});

test("where this thread fails the helpers get no more work", async () => {
  const seen: SharedBundle[] = [];
  const broken = kernelWith({
    sha256: (bytes) => {
      if (bytes.length > 10_000) throw new TypeError("broken");
      return kernel.sha256(bytes);
    },
  });
  const watch: Helper = async (work) => {
    seen.push(work);
    return [];
  };
  await assert.rejects(verifyWithHelpers(good, { trust, kernel: broken }, [watch]), TypeError);
  const [work = assert.fail("work")] = seen;
  assert.equal(Atomics.load(work.next, 0), work.parts.length / 2);
});

test("what this runtime cannot hold is refused at the whole object, and what fails otherwise comes out", async () => {
  const failing = (error: Error) =>
    kernelWith({
      parseJson: () => {
        throw error;
      },
    });
  const small = referenceKernel.canonicalize({});
  for (const bytes of [small, inSharedMemory(small)]) {
    const options = { trust, kernel: failing(new RangeError("too long")) };
    for (const report of [verify(bytes, options), await verifyWithHelpers(bytes, options, [here])]) {
      assert.deepEqual(
        report.problems.map(({ code, path, message }) => [code, path, message]),
        [["unsupported_object", "", "The object is larger than this runtime can check: too long."]],
      );
    }
    const broken = { trust, kernel: failing(new TypeError("broken")) };
    assert.throws(() => verify(bytes, broken), TypeError);
    await assert.rejects(verifyWithHelpers(bytes, broken, [here]), TypeError);
  }
});

test("signatures that the runtime cannot check are refused, whatever the kind", () => {
  const overwhelmed = kernelWith({
    verifyEd25519: () => {
      throw new RangeError("out of memory");
    },
  });
  const [record = assert.fail("a record")] = bundle.artifacts["receipts.json"];
  const bytes = kernel.canonicalize(record);
  const { verdict, problems } = verify(bytes, { trust, kernel: overwhelmed });
  assert.deepEqual([verdict, problems[0]?.code], ["rejected", "unsupported_object"]);
});
