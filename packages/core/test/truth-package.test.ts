/**
 * Truth packages beyond their fixtures: every byte changed, trust, assurance, links, and the same bytes from the same
 * input.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildZip, type Part, utf8 } from "@svc/testkit/evidence/build-zip";
import { at, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { packageInput, packageOf, partsOf, resealed, smallInput } from "@svc/testkit/evidence/truth-packages";
import {
  ARTIFACT_PATHS,
  type Bundle,
  issueKeyEndorsement,
  keyHint,
  MANIFEST_PATH,
  openArchive,
  type PackageInput,
  type PackageManifest,
  pinKeys,
  type Report,
  referenceKernel,
  selectKernel,
  storedEntry,
  type TrustPolicy,
  verify,
  verifyAll,
  writeArchive,
} from "../src/index.ts";
import * as verifier from "../src/verify/verifier.ts";

const kernel = selectKernel();
const input = await packageInput();
const small = await smallInput();
const bytes = await packageOf(small);
const whole = await packageOf(input);
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const codesOf = ({ problems }: Report) => problems.map(({ code }) => code);
const check = (report: Report, id: string) => report.checks.find((one) => one.id === id);

for (const [what, changeAt] of [
  ["one bit of any byte", (at: number) => 1 << (at % 8)],
  ["all bits of any byte", () => 0xff],
] as const)
  test(`with ${what} changed a package is not verified, or holds the same`, () => {
    const content = JSON.stringify(partsOf(bytes));
    let verified = 0;
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.with(at, (bytes[at] ?? 0) ^ changeAt(at));
      if (verify(changed, { trust, kind: "truth-package", kernel }).verdict !== "verified") continue;
      verified++;
      assert.equal(JSON.stringify(partsOf(changed)), content, `byte ${at} ^ ${changeAt(at)}`);
    }
    console.log(
      `# ${verified} of ${bytes.length} changes stay verified: members of the directory that change no content`,
    );
    assert.ok(verified > 0 && verified < 50);
  });

test("the same input gives the same bytes, and they are the archive that the format describes", async () => {
  assert.deepEqual(await packageOf(structuredClone(small)), bytes);
  assert.deepEqual(buildZip(partsOf(bytes)), bytes);
  const opened = openArchive(bytes);
  assert.deepEqual(opened.ok && opened.entries.map(({ path }) => path), [
    "events.csv",
    "manifest.json",
    "proofs.json",
    "svc.truth-package.manifest.json",
  ]);
});

test("an archive is written piece by piece, and not with another content than was stated", async () => {
  async function* coming(): AsyncGenerator<Uint8Array> {
    yield utf8("a");
    yield utf8("bc");
  }
  const stated = { path: "x", sizeBytes: 3, crc32: storedEntry("x", utf8("abc")).crc32, content: coming() };
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive([stated])) pieces.push(piece);
  assert.ok(pieces.length > 4);
  assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), buildZip([{ name: "x", content: utf8("abc") }]));
  const written = async (...entries: Parameters<typeof storedEntry>[]) => {
    for await (const _ of writeArchive(entries.map((entry) => storedEntry(...entry))));
  };
  await assert.rejects(written(["b", utf8("")], ["a", utf8("")]), /^RangeError: a does not come after b$/);
  await assert.rejects(written(["a", utf8("")], ["a", utf8("")]), RangeError);
  for (const path of ["../a", "a\\b", "\u00e9", "a\nb", ""]) await assert.rejects(written([path, utf8("")]), TypeError);
  const wrong = { ...storedEntry("x", utf8("abc")), content: [utf8("abd")] };
  await assert.rejects(async () => {
    for await (const _ of writeArchive([wrong]));
  }, /^RangeError: the content of x is not the one that was stated$/);
});

test("a package shows what its bundles show together, and counts what each counts", () => {
  const report = verify(whole, { trust });
  assert.deepEqual(
    [report.verdict, report.kind, report.subject],
    ["verified", "truth-package", { id: input.export_id, origin: "test.example/evidence" }],
  );
  const alone = input.bundles.map((bundle) => verify(kernel.canonicalize(bundle), { trust }));
  for (const id of [
    "payload_hash",
    "event_hash",
    "receipt_signature",
    "window_seal",
    "checkpoint_root",
    "note",
    "policy",
  ]) {
    const sum = alone.reduce((count, one) => count + (check(one, id)?.count ?? 0), 0);
    assert.equal(check(report, id)?.count, sum, id);
  }
  assert.equal(check(report, "bundle_seal")?.count, 3);
  assert.equal(check(report, "archive")?.count, 4);
  assert.equal(check(report, "export")?.count, 13);
  const redacted = alone.map(({ assurance }) => assurance.redacted);
  assert.deepEqual(redacted, [0, 7]);
  assert.equal(report.assurance.redacted, 7);
  const { origin, from_received_at, to_received_at, ...subject } = verify(bytes, { trust }).subject;
  assert.deepEqual(subject, { id: small.export_id, ...small.ranges[0] });
  const received = small.bundles[0]?.artifacts["receipts.json"]
    .filter(({ seq_no }) => seq_no >= (subject.from_seq_no ?? 0) && seq_no <= (subject.to_seq_no ?? 0))
    .map(({ received_at }) => received_at);
  assert.deepEqual(
    [origin, from_received_at, to_received_at],
    ["test.example/evidence", received?.[0], received?.at(-1)],
  );
});

test("it shows what the bundle shows that shows least", async () => {
  const [first, second] = input.bundles as [Bundle, Bundle];
  const unwitnessed = structuredClone(second);
  unwitnessed.artifacts["witnesses.json"].statements.length = 0;
  const witnesses = [{ name: "test.example/evidence/witness", public_key_hex: WITNESS.publicKeyHex }];
  const policy = { ...trust, witnesses } as TrustPolicy;
  assert.deepEqual(verify(whole, { trust: policy }).assurance.witnessed, { required: 1, valid: 1, pinned: 1 });
  const { assurance } = verify(await packageOf({ ...input, bundles: [first, unwitnessed] }), { trust: policy });
  assert.deepEqual(assurance.witnessed, { required: 1, valid: 0, pinned: 0 });
  const cut = structuredClone(second);
  cut.artifacts["receipts.json"].pop();
  const broken = verify(await packageOf({ ...input, bundles: [first, cut] }), { trust: policy });
  assert.deepEqual([broken.assurance.included, broken.assurance.complete], [false, false]);
});

test("every bundle is held against the whole trust policy, and the seal of the package is of no stream", () => {
  const [one = assert.fail(), other = assert.fail()] = input.ranges.map(({ stream_id }) => stream_id);
  const [signer] = trust.signers;
  const underStreams = (...streams: string[]) => verify(whole, { trust: { signers: [{ ...signer, streams }] } });
  assert.equal(underStreams(one, other).verdict, "verified");
  const half = underStreams(one);
  assert.deepEqual([half.verdict, codesOf(half)], ["untrusted", ["signer_not_for_stream"]]);
  assert.match(half.problems[0]?.path ?? "", /^\/proofs\.json\/1\//);
  const required = verify(whole, { trust: { ...trust, require: ["anchored"] } });
  assert.deepEqual(codesOf(required), ["evidence_missing", "evidence_missing"]);
  assert.deepEqual(
    required.problems.map(({ path }) => path),
    ["/proofs.json/0", "/proofs.json/1"],
  );
  const known = { stream_id: `${one}`, window_count: 1, checkpoint_root: "0".repeat(64) };
  const forked = verify(whole, { trust: { ...trust, known_checkpoints: [known] } });
  assert.deepEqual(codesOf(forked), ["fork_detected"]);
  assert.equal(forked.problems[0]?.path, "trust:/known_checkpoints/0");
});

test("what a bundle brings of keys counts for no other, nor for the package", async () => {
  const stranger = testSigner("stranger");
  const bundles = small.bundles.map((bundle) => ({
    ...bundle,
    key_hints: [...bundle.key_hints, keyHint(kernel, stranger.publicKeyHex)],
  }));
  const bare = await packageOf({ ...small, bundles, key_hints: [] }, stranger);
  const report = verify(bare, { trust });
  assert.deepEqual([report.verdict, codesOf(report)], ["untrusted", ["key_not_pinned"]]);
  assert.equal(check(report, "bundle_seal")?.status, "cannot_evaluate");
  assert.equal(report.assurance.signed, false);
});

test("an expected range has to lie in what was asked for, of every stream", () => {
  const expecting = (expect: object) => codesOf(verify(whole, { trust: { ...trust, expect } }));
  assert.deepEqual(expecting({ from_seq_no: 2, to_seq_no: 4 }), []);
  assert.deepEqual(expecting({ from_seq_no: 1 }), ["range_incomplete"]);
  assert.deepEqual(expecting({ to_seq_no: 5 }), ["range_incomplete"]);
  assert.deepEqual(expecting({ to_seq_no: 4 }), []);
});

test("verifyAll gives the same reports, and a wrong signature in a package is found", async () => {
  const forged = structuredClone(small.bundles[0]) as Bundle;
  const [record] = forged.artifacts["receipts.json"];
  const { signature = "" } = record?.receipt ?? {};
  Object.assign(record?.receipt ?? {}, { signature: (signature.startsWith("0") ? "1" : "0") + signature.slice(1) });
  const items = [bytes, await packageOf({ ...small, bundles: [forged] }), whole].map((one) => ({ bytes: one }));
  assert.deepEqual(
    verifyAll(items, { trust }),
    items.map((item) => verify(item.bytes, { trust })),
  );
  assert.deepEqual(
    verifyAll(items, { trust }).map(({ verdict }) => verdict),
    ["verified", "rejected", "verified"],
  );
});

test("a verifier without what reads packages says so", () => {
  for (const kind of [undefined, "truth-package"] as const) {
    const report = verifier.verify(bytes, { trust, kernel, ...(kind === undefined ? {} : { kind }) });
    assert.deepEqual(
      [report.verdict, report.kind, codesOf(report)],
      ["rejected", "truth-package", ["unsupported_object"]],
    );
  }
});

test("of two ranges of a stream the events between them are not in the table, and may not be in the proofs", async () => {
  const [first, ...others] = input.ranges;
  if (first === undefined) assert.fail("no range");
  const ranges = [{ ...first, to_seq_no: 3 }, { ...first, from_seq_no: 6, to_seq_no: 6 }, ...others];
  const report = verify(await packageOf({ ...input, ranges }), { trust });
  const outside = [4, 5, 7, 8, 9, 10].map(
    (seqNo) => `Event ${seqNo} is in none of the ranges, and its payload is here.`,
  );
  assert.deepEqual(
    report.problems.map(({ message }) => message),
    outside,
  );
  assert.equal(check(report, "export")?.count, 7);
});

test("ranges and artifacts in another order are of another form", async () => {
  const wrong = async (changes: Partial<PackageInput>) =>
    verify(await packageOf({ ...small, ...changes }), { trust }).problems.map(({ code, path }) => `${code} ${path}`);
  const [range] = small.ranges;
  if (range === undefined) assert.fail("no range");
  const place = "/svc.truth-package.manifest.json/ranges";
  assert.deepEqual(await wrong({ ranges: [] }), [`malformed ${place}`]);
  assert.deepEqual(await wrong({ ranges: [range, range] }), [`malformed ${place}/1`]);
  assert.deepEqual(await wrong({ ranges: input.ranges.toReversed() }), [`malformed ${place}/1`]);
  assert.deepEqual(await wrong({ ranges: [{ ...range, from_seq_no: 0 }] }), [`malformed ${place}/0/from_seq_no`]);
});

test("the table is compared to its last byte", async () => {
  const changes: ((csv: string) => string)[] = [
    (csv) => csv.slice(0, -1),
    (csv) => csv.slice(0, -2),
    (csv) => `${csv}\r\n`,
    (csv) => csv.replaceAll("\r\n", "\n"),
    (csv) => `\ufeff${csv}`,
    (csv) => csv.replace('"stream_id"', "stream_id"),
    () => "",
  ];
  for (const change of changes) {
    const changed = await resealed(small, "events.csv", (csv) => utf8(change(new TextDecoder().decode(csv))));
    assert.deepEqual(codesOf(verify(changed, { trust })), ["export_mismatch"], `${change}`);
  }
});

test("proofs that do not begin and end as a list are no JSON, or no list", async () => {
  for (const [change, expected] of [
    [(proofs: Uint8Array) => proofs.with(0, 0x78), "json_malformed"],
    [(proofs: Uint8Array) => proofs.with(-1, 0x78), "json_malformed"],
    [(proofs: Uint8Array) => proofs.with(-1, 0x7d), "json_malformed"],
    [(proofs: Uint8Array) => proofs.subarray(1, -1), "malformed"],
  ] as const) {
    const report = verify(await resealed(small, "proofs.json", change), { trust });
    assert.deepEqual(
      [report.verdict, codesOf(report), report.problems[0]?.path],
      ["rejected", [expected], "/proofs.json"],
    );
  }
});

test("a package of one range says when its first and its last event were received", async () => {
  const [bundle] = input.bundles as readonly [Bundle];
  const records = bundle.artifacts["receipts.json"];
  const { stream_id, from_seq_no } = bundle.manifest;
  const range = { stream_id, from_seq_no: from_seq_no + 1, to_seq_no: from_seq_no + 3 };
  const { payloads = {}, ...rest } = bundle;
  const inside = records.slice(1, 4);
  const shown = Object.fromEntries(inside.map(({ stream_event_id: id }) => [id, payloads[id]]));
  const one = { ...input, ranges: [range], bundles: [{ ...rest, payloads: shown } as Bundle] };
  const { verdict, subject } = verify(await packageOf(one), { trust });
  assert.deepEqual(
    [verdict, subject.from_received_at, subject.to_received_at],
    ["verified", inside[0]?.received_at, inside[2]?.received_at],
  );
  assert.notEqual(inside[0]?.received_at, inside[2]?.received_at);
});

test("times of a package say nothing by themselves: a pin that ends is not proven by them", async () => {
  const signers = trust.signers.map((signer) => ({ ...signer, valid_to: at(1500) }));
  const report = verify(bytes, { trust: { signers } });
  assert.ok(codesOf(report).includes("key_not_valid_at_time"));
  assert.equal(report.verdict, "rejected");
});

test("both kernels hash what comes in pieces as they hash it whole", () => {
  const content = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * index) >> 7);
  for (const one of [kernel, referenceKernel])
    for (const sizes of [[1, 63, 64, 65, 0, 127, 1], [3_000_000], [1_048_577, 64, 1_000_000], [55], [56], [63], [64]]) {
      const hasher = one.hasher();
      let start = 0;
      for (const size of sizes) {
        hasher.update(content.subarray(start, start + size));
        start += size;
      }
      assert.deepEqual(hasher.digest(), referenceKernel.sha256(content.subarray(0, start)), `${one.name} ${sizes}`);
    }
});

test("a wrong artifact is reported with its fault: its content, its size or its place in the manifest", async () => {
  const parts = partsOf(bytes);
  const without = (change: (manifest: PackageManifest) => unknown) => {
    const manifest = JSON.parse(new TextDecoder().decode(parts[3]?.content)) as PackageManifest;
    change(manifest);
    return verify(buildZip(parts.with(3, { name: MANIFEST_PATH, content: utf8(JSON.stringify(manifest)) })), {
      trust,
    }).problems.map(({ code, path, expected, actual }) => [code, path, expected, actual]);
  };
  const broken = ["signature_invalid", `/${MANIFEST_PATH}/seal/signature`, undefined, undefined];
  const sizes = parts.map(({ content }) => `${content.length}`);
  for (const [index, path] of ARTIFACT_PATHS.entries()) {
    const edited = without(({ artifacts }) => Object.assign(artifacts[index] ?? {}, { size_bytes: 1 }));
    assert.deepEqual(edited, [["artifact_hash_mismatch", `/${path}`, "1", sizes[index]], broken]);
  }
  const swapped = without(({ artifacts }) => artifacts.reverse());
  assert.deepEqual(
    swapped.map(([code, path]) => `${code} ${path}`),
    [0, 2].map((index) => `malformed /${MANIFEST_PATH}/artifacts/${index}/path`),
  );
  const [short] = without(({ artifacts }) => artifacts.pop());
  assert.deepEqual(short?.slice(0, 2), ["malformed", `/${MANIFEST_PATH}/artifacts`]);
});

test("a damaged content is reported at its entry, whichever it is, and what needs it is not compared", () => {
  const parts = partsOf(bytes);
  for (const [index, { name }] of parts.entries()) {
    const damaged = parts.with(index, { ...parts[index], header: { crc32: 1 } } as Part);
    const report = verify(buildZip(damaged), { trust });
    assert.deepEqual(
      report.problems.map(({ code, path }) => [code, path]),
      [["archive_malformed", `/${name}`]],
    );
    assert.equal(
      check(report, "export")?.status,
      name === "proofs.json" || name === MANIFEST_PATH ? "not_checked" : "pass",
    );
  }
});

test("two bundles of one stream are one too many", async () => {
  const [bundle] = input.bundles;
  const bundles = [bundle, bundle] as Bundle[];
  const report = verify(await packageOf({ ...input, bundles }), { trust });
  assert.ok(
    report.problems.some(({ code, path }) => code === "malformed" && path === "/proofs.json/1/manifest/stream_id"),
  );
});

test(
  "a package that endorses its own key by a pinned one is verified, and endorsements of others count for nobody " +
    "else",
  async () => {
    const successor = testSigner("successor");
    const endorsement = await issueKeyEndorsement(kernel, SERVICE, successor.publicKeyHex, at(0));
    const endorsed = await packageOf({ ...small, key_endorsements: [endorsement] }, successor);
    const report = verify(endorsed, { trust });
    assert.deepEqual([report.verdict, check(report, "key_endorsements")?.count], ["verified", 1]);
    const inBundle = small.bundles.map((bundle) => ({ ...bundle, key_endorsements: [endorsement] }));
    const apart = verify(await packageOf({ ...small, bundles: inBundle, key_hints: [] }, successor), { trust });
    assert.deepEqual([apart.verdict, codesOf(apart)], ["untrusted", ["key_not_pinned"]]);
  },
);
