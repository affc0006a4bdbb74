/**
 * `answer`, operation by operation: its answers to good and bad cases, and to requests of the wrong form.
 * conformance.vectors.test.ts has the golden vectors, conformance.slow.test.ts the process.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type Json,
  type JsonObject,
  type Kernel,
  pinKeys,
  referenceKernel,
  selectKernel,
  verificationKey,
  verify,
} from "@svc/core";
import { buildZip, deflateStored, utf8 } from "@svc/testkit/evidence/build-zip";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import fc from "fast-check";
import { answer, answerBytes, OPERATION_NAMES } from "../src/conformance/answer.ts";

const HASH = "00".repeat(32);
const base64 = (text: string) => Buffer.from(text).toString("base64");

for (const name of KERNEL_NAMES) {
  const kernel = selectKernel(name);
  /** Returns the answer to one operation without its id, which every answer must carry. */
  const ask = (op: string, members: JsonObject): unknown => {
    const { id, ...rest } = answer({ id: "i", op, ...members }, kernel);
    assert.equal(id, "i");
    return rest;
  };
  const isMalformed = (op: string, members: JsonObject, message: string | RegExp) => {
    const { ok, code, message: said } = answer({ id: 1, op, ...members }, kernel);
    assert.deepEqual([ok, code], [false, "malformed_request"], JSON.stringify(members));
    if (typeof message === "string") assert.equal(said, message);
    else assert.match(said as string, message);
  };

  test(`${name}: json.canonical`, () => {
    assert.deepEqual(ask("json.canonical", { bytes: base64(' {"b":1.0,"a":-0} ') }), {
      ok: true,
      canonical: base64('{"a":0,"b":1}'),
    });
    assert.deepEqual(ask("json.canonical", { bytes: base64('{"a":1,"a":1}') }), {
      ok: false,
      code: "duplicate_name",
      offset: 7,
    });
    assert.deepEqual(ask("json.canonical", { bytes: "" }), { ok: false, code: "json_malformed", offset: 0 });
  });

  test(`${name}: digest`, () => {
    const bytes = base64('{"b":1, "a":2}');
    const expected = kernel.taggedHash("event", new TextEncoder().encode('{"a":2,"b":1}'));
    assert.deepEqual(ask("digest", { tag: "event", bytes }), {
      ok: true,
      digest: Buffer.from(expected).toString("hex"),
    });
    assert.deepEqual(ask("digest", { tag: "event", bytes: base64("[1e400]") }), { ok: false, code: "lossy_number" });
    for (const tag of ["", "a b", "a\n", "é"]) isMalformed("digest", { tag, bytes }, /^"tag" must be printable ASCII/);
  });

  test(`${name}: ed25519`, async () => {
    const message = new TextEncoder().encode("loan 1005: approved");
    const signature = Buffer.from(await SERVICE.sign(message)).toString("hex");
    const good = { public_key: SERVICE.publicKeyHex, message: Buffer.from(message).toString("hex"), signature };
    const bad = { ...good, message: "" };
    assert.deepEqual(ask("ed25519.verify", good), { ok: true });
    for (const other of [
      bad,
      { ...good, signature: "" },
      { ...good, signature: `${signature}00` },
      { ...good, public_key: "00" },
    ])
      assert.deepEqual(ask("ed25519.verify", other), { ok: false });
    assert.deepEqual(ask("ed25519.batch", { items: [] }), { ok: true, bad: [] });
    assert.deepEqual(ask("ed25519.batch", { items: [good, good] }), { ok: true, bad: [] });
    assert.deepEqual(ask("ed25519.batch", { items: [bad, good, bad, good] }), { ok: false, bad: [0, 2] });
    const upper = { ...good, signature: signature.toUpperCase() };
    isMalformed("ed25519.verify", upper, '"signature" must be lowercase hex, two digits a byte.');
    isMalformed("ed25519.batch", { items: [good, upper] }, '"signature" must be lowercase hex, two digits a byte.');
    isMalformed("ed25519.batch", { items: [good, 1] }, "items[1] must be a JSON object.");
    isMalformed(
      "ed25519.batch",
      { items: [{ ...good, note: "" }] },
      'items[0] has a member "note", which it does not take.',
    );
    isMalformed("ed25519.batch", { items: good }, '"items" must be an array.');
  });

  test(`${name}: merkle.root, and that a tree without leaves has none`, () => {
    const [first, second, third] = ["", "01", "0203"].map((hex) => kernel.leafHash(Buffer.from(hex, "hex")));
    assert.ok(first && second && third);
    const frontier = kernel.appendToFrontier(0, [], [first, second, third]);
    const hexes = frontier.map((hash) => Buffer.from(hash).toString("hex"));
    const root = Buffer.from(kernel.rootFromFrontier(frontier)).toString("hex");
    assert.deepEqual(ask("merkle.root", { leaves: ["", "01", "0203"] }), { ok: true, root, frontier: hexes });
    assert.deepEqual(ask("merkle.root", { leaves: [] }), { ok: false, code: "malformed" });
    isMalformed("merkle.root", { leaves: ["0"] }, '"leaves[0]" must be lowercase hex, two digits a byte.');
  });

  test(`${name}: sizes are integers up to 2^53-1, as numbers or in digits; larger ones are refused, never rounded`, () => {
    const leaf = { leaf_hash: HASH, path: [], root: HASH };
    const inclusion = (leaf_index: Json, tree_size: Json) =>
      ask("merkle.inclusion", { ...leaf, leaf_index, tree_size });
    assert.deepEqual(inclusion(0, 1), { ok: true });
    assert.deepEqual(inclusion("0", "1"), { ok: true });
    assert.deepEqual(inclusion(0, 2), { ok: false, code: "inclusion_invalid" });
    assert.deepEqual(inclusion("9007199254740990", "9007199254740991"), { ok: false, code: "inclusion_invalid" });
    for (const beyond of ["9007199254740992", "18446744073709551615", "9".repeat(1000)])
      assert.deepEqual(inclusion("0", beyond), { ok: false, code: "malformed" });
    // 2^53 + 1 rounds to 2^53: if it were rounded, this proof of one leaf in a tree of equal sizes would hold.
    const sizes = (size1: Json, size2: Json) =>
      ask("merkle.consistency", { size1, root1: HASH, size2, root2: HASH, path: [] });
    assert.deepEqual(sizes("9007199254740991", 9007199254740991), { ok: true });
    assert.deepEqual(sizes("9007199254740993", "9007199254740992"), { ok: false, code: "malformed" });
    assert.deepEqual(sizes(0, 0), { ok: false, code: "consistency_invalid" });
    for (const wrong of [
      -1,
      0.5,
      2 ** 53,
      1e300,
      "",
      "-1",
      "+1",
      "01",
      "1.0",
      "1e3",
      " 1",
      "0x1",
      "١",
      null,
      true,
      [1],
    ])
      isMalformed(
        "merkle.inclusion",
        { ...leaf, leaf_index: wrong, tree_size: 1 },
        /^"leaf_index" must be an integer of 0 to 2\^53-1/,
      );
  });

  test(`${name}: note.open and cosignature.verify`, async () => {
    const [checkpoint] = (await issueStream(4)).checkpoints;
    assert.ok(checkpoint);
    const { note, origin } = checkpoint;
    const vkey = verificationKey(kernel, origin, SERVICE.publicKeyHex);
    const text = note.slice(0, note.indexOf("\n\n") + 1);
    assert.deepEqual(ask("note.open", { note, vkeys: [vkey] }), { ok: true, text, verified: [origin], ignored: 0 });
    assert.deepEqual(ask("note.open", { note, vkeys: [] }), { ok: false, code: "key_not_pinned" });
    const twice = `${note}${note.slice(text.length + 1)}`;
    assert.deepEqual(ask("note.open", { note: twice, vkeys: [vkey, vkey] }), {
      ok: true,
      text,
      verified: [origin],
      ignored: 0,
    });
    assert.deepEqual(ask("note.open", { note: text, vkeys: [vkey] }), { ok: false, code: "note_malformed" });
    const changed = note.replace("\n1\n", "\n2\n");
    assert.deepEqual(ask("note.open", { note: changed, vkeys: [vkey] }), { ok: false, code: "signature_invalid" });
    assert.deepEqual(ask("note.open", { note, vkeys: [vkey, "x"] }), { ok: false, code: "malformed" });
    const otherName = vkey.replace("test.example", "best.example");
    assert.deepEqual(ask("note.open", { note, vkeys: [otherName] }), { ok: false, code: "kid_mismatch" });
    assert.deepEqual(ask("cosignature.verify", { note, vkey: otherName }), { ok: false, code: "kid_mismatch" });
    assert.deepEqual(ask("cosignature.verify", { note, vkey }), { ok: false, code: "unsupported_object" });
    isMalformed("note.open", { note, vkeys: [1] }, '"vkeys[0]" must be a text.');
    isMalformed("note.open", { note: null, vkeys: [] }, '"note" must be a text.');
  });

  test(`${name}: archive.check`, () => {
    const [one, two] = [utf8("one"), utf8("two two")];
    const parts = [
      { name: "b.txt", content: one },
      { name: "a.txt", content: two, packed: deflateStored(two), method: 8 },
    ];
    const check = (bytes: Uint8Array) => ask("archive.check", { bytes: Buffer.from(bytes).toString("base64") });
    const entries = parts.map(({ name: path, content }) => ({
      path,
      size: content.length,
      sha256: Buffer.from(referenceKernel.sha256(content)).toString("hex"),
    }));
    assert.deepEqual(check(buildZip(parts)), { ok: true, entries });
    assert.deepEqual(check(buildZip([])), { ok: true, entries: [] });
    for (const [code, bytes] of [
      ["archive_malformed", utf8("no archive")],
      ["archive_malformed", buildZip(parts, { behind: one })],
      ["archive_malformed", buildZip([{ name: "x", content: one, header: { crc32: 1 } }])],
      ["archive_path_forbidden", buildZip([{ name: "../x", content: one }])],
      ["archive_too_large", buildZip([{ name: "x", content: one, method: 8, header: { sizeBytes: 1000 } }])],
    ] as const)
      assert.deepEqual(check(bytes), { ok: false, code });
    isMalformed("archive.check", { bytes: "?" }, /^"bytes" must be canonical base64/);
  });

  test(`${name}: verify`, async () => {
    const bundle = await bundleOf(await issueStream(6));
    const text = JSON.stringify(bundle);
    const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
    const bytes = base64(text);
    const reportOf = (options: object) => verify(new TextEncoder().encode(text), { ...options, kernel });
    assert.deepEqual(ask("verify", { bytes, trust }), { ok: true, report: reportOf({ trust }) });
    assert.deepEqual(ask("verify", { bytes }), { ok: false, report: reportOf({}) });
    const asReceipt = reportOf({ kind: "receipt", trust, links: [1] });
    assert.deepEqual(ask("verify", { bytes, kind: "receipt", trust, links: [1] }), { ok: false, report: asReceipt });
    for (const kind of ["ivc", "Bundle", "", "__proto__"])
      assert.deepEqual(ask("verify", { bytes, kind }), { ok: false, code: "unsupported_object" });
    for (const notTrust of [[], "", 1, false]) {
      const { report } = ask("verify", { bytes, trust: notTrust }) as { report: { problems: { path: string }[] } };
      assert.equal(report.problems[0]?.path, "trust:");
    }
    isMalformed("verify", { bytes, trust: null }, /^"trust" must be a trust policy/);
    isMalformed("verify", { bytes, links: {} }, '"links" must be an array.');
    isMalformed("verify", { bytes, trsut: trust }, 'The request has a member "trsut", which it does not take.');
  });

  test(`${name}: tlog-policy.parse`, () => {
    const log = `log ${verificationKey(kernel, "log.example", SERVICE.publicKeyHex)}\n`;
    assert.deepEqual(ask("tlog-policy.parse", { text: "quorum none\n" }), { ok: true });
    assert.deepEqual(ask("tlog-policy.parse", { text: `${log}# a log\nquorum none\n` }), { ok: true });
    for (const [text, line] of [
      ["", 1],
      ["quorum none", 1],
      [log, 2],
      [`${log}${log}quorum none\n`, 2],
      [`${log}quorum none\nquorum none\n`, 3],
      [log.replace(/\+[0-9a-f]{8}\+/, "+00000000+"), 1],
    ])
      assert.deepEqual(ask("tlog-policy.parse", { text: text as string }), { ok: false, line, code: "malformed" });
    const ecdsa = "log l+e4ab0d4c+AgAA\nquorum none\n";
    assert.deepEqual(ask("tlog-policy.parse", { text: ecdsa }), { ok: false, line: 1, code: "unsupported_object" });
    isMalformed("tlog-policy.parse", { text: 1 }, '"text" must be a text.');
    isMalformed("tlog-policy.parse", { bytes: "" }, 'The request lacks the member "text".');
  });

  test(`${name}: base64 has one spelling`, () => {
    for (const bytes of ["e30", "e30=\n", "e3 0=", "e31=", "e30==", "====", "_w==", "/w", "€30="])
      isMalformed("json.canonical", { bytes }, /^"bytes" must be canonical base64 with padding/);
  });

  test(`${name}: operations that there are not`, () => {
    for (const op of ["archive.unpack", "", "Digest", "constructor", "__proto__", "json.canonical "])
      assert.deepEqual(ask(op, { any: [1] }), { ok: false, code: "unsupported_op" });
  });

  test(`${name}: rejects a request that is no object`, () => {
    for (const request of [null, 1, "x", [], [{ id: 1, op: "digest" }]])
      assert.deepEqual(answer(request, kernel), {
        id: null,
        ok: false,
        code: "malformed_request",
        message: "The request must be a JSON object.",
      });
    assert.equal(answer({ id: 7 }, kernel).message, 'The request lacks the member "op".');
    assert.equal(answer({ op: "digest", tag: "x", bytes: "" }, kernel).message, 'The request lacks the member "id".');
    assert.equal(answer({ id: 7, op: 1 }, kernel).message, '"op" must be a text.');
    assert.equal(answer({ id: 7, op: "digest" }, kernel).message, 'The request lacks the member "tag".');
  });

  test(`${name}: lines that are not JSON as the protocol reads it have the parser's code and offset`, () => {
    const lines: readonly (readonly [line: string | Uint8Array, code: string, offset: number])[] = [
      ["", "json_malformed", 0],
      ["{} {}", "json_malformed", 3],
      ["\ufeff{}", "json_malformed", 0],
      ['{"id":1,"op":"digest","op":"verify"}', "duplicate_name", 22],
      ['{"id":9007199254740993}', "lossy_number", 6],
      [`{"id":${"[".repeat(64)}`, "too_deep", 69],
      ['{"id":"\\ud800"}', "invalid_unicode", 7],
      [Uint8Array.of(0x7b, 0xff), "invalid_unicode", 1],
    ];
    for (const [line, code, offset] of lines) {
      const bytes = typeof line === "string" ? new TextEncoder().encode(line) : line;
      const { message, ...rest } = answerBytes(bytes, kernel);
      assert.deepEqual(rest, { id: null, ok: false, code, offset });
      assert.match(message as string, /^The line is not JSON/);
    }
  });

  test(`${name}: whatever is asked, there is an answer, with the id as it was given`, () => {
    const ops = ["json.canonical", "digest", "ed25519.verify", "ed25519.batch", "merkle.root", "merkle.inclusion"];
    const more = ["merkle.consistency", "note.open", "cosignature.verify", "verify", "archive.check"];
    const names = ["bytes", "tag", "public_key", "message", "signature", "items", "leaves", "leaf_hash", "leaf_index"];
    const others = ["tree_size", "path", "root", "size1", "root1", "size2", "root2", "note", "vkeys", "vkey", "links"];
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom<Json>(HASH, "", 0, 1, [], [HASH], {}, "e30=", "1"));
    const members = fc.dictionary(fc.constantFrom(...names, ...others), value as fc.Arbitrary<Json>);
    const request = fc.tuple(fc.jsonValue(), fc.constantFrom(...ops, ...more), members);
    fc.assert(
      fc.property(request, ([id, op, rest]) => {
        const asked = JSON.parse(JSON.stringify({ ...rest, id, op }));
        const { id: echoed, ok, code } = answer(asked, kernel);
        assert.deepEqual(echoed, asked.id);
        assert.equal(typeof ok, "boolean");
        assert.notEqual(code, "internal_error");
      }),
      { numRuns: 2000 },
    );
  });
}

test("a kernel that fails is an answer, too", () => {
  const fail = () => {
    throw new Error("out of table\ud800");
  };
  const broken: Kernel = { ...referenceKernel, leafHash: fail };
  assert.deepEqual(answer({ id: [1], op: "merkle.root", leaves: ["00"] }, broken), {
    id: [1],
    ok: false,
    code: "internal_error",
    message: "svc failed on this request: out of table\ufffd",
  });
  assert.equal(answerBytes(new Uint8Array(), { ...referenceKernel, parseJson: fail }).code, "internal_error");
});

test("the page of the protocol has every operation, and no other", () => {
  const page = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
  const [, requests = ""] = page.split(/^## /m);
  const named = [...requests.matchAll(/^\| `([^`]+)` /gm)].map(([, name]) => name);
  assert.deepEqual(named, OPERATION_NAMES);
});
