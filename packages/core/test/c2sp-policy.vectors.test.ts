/** tlog-policy texts: the example of tlog-policy.md, every rule of that page, and the quorum for sets of witnesses. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testSigner } from "@svc/testkit/evidence/signer";
import { logVkey, ML_DSA, mlDsaKey, vkeyOf, witnessVkey } from "@svc/testkit/evidence/vkeys";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import {
  isQuorumMet,
  leastWitnesses,
  MAX_TLOG_DEFINITIONS,
  parseTlogPolicy,
  selectKernel,
  type TlogPolicy,
} from "../src/index.ts";
import type { TlogWitness } from "../src/trust/tlog-policy/policy.ts";
import { isQuorumMetOnce } from "../src/trust/tlog-policy/quorum.ts";
import { POLICY } from "./c2sp-examples.ts";

const kernels = KERNEL_NAMES.map(selectKernel);
const LOG = logVkey("log.example/a", testSigner("log"));
const [A, B, C] = ["a", "b", "c"].map((name) => witnessVkey(`${name}.example/w`, testSigner(name)));
const DEFINED = `witness a ${A}\nwitness b ${B}\nwitness c ${C}\n`;

function parsed(text: string): TlogPolicy {
  const [first, ...others] = kernels.map((kernel) => parseTlogPolicy(kernel, text));
  for (const other of others) assert.deepEqual(other, first);
  assert.ok(first?.ok, JSON.stringify(first));
  return first.policy;
}

function fault(text: string): [line: number, code: string] {
  const [first, ...others] = kernels.map((kernel) => parseTlogPolicy(kernel, text));
  for (const other of others) assert.deepEqual(other, first);
  assert.ok(first !== undefined && !first.ok, `accepted ${JSON.stringify(text)}`);
  assert.match(first.message, /^.{10,}\.$/su);
  return [first.line, first.code];
}

test("the example of tlog-policy.md asks for two of the X and one of the Y", () => {
  let key = 0;
  const text = POLICY.replace(/^log <vkey>$/m, `log ${LOG}`).replaceAll("<vkey>", () => {
    key++;
    return witnessVkey(`w${key}.example`, testSigner(`w${key}`));
  });
  const { logs, witnesses, quorum } = parsed(text);
  assert.deepEqual(
    logs.map((log) => [log.key.name, log.url]),
    [["log.example/a", null]],
  );
  assert.deepEqual(
    witnesses.map(({ name }) => name),
    ["X1", "X2", "X3", "Y1", "Y2", "Y3"],
  );
  assert.ok(quorum !== null);
  assert.equal(leastWitnesses(quorum), 3);
  for (let set = 0; set < 64; set++) {
    const cosigned = witnesses.filter((_, index) => (set >> index) & 1);
    const [x, y] = ["X", "Y"].map((group) => cosigned.filter(({ name }) => name.startsWith(group)).length);
    assert.equal(isQuorumMet(quorum, new Set(cosigned)), (x ?? 0) >= 2 && (y ?? 0) >= 1);
  }
});

test("a policy is lines of items between spaces and tabs; empty lines and comments do not count", () => {
  for (const text of [
    "quorum none\n",
    "#quorum\n#\nquorum none\n",
    "\n\n \t \n# none\n\t # \u0085\u00a0é\nquorum\t none  \n\n",
    `${DEFINED}quorum a\n`,
    `quorum none\n${DEFINED}`,
    `\t witness \t a ${A} https://w.example/é# \t\nlog ${LOG} https://log.example/\nquorum a\n`,
    `witness all ${A}\nwitness any ${B}\nwitness 1 ${C}\ngroup # 1 1\ngroup g all all any #\nquorum g\n`,
    `witness \u00a0 ${A}\nwitness K ${B}\nwitness \u212a ${C}\nquorum \u212a\n`,
    `log ${LOG}\nwitness a ${witnessVkey("log.example/a", testSigner("log"))}\nquorum a\n`,
    `witness a ${A}\nwitness b ${witnessVkey("a.example/w", testSigner("b"))}\nquorum a\n`,
    `witness a ${vkeyOf("a.example/w", ML_DSA, mlDsaKey("a"))}\nlog ${vkeyOf("l", ML_DSA, mlDsaKey("l"))}\nquorum a\n`,
  ])
    parsed(text);
  assert.deepEqual(parsed("quorum none\n"), { logs: [], witnesses: [], quorum: null });
});

test("groups ask for any, all, or as many as they say, and nest", () => {
  const least = (text: string) => leastWitnesses(parsed(DEFINED + text).quorum);
  assert.equal(least("group g any a b c\nquorum g\n"), 1);
  assert.equal(least("group g all a b c\nquorum g\n"), 3);
  assert.equal(least("group g 2 a b c\nquorum g\n"), 2);
  assert.equal(least("group g all a b\ngroup h any g c\nquorum h\n"), 1);
  assert.equal(least("group g all a b\ngroup h all g c\nquorum h\n"), 3);
  assert.equal(least("group g all a b\nquorum none\n"), 0);
});

test("a group of twelve may ask for any number of them, and not for thirteen", () => {
  const names = Array.from({ length: 12 }, (_, index) => `w${index}`);
  const defined = names.map((name) => `witness ${name} ${witnessVkey(`${name}.example`, testSigner(name))}\n`).join("");
  const group = (wanted: string) => `${defined}group g ${wanted} ${names.join(" ")}\nquorum g\n`;
  for (const wanted of [1, 9, 10, 11, 12]) assert.equal(leastWitnesses(parsed(group(`${wanted}`)).quorum), wanted);
  for (const wanted of ["13", "1a", "a1", "10.0", "012", "1_0", "9999", "10000"])
    assert.deepEqual(fault(group(wanted)), [13, "malformed"], wanted);
});

test("a message says what is wrong, of what, and shows at most 60 characters of it", () => {
  const long = (length: number) => "x".repeat(length);
  for (const [text, message] of [
    [`log ${A}\n`, "The key of a log is of signature type 0x01 or 0x06, and this one of 0x04."],
    [`witness a ${LOG}\n`, "The key of a witness is of signature type 0x04 or 0x06, and this one of 0x01."],
    [`log ${LOG}\nlog ${LOG}\n`, "Another log line has the same public key."],
    [`witness a ${A}\nwitness b ${A}\n`, "Another witness line has the same public key."],
    [`${DEFINED}group g all d\n`, '"d" is named as a member, and no line before this one defines it.'],
    ["quorum d\n", '"d" is named as the quorum, and no line before this one defines it.'],
    [`log ${long(60)}\n`, `"${long(60)}" is not a C2SP verification key: name, 8 hex digits and base64, joined by +.`],
    [`log ${long(61)}\n`, `"${long(60)}…" is not a C2SP verification key: name, 8 hex digits and base64, joined by +.`],
  ] as const) {
    const read = parseTlogPolicy(selectKernel(), text);
    assert.deepEqual(read.ok ? null : read.message, message);
  }
  for (const [type, keys] of [
    ["log", (index: number) => `log ${logVkey(`l${index}.example`, testSigner(`l${index}`))}\n`],
    ["witness", (index: number) => `witness w${index} ${witnessVkey(`w${index}.example`, testSigner(`w${index}`))}\n`],
    ["group", (index: number) => `group g${index} 1 ${index === 0 ? "a" : `g${index - 1}`}\n`],
  ] as const) {
    const lines = Array.from({ length: MAX_TLOG_DEFINITIONS + 1 }, (_, index) => keys(index)).join("");
    const read = parseTlogPolicy(selectKernel(), type === "group" ? `witness a ${A}\n${lines}` : lines);
    const many = type === "witness" ? "witnesses" : `${type}s`;
    assert.equal(read.ok ? null : read.message, `There are more than 1024 ${many}.`);
    assert.equal(read.ok ? null : read.line, MAX_TLOG_DEFINITIONS + (type === "group" ? 2 : 1));
  }
});

test("what breaks a rule is named with its line", () => {
  const M = "malformed";
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join("");
  const many = MAX_TLOG_DEFINITIONS;
  for (const [text, line, code = M] of [
    ["", 1],
    ["\n", 2],
    [`${DEFINED}# quorum a\n`, 5],
    ["quorum none", 1],
    ["# a\nquorum none\n# b", 3],
    ["\r\nquorum none\n", 1],
    ["quorum none\r\n", 1],
    ["quorum none\n# \u0000\n", 2],
    ["quorum none\n# \u007f\n", 2],
    ["quorum none\n# \ud800\n", 2],
    ["quorum\u00a0none\n", 1],
    ["\ufeffquorum none\n", 1],
    ["Quorum none\n", 1],
    ["quorum\n", 1],
    ["quorum none none\n", 1],
    ["quorum# none\n", 1],
    ["quorum none\nquorum none\n", 2],
    ["quorum a\n", 1],
    [`quorum a\n${DEFINED}`, 1],
    [`${DEFINED}quorum A\n`, 4],
    [`${DEFINED}quorum a # or b\n`, 4],
    [`${DEFINED}quorum none\nquorum a\n`, 5],
    ["log\n", 1],
    [`log ${LOG} u u\n`, 1],
    [`log ${LOG}\nlog ${LOG}\n`, 2],
    [`log ${LOG}\nlog ${logVkey("other.example", testSigner("log"))}\n`, 2],
    [`log ${A}\n`, 1],
    [`log ${LOG.replace(/\+[0-9a-f]/, (id) => (id === "+0" ? "+1" : "+0"))}\n`, 1],
    [`log ${LOG.replaceAll("=", "")}*\n`, 1],
    [`log ${vkeyOf("l", 2, new Uint8Array(91))}\n`, 1, "unsupported_object"],
    [`log ${vkeyOf("l", 2, new Uint8Array(91))}`, 1],
    [`log ${vkeyOf("l", 1, new Uint8Array(33))}\n`, 1],
    [`log ${vkeyOf("l", ML_DSA, new Uint8Array(32))}\n`, 1],
    ["log example.com/foo\n", 1],
    [`witness a\n`, 1],
    [`witness ${A}\n`, 1],
    [`witness a ${A} u u\n`, 1],
    [`witness a ${LOG}\n`, 1],
    [`witness none ${A}\n`, 1],
    [`witness a ${A}\nwitness a ${B}\n`, 2],
    [`witness a ${A}\nwitness b ${A}\n`, 2],
    [`witness a ${A}\nwitness b ${witnessVkey("other.example", testSigner("a"))}\n`, 2],
    [`witness a ${vkeyOf("l", 0xff, new Uint8Array(32))}\n`, 1, "unsupported_object"],
    [`${DEFINED}group\n`, 4],
    [`${DEFINED}group g\n`, 4],
    [`${DEFINED}group g all\n`, 4],
    [`${DEFINED}group g a b\n`, 4],
    ...["0", "3", "-1", "+1", "01", "1.0", "1e0", "١", "All", "99999999999999999999"].map(
      (k) => [`${DEFINED}group g ${k} a b\n`, 4] as const,
    ),
    [`${DEFINED}group g any a a\n`, 4],
    [`${DEFINED}group g any a\ngroup h any a\n`, 5],
    [`${DEFINED}group g any a\ngroup h any g\ngroup i any g\n`, 6],
    [`${DEFINED}group g any none\n`, 4],
    [`${DEFINED}group g any g\n`, 4],
    [`${DEFINED}group g any d\nwitness d ${A}\n`, 4],
    [`${DEFINED}group none any a\n`, 4],
    [`${DEFINED}group a any b\n`, 4],
    [`${DEFINED}group g any a\ngroup g any b\n`, 5],
    [`${DEFINED}group g any a\nwitness g ${A}\n`, 5],
    [`${DEFINED}${lines(many + 1, (i) => `group g${i} 1 ${i === 0 ? "a" : `g${i - 1}`}\n`)}quorum g5\n`, many + 4],
  ] as (readonly [string, number, string?])[])
    assert.deepEqual(fault(text), [line, code], JSON.stringify(text.slice(0, 300)));
  const nested = lines(many, (i) => `group g${i} 1 ${i === 0 ? "a" : `g${i - 1}`}\n`);
  const deepest = `${DEFINED}${nested}quorum g${many - 1}\n`;
  for (const kernel of kernels) {
    const read = parseTlogPolicy(kernel, deepest);
    assert.ok(read.ok && read.policy.quorum !== null);
    assert.equal(leastWitnesses(read.policy.quorum), 1);
    assert.ok(isQuorumMet(read.policy.quorum, new Set(read.policy.witnesses)));
  }
});

test("the keys of one witness count in one place only, wherever the quorum has most of it", () => {
  const { witnesses, quorum } = parsed(
    `${DEFINED}witness d ${witnessVkey("d.example/w", testSigner("d"))}\ngroup g all a b\ngroup h all c d\ngroup ` +
      `q any g h\nquorum q\n`,
  );
  const [a, b, c, d] = witnesses;
  assert.ok(quorum !== null && a !== undefined && b !== undefined && c !== undefined && d !== undefined);
  assert.equal(isQuorumMetOnce(quorum, [[a], [b]]), true);
  assert.equal(isQuorumMetOnce(quorum, [[a, b]]), false);
  assert.equal(isQuorumMetOnce(quorum, [[a, c], [d]]), true);
  assert.equal(
    isQuorumMetOnce(quorum, [
      [a, c],
      [b, d],
    ]),
    true,
  );
  assert.equal(isQuorumMetOnce(quorum, [[a, d], [c]]), true);
  assert.equal(isQuorumMetOnce(quorum, [[a, d]]), false);
  assert.equal(isQuorumMetOnce(quorum, []), false);
});

test("of 4096 ways to count the keys of a dozen witnesses all are tried, and of more the rest is not", () => {
  const pairs = (count: number) =>
    Array.from({ length: count }, (_, index): [TlogWitness, TlogWitness] => [named(`a${index}`), named(`b${index}`)]);
  const all = (members: readonly TlogWitness[]) =>
    ({ kind: "group", name: "all", threshold: members.length, members }) as const;
  const dozen = pairs(12);
  assert.equal(isQuorumMetOnce(all(dozen.map(([, second]) => second)), dozen), true, "the last way");
  const more = pairs(13);
  const [[, first] = assert.fail("a witness"), ...others] = more;
  assert.equal(isQuorumMetOnce(all(others.map(([, second]) => second)), more), true, "way 4096");
  assert.equal(isQuorumMetOnce(all([first, ...others.map(([one]) => one)]), more), false, "way 4097");
  assert.equal(isQuorumMetOnce(all(more.map(([, second]) => second)), more), false, "way 8192");
});

function named(name: string): TlogWitness {
  return { kind: "witness", name, key: { name, keyId: "", type: 4, keyHex: "" }, url: null };
}
