/**
 * `.tlog-proof`: the example of tlog-proof.md, its syntax byte for byte, verification under a policy, and the proof of
 * an event.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine, logVkey, witnessVkey } from "@svc/testkit/evidence/vkeys";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import fc from "fast-check";
import {
  checkpointText,
  ED25519_LINE,
  encodeHex,
  encodeNote,
  encodeTlogProof,
  hexToBytes,
  issueEventProof,
  type NodeHash,
  type NoteLine,
  noteKeyId,
  openEventProof,
  parseNote,
  parseTlogPolicy,
  parseTlogProof,
  pinKeys,
  referenceKernel,
  selectKernel,
  type TlogPolicy,
  type TlogProof,
  verify,
  verifyTlogProof,
} from "../src/index.ts";
import { portableReceiptOf } from "../src/objects/portable-receipt/cut.ts";
import { CHECKPOINT, PROOF } from "./c2sp-examples.ts";

const kernel = referenceKernel;
const log = testSigner("log");
const LOG = "example.com/fancylog";

async function signedLine(name: string, signer: typeof log, text: string): Promise<NoteLine> {
  const signature = await signer.sign(new TextEncoder().encode(text));
  return { name, keyId: noteKeyId(kernel, name, ED25519_LINE, signer.publicKeyHex), signature };
}

function parsed(text: string): TlogProof {
  const read = parseTlogProof(text);
  assert.ok(read.ok, JSON.stringify(read));
  return read.proof;
}

function policy(text: string): TlogPolicy {
  const read = parseTlogPolicy(kernel, text);
  assert.ok(read.ok, JSON.stringify(read));
  return read.policy;
}

const [, , , ...rest] = PROOF.split("\n\n")[1]?.split("\n") ?? [];
assert.deepEqual(rest, []);
const text = `${PROOF.split("\n\n")[1]}\n`;
const signed = encodeNote(text, [await signedLine(LOG, log, text)]);
/** The example with a signature in the place of those that the page abridges. */
const WHOLE = `${PROOF.split("\n\n")[0]}\n\n${signed}`;

test("the example of tlog-proof.md is read, and written again byte for byte", () => {
  const { extra, index, path, checkpoint, tree } = parsed(WHOLE);
  assert.deepEqual([index, path.length, checkpoint], [73894, 5, signed]);
  assert.match(new TextDecoder().decode(extra ?? undefined), /^age-v1\.2\.1-darwin-arm64\.tar\.gz/);
  assert.deepEqual([tree.origin, tree.treeSize], [LOG, 109482]);
  assert.equal(encodeHex(path[0] ?? new Uint8Array()).slice(0, 8), "8122b25e");
  assert.equal(encodeTlogProof({ extra, index, path, checkpoint }), WHOLE);
  const bare = WHOLE.replace(/extra .+\n/, "");
  assert.equal(parsed(bare).extra, null);
  assert.equal(encodeTlogProof(parsed(bare)), bare);
});

test("a proof has one form, and a fault has its line", () => {
  const { text: other, logLine } = CHECKPOINT;
  const UNSIGNED_KINDS = WHOLE.replace(/extra .+\n/, "");
  for (const [bad, line] of [
    ["", 1],
    ["c2sp.org/tlog-proof@v1", 1],
    ["c2sp.org/tlog-proof@v1\nindex 0\n", 1],
    [UNSIGNED_KINDS.replace("@v1", "@v2"), 1],
    [UNSIGNED_KINDS.replaceAll("\n", "\r\n"), 1],
    [`\ufeff${UNSIGNED_KINDS}`, 1],
    [`\n${UNSIGNED_KINDS}`, 1],
    [UNSIGNED_KINDS.replace("index 73894\n", ""), 2],
    [UNSIGNED_KINDS.replace("index 73894", "Index 73894"), 2],
    [UNSIGNED_KINDS.replace("index 73894", "index 073894"), 2],
    [UNSIGNED_KINDS.replace("index 73894", "index  73894"), 2],
    [UNSIGNED_KINDS.replace("index 73894", "index 73894 "), 2],
    [UNSIGNED_KINDS.replace("index 73894", "index -1"), 2],
    [UNSIGNED_KINDS.replace("index 73894", "index 9007199254740992"), 2],
    [UNSIGNED_KINDS.replace("index", "\nindex"), 2],
    [UNSIGNED_KINDS.replace("index", "extra \nindex"), 2],
    [UNSIGNED_KINDS.replace("index", "extra AAE\nindex"), 2],
    [UNSIGNED_KINDS.replace("index", "extra AAEC\nextra AAEC\nindex"), 3],
    [UNSIGNED_KINDS.replace(/(index \d+)/, "$1\nextra AAEC"), 3],
    [UNSIGNED_KINDS.replace("gSKyX", "gSKy"), 3],
    [UNSIGNED_KINDS.replace("gSKyX", " gSKyX"), 3],
    [UNSIGNED_KINDS.replace("lQ=\n", "lR=\n"), 3],
    [UNSIGNED_KINDS.replace("5vk=\n", `5vk=\n${"AHCioX9nLjsrse6YhjRRmk1WUEirVOLLRoOQ6vfO5vk=\n".repeat(49)}`), 56],
    [UNSIGNED_KINDS.replace("5vk=\n\n", "5vk=\n"), 8],
    [UNSIGNED_KINDS.replace("5vk=\n\n", "5vk=\n\n\n"), 9],
    [UNSIGNED_KINDS.replace("109482", "0109482"), 9],
    [UNSIGNED_KINDS.slice(0, -1), 9],
    [`${UNSIGNED_KINDS}\n`, 9],
    [PROOF, 10],
    [`${UNSIGNED_KINDS.split("\n\n")[0]}\n\n${other}`, 9],
  ] as const) {
    const read = parseTlogProof(bad);
    assert.ok(!read.ok, JSON.stringify(bad));
    assert.equal(read.line, line, `${JSON.stringify(bad.slice(0, 200))}: ${read.message}`);
  }
  assert.equal(parsed(`c2sp.org/tlog-proof@v1\nindex 0\n\n${other}\n${logLine}`).path.length, 0);
  const parts = { extra: null, index: 0, path: [], checkpoint: signed };
  for (const bad of [
    { index: -1 },
    { index: 0.5 },
    { index: 2 ** 53 },
    { extra: new Uint8Array() },
    { path: [new Uint8Array(31)] },
    { path: Array(54).fill(new Uint8Array(32)) },
    { checkpoint: "" },
    { checkpoint: text },
  ])
    assert.throws(() => encodeTlogProof({ ...parts, ...bad }), RangeError);
});

test("a proof may have 53 hashes", () => {
  const path = Array(53).fill(new Uint8Array(32));
  assert.equal(parsed(encodeTlogProof({ extra: null, index: 0, path, checkpoint: signed })).path.length, 53);
});

test("what is written is read, and what is read is written the same", () => {
  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const parts = fc.record({
    extra: fc.option(fc.uint8Array({ minLength: 1, maxLength: 100 })),
    index: fc.maxSafeNat(),
    path: fc.array(hash, { maxLength: 53 }),
    checkpoint: fc.constant(signed),
  });
  fc.assert(
    fc.property(parts, (one) => {
      const { tree: _tree, ...again } = parsed(encodeTlogProof(one));
      assert.deepEqual(again, { ...one });
    }),
  );
  const edits = fc.array(fc.tuple(fc.nat(WHOLE.length), fc.nat(3), fc.string({ unit: "binary", maxLength: 2 })), {
    maxLength: 3,
  });
  fc.assert(
    fc.property(edits, (all) => {
      const edited = all.reduce((one, [at, cut, put]) => one.slice(0, at) + put + one.slice(at + cut), WHOLE);
      const read = parseTlogProof(edited);
      if (read.ok) assert.equal(encodeTlogProof(read.proof), edited);
      else assert.ok(read.line >= 1 && read.line <= edited.split("\n").length);
    }),
    { numRuns: 3000 },
  );
});

test("a proof holds for its leaf under a policy that knows the log and enough who cosigned", async () => {
  const leaves = Array.from({ length: 7 }, (_, i) => kernel.leafHash(Uint8Array.of(i)));
  const root = kernel.rootFromLeafHashes(leaves);
  const tree = checkpointText(LOG, 7, root);
  const [a, b] = [testSigner("a"), testSigner("b")];
  const lines = [await signedLine(LOG, log, tree), await cosignLine("a.example", a, tree, 1_767_607_226)];
  const proofOf = (index: number, note = lines, path = kernel.proveInclusion(leaves, index)) =>
    parsed(encodeTlogProof({ extra: null, index, path, checkpoint: encodeNote(tree, note) }));
  const known =
    `log ${logVkey(LOG, log)}\nwitness a ${witnessVkey("a.example", a)}\nwitness b ` +
    `${witnessVkey("b.example", b)}\n`;
  for (const name of KERNEL_NAMES) {
    const under = (quorum: string, proof: TlogProof, leaf: NodeHash | undefined, logs = known) =>
      verifyTlogProof(selectKernel(name), proof, leaf ?? assert.fail(), policy(`${logs}${quorum}\n`));
    for (const [index, leaf] of leaves.entries()) {
      assert.deepEqual(under("quorum a", proofOf(index), leaf), { ok: true, origin: LOG, cosigned: ["a"] });
      assert.deepEqual(under("quorum none", proofOf(index), leaves[(index + 1) % 7]), {
        ok: false,
        code: "inclusion_invalid",
      });
    }
    const code = (...args: Parameters<typeof under>) => {
      const verified = under(...args);
      return verified.ok ? "ok" : verified.code;
    };
    const proof = proofOf(3);
    assert.equal(code("quorum b", proof, leaves[3]), "witness_quorum_unmet");
    assert.equal(code("group g all a b\nquorum g", proof, leaves[3]), "witness_quorum_unmet");
    assert.equal(code("group g any a b\nquorum g", proof, leaves[3]), "ok");
    assert.equal(code("quorum a", proofOf(3, lines.slice(0, 1)), leaves[3]), "witness_quorum_unmet");
    assert.equal(code("quorum a", proofOf(3, lines.slice(1)), leaves[3]), "key_not_pinned");
    assert.equal(code("quorum none", proof, leaves[3], ""), "key_not_pinned");
    const otherLog = `log ${logVkey("example.com/other", log)}\n`;
    assert.equal(code("quorum none", proof, leaves[3], otherLog), "key_not_pinned");
    const secondLog = `${known}log ${logVkey(LOG, testSigner("second"))}\n`;
    assert.equal(code("quorum a", proof, leaves[3], secondLog), "ok");
    // A witness with the log's name is no log, and two witnesses are two.
    const asWitness = [lines[1] ?? assert.fail(), await cosignLine(LOG, log, tree, 1)];
    const namesake = `log ${logVkey(LOG, testSigner("second"))}\nwitness l ${witnessVkey(LOG, log)}\n`;
    assert.equal(code("quorum l", proofOf(3, asWitness), leaves[3], namesake), "key_not_pinned");
    const both = [...lines, await cosignLine("b.example", b, tree, 1)];
    assert.equal(code("group g all a b\nquorum g", proofOf(3, both), leaves[3]), "ok");
    const thirdLog = `log ${logVkey("example.com/other", testSigner("third"))}\n`;
    // A wrong line by another log is not a line of this log.
    const foreign = {
      ...(await signedLine("example.com/other", testSigner("third"), tree)),
      signature: new Uint8Array(64),
    };
    assert.equal(code("quorum a", proofOf(3, [...lines, foreign]), leaves[3], `${known}${thirdLog}`), "ok");
    // Two keys of one name are one witness, even if another one cosigned too.
    const sameName = [...both, await cosignLine("a.example", testSigner("second"), tree, 1)];
    const second = `${known}witness c ${witnessVkey("a.example", testSigner("second"))}\n`;
    assert.equal(code("group g all a c\nquorum g", proofOf(3, sameName), leaves[3], second), "witness_quorum_unmet");
    const [logLine, witnessLine] = lines;
    assert.ok(logLine !== undefined && witnessLine !== undefined);
    const flipped = (line: NoteLine) => ({ ...line, signature: line.signature.with(70 % line.signature.length, 0) });
    assert.equal(code("quorum none", proofOf(3, [flipped(logLine)]), leaves[3]), "signature_invalid");
    assert.equal(
      code("quorum none", proofOf(3, [logLine, flipped(witnessLine)]), leaves[3]),
      "witness_signature_invalid",
    );
    assert.equal(code("quorum none", proofOf(3, lines, []), leaves[3]), "inclusion_invalid");
  }
});

test("every event of a bundle has a proof: extra data that verifies, and a leaf that the policy's witness saw", async () => {
  const evidence = await issueStream(10, { perWindow: 3, perCheckpoint: 2 });
  const [stream_id = ""] = evidence.records.map((record) => record.stream_id);
  const known = policy(
    `log ${logVkey(`${ORIGIN}/${stream_id}`, SERVICE)}\nwitness w ` +
      `${witnessVkey(`${ORIGIN}/witness`, WITNESS)}\nquorum w\n`,
  );
  for (const firstWindow of [1, 3]) {
    const bundle = await bundleOf(evidence, firstWindow);
    for (const { seq_no } of bundle.artifacts["receipts.json"]) {
      const portable = portableReceiptOf(kernel, bundle, seq_no);
      const written = issueEventProof(kernel, portable);
      const proof = parsed(written);
      assert.equal(encodeTlogProof(proof), written);
      for (const name of KERNEL_NAMES) {
        const opened = openEventProof(selectKernel(name), proof);
        assert.ok(opened.ok);
        assert.equal(opened.portable.receipt.seq_no, seq_no);
        assert.deepEqual(verifyTlogProof(selectKernel(name), proof, opened.leafHash, known), {
          ok: true,
          origin: `${ORIGIN}/${stream_id}`,
          cosigned: ["w"],
        });
      }
      const report = verify(proof.extra ?? new Uint8Array(), { trust: pinKeys(kernel, [SERVICE.publicKeyHex]) });
      assert.deepEqual([report.kind, report.verdict, report.problems], ["portable-receipt", "verified", []]);
      const lines = parseNote(proof.checkpoint)?.lines ?? [];
      assert.deepEqual(
        lines.map(({ name }) => name),
        [`${ORIGIN}/${stream_id}`, `${ORIGIN}/witness`],
      );
    }
  }
});

test("the proof of an event is of its window's place, in its stream's checkpoint", async () => {
  const bundle = await bundleOf(await issueStream(10, { perWindow: 3, perCheckpoint: 2 }));
  const portable = portableReceiptOf(kernel, bundle, 4);
  const proof = parsed(issueEventProof(kernel, portable));
  const code = (change: Partial<TlogProof>) => {
    const opened = openEventProof(kernel, { ...proof, ...change });
    return opened.ok ? "ok" : opened.code;
  };
  const extra = (value: unknown) => ({ extra: new TextEncoder().encode(JSON.stringify(value)) });
  assert.equal(code({}), "ok");
  assert.equal(code({ extra: null }), "missing_member");
  assert.equal(code({ extra: hexToBytes("7b") }), "json_malformed");
  assert.equal(code(extra({})), "malformed");
  const { format, version, receipt } = portable;
  assert.equal(code(extra({ format, version, receipt })), "missing_member");
  assert.equal(code({ index: proof.index + 1 }), "inclusion_invalid");
  assert.equal(code({ tree: { ...proof.tree, origin: `${ORIGIN}/other` } }), "stream_mismatch");
  const { checkpoint: _checkpoint, checkpoint_inclusion: _path, ...without } = portable;
  assert.throws(() => issueEventProof(kernel, without), RangeError);
});
