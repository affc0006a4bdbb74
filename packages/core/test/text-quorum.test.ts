/**
 * A tlog-policy text as the quorum of a trust policy: the report's words about it, the keys that it pins, and that one
 * witness counts once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { cosignLine, logVkey, ML_DSA, mlDsaKey, vkeyOf, witnessVkey } from "@svc/testkit/evidence/vkeys";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import {
  encodeNote,
  type Json,
  parseNote,
  parseTrustPolicy,
  pinKeys,
  type Report,
  referenceKernel,
  selectKernel,
  type TrustPolicy,
  verify,
} from "../src/index.ts";
import { byWitness } from "../src/objects/same-witness.ts";

const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(3);
const [checkpoint] = evidence.checkpoints;
assert.ok(checkpoint !== undefined);
const { note, created_at } = checkpoint;
const signed = parseNote(note);
assert.ok(signed !== null);
const time = Date.parse(created_at) / 1000;
const [a, b] = [testSigner("a"), testSigner("b")];
const seen = `witness seen ${witnessVkey(`${ORIGIN}/witness`, WITNESS)}\n`;
const both = `witness a ${witnessVkey("a.example", a)}\nwitness b ${witnessVkey("b.example", b)}\n`;

/** Returns the report on the checkpoint with more lines in its note; it is the same with both kernels. */
function report(lines: readonly Parameters<typeof encodeNote>[1][number][], trust: Partial<TrustPolicy>): Report {
  const cosigned = { ...checkpoint, note: encodeNote(signed?.text ?? "", [...(signed?.lines ?? []), ...lines]) };
  const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(cosigned)) as Json);
  const [first, ...others] = KERNEL_NAMES.map((name) =>
    verify(bytes, { trust: { ...pinned, ...trust } as Json, kernel: selectKernel(name) }),
  );
  assert.ok(first !== undefined);
  for (const other of others) assert.deepEqual({ ...other, verifier: null }, { ...first, verifier: null });
  return first;
}

const noteOf = (one: Report) => one.checks.find(({ id }) => id === "witness")?.note;

test("the report says how many the text asks for at least, and who is missing", async () => {
  const line = await cosignLine("a.example", a, signed.text, time);
  const text = `${both}group g all a b\nquorum g\n`;
  const unmet = report([line], { quorum: text });
  assert.deepEqual(unmet.assurance.witnessed, { required: 2, valid: 1, pinned: 1 });
  const [problem] = unmet.problems;
  assert.equal(problem?.code, "witness_quorum_unmet");
  assert.match(problem?.message ?? "", /group g asks for 2 of a, b\. Of its witnesses a cosigned\.$/);
  assert.deepEqual([problem?.expected, problem?.actual], ["quorum g", "a"]);
  const met = report([line, await cosignLine("b.example", b, signed.text, time)], { quorum: text });
  assert.deepEqual([met.verdict, met.assurance.witnessed], ["verified", { required: 2, valid: 2, pinned: 2 }]);
  const none = report([], { quorum: "quorum none\n" });
  assert.deepEqual([none.verdict, none.assurance.witnessed], ["verified", { required: 0, valid: 0, pinned: 0 }]);
});

test("witnesses of both forms are pinned, those of the text alone make its quorum", async () => {
  const lines = [
    await cosignLine("a.example", a, signed.text, time),
    await cosignLine("c.example", b, signed.text, time),
  ];
  const witnesses = [{ name: "c.example", public_key_hex: b.publicKeyHex }];
  const one = report(lines, { witnesses, quorum: `${both}quorum a\n` });
  assert.deepEqual([one.verdict, one.assurance.witnessed.pinned], ["verified", 2]);
  const other = report(lines, { witnesses, quorum: `${both}quorum b\n` });
  assert.deepEqual(
    other.problems.map(({ code }) => code),
    ["witness_quorum_unmet"],
  );
  const wrong = report([{ ...(lines[0] ?? assert.fail()), signature: new Uint8Array(72).fill(1) }], {
    quorum: `${both}quorum none\n`,
  });
  assert.equal(wrong.problems[0]?.code, "witness_signature_invalid");
});

test("a cosignature by ML-DSA-44 is named as not checked, and counts for nothing", () => {
  const key = mlDsaKey("newer");
  const vkey = vkeyOf("new.example", ML_DSA, key);
  const line = { name: "new.example", keyId: vkey.split("+")[1] ?? "", signature: new Uint8Array(8 + 2420) };
  const asked = report([line], { quorum: `witness new ${vkey}\nquorum new\n` });
  assert.equal(asked.problems[0]?.code, "witness_quorum_unmet");
  assert.match(
    noteOf(asked) ?? "",
    /not checked, and not counted: 1 by ML-DSA-44 \(type 0x06\), in the name of new\.example/,
  );
  const ofLog = report([line], { quorum: `log ${vkey}\nquorum none\n` });
  assert.equal(ofLog.verdict, "verified");
  assert.match(noteOf(ofLog) ?? "", /ML-DSA-44/);
  const sameName = report([{ ...line, name: "a.example" }], { quorum: `${both}quorum none\n` });
  assert.equal(sameName.verdict, "verified");
  assert.match(noteOf(sameName) ?? "", /ML-DSA-44 .* a\.example/);
  const unknown = report([line], { quorum: `${both}quorum none\n` });
  assert.doesNotMatch(noteOf(unknown) ?? "", /ML-DSA/);
});

test("what is left to say of the witnesses stands together, and of many names the first eight", async () => {
  const keys = Array.from({ length: 9 }, (_, index) => mlDsaKey(`k${index}`));
  const vkeys = keys.map((key, index) => vkeyOf(`w${index}.example`, ML_DSA, key));
  const lines = vkeys.map((vkey, index) => ({
    name: `w${index}.example`,
    keyId: vkey.split("+")[1] ?? "",
    signature: new Uint8Array(8 + 2420),
  }));
  const text = vkeys.map((vkey, index) => `witness w${index} ${vkey}\n`).join("");
  const shown = lines.slice(0, 8).map(({ name }) => name);
  assert.equal(
    noteOf(report(lines, { quorum: `${text}quorum none\n` })),
    "no cosignature by a witness of the policy or of yours; not checked, and not counted: 9 by ML-DSA-44 (type " +
      "0x06), " +
      `in the name of ${shown.join(", ")}`,
  );
  for (const [count, names] of [
    [8, "w0, w1, w2, w3, w4, w5, w6, w7"],
    [9, "w0, w1, w2, w3, w4, w5, w6, w7 and 1 more"],
  ] as const) {
    const members = Array.from({ length: count }, (_, index) => `w${index}`).join(" ");
    const [problem] = report([], { quorum: `${text}group g all ${members}\nquorum g\n` }).problems;
    assert.ok(problem?.message.includes(`group g asks for ${count} of ${names}. `), problem?.message);
  }
});

test("two keys of one name are one witness, whatever the text makes of them", async () => {
  const lines = [
    await cosignLine("a.example", a, signed.text, time),
    await cosignLine("a.example", b, signed.text, time),
  ];
  const keys = `witness old ${witnessVkey("a.example", a)}\nwitness new ${witnessVkey("a.example", b)}\n`;
  const any = report(lines, { quorum: `${keys}group g any old new\nquorum g\n` });
  assert.deepEqual([any.verdict, any.assurance.witnessed.pinned], ["verified", 1]);
  assert.equal(report(lines, { quorum: `${keys}quorum new\n` }).verdict, "verified");
  const all = report(lines, { quorum: `${keys}group g all old new\nquorum g\n` });
  assert.deepEqual(all.problems[0]?.code, "witness_quorum_unmet");
});

test("whom one cosigner joins are one witness, in any order", () => {
  const witness = (name: string, publicKeyHex: string, id: string) =>
    ({ name, publicKeyHex, isPinned: true, listed: { witness_id: id } }) as never;
  const [x, y, z] = [witness("x", "1", "one"), witness("y", "2", "two"), witness("x", "3", "two")];
  for (const order of [
    [x, y, z],
    [x, z, y],
    [z, x, y],
    [y, x, z],
  ])
    assert.deepEqual(byWitness(order as never[]).length, 1);
  assert.equal(byWitness([x, y] as never[]).length, 2);
  assert.deepEqual(byWitness([]), []);
});

test("a text pins by its log lines: a stream's signer for that stream, any other name the service's", async () => {
  const bundle = await bundleOf(evidence);
  const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(bundle)) as Json);
  const under = (name: string, more: object = {}) => {
    const quorum = `log ${logVkey(name, SERVICE)}\nquorum none\n`;
    const { verdict, problems } = verify(bytes, { trust: { signers: [], quorum, ...more } });
    return [verdict, problems[0]?.code];
  };
  const stream = `${ORIGIN}/${checkpoint.stream_id}`;
  assert.deepEqual(under(stream), ["verified", undefined]);
  assert.deepEqual(under(ORIGIN), ["verified", undefined]);
  const outside = ["untrusted", "signer_not_for_stream"];
  for (const name of [
    `other.example/${checkpoint.stream_id}`,
    stream.replace(/.$/, "z"),
    "test.example",
    `${ORIGIN}/`,
    checkpoint.stream_id,
  ])
    assert.deepEqual(under(name), outside, name);
  assert.deepEqual(under(ORIGIN, { revoked: [bundle.seal.kid] }), ["untrusted", "key_revoked"]);
});

test("a text that is no policy refuses the trust policy, and says where", () => {
  const parsed = parseTrustPolicy(kernel, { signers: [], quorum: `${seen}quorum sen\n` });
  assert.deepEqual(parsed, {
    ok: false,
    problems: [
      {
        code: "malformed",
        path: "trust:/quorum",
        message: 'Line 2 of the tlog-policy: "sen" is named as the quorum, and no line before this one defines it.',
      },
    ],
  });
  for (const quorum of [0, -1, 1.5, 2 ** 53, true, null, [], {}, ""]) {
    const read = parseTrustPolicy(kernel, { signers: [], quorum } as Json);
    assert.deepEqual(
      !read.ok && read.problems.map(({ code, path }) => [code, path]),
      [["malformed", "trust:/quorum"]],
      JSON.stringify(quorum),
    );
  }
});

test("a trust policy that was read is read again as itself", () => {
  const text = `log ${logVkey(ORIGIN, SERVICE)}\n${seen}${both}group g 2 seen a b\nquorum g\n`;
  const once = parseTrustPolicy(kernel, { ...pinned, quorum: text } as Json);
  assert.ok(once.ok);
  assert.deepEqual([once.policy.signers.length, once.policy.witnesses?.length], [2, 3]);
  assert.deepEqual(parseTrustPolicy(kernel, once.policy as Json), once);
});
