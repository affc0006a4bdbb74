/**
 * The options of every command that verifies: the demand of each, their effect together with a trust file, and that
 * none asks for less.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseTrustPolicy, portableReceiptOf, referenceKernel, type TrustPolicy } from "@svc/core";
import { WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import type { Command } from "commander";
import { ALL } from "../src/all-commands.ts";
import { keyForms } from "../src/keys/forms.ts";
import { program } from "../src/program.ts";
import { tightened } from "../src/verify/tighten.ts";
import { april, march, portable, putRow, retoldBundle } from "./row.ts";
import { changed, KEY, type Outcome, PIN, put, svc } from "./svc.ts";

putRow();
const STREAM = march.manifest.stream_id;
const OTHER = "str_01k30000000000000000000009";
const MARCH = ["bundles", "offline-verify", "--file", "march.bundle.json", ...PIN];
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const witness = keyForms(referenceKernel, WITNESS.publicKeyHex, WITNESS_POLICY.witnessKeys[0]?.name).witness_vkey;

test("every command that verifies a file has the same options", () => {
  const commands = ["bundles offline-verify", "receipts verify", "consistency verify", "forks verify", "verify file"];
  const optionsOf = (path: string): string[] => {
    const command = path
      .split(" ")
      .reduce<Command>(
        (parent, name) => parent.commands.find((child) => child.name() === name) ?? assert.fail(name),
        program(ALL),
      );
    return command.options.map(({ flags }) => flags).filter((flags) => !/^--(payload|salt)/.test(flags));
  };
  const [first = "", ...others] = commands;
  assert.ok(optionsOf(first).length > 15);
  for (const other of others) assert.deepEqual(optionsOf(other), optionsOf(first), other);
});

const answers: readonly (readonly [name: string, args: readonly string[], code: number, primary: string | null])[] = [
  ["its stream", ["--stream", STREAM], 0, null],
  ["another stream", ["--stream", OTHER], 1, "stream_unexpected"],
  ["a range inside", ["--from", "2", "--to", "16"], 0, null],
  ["a range past its end", ["--to", "17"], 1, "range_incomplete"],
  ["what it shows", ["--require", "included"], 0, null],
  ["what it does not show", ["--require", "published"], 1, "evidence_missing"],
  ["several things in one", ["--require", "included,anchored"], 1, "evidence_missing"],
  ["several things one by one", ["--require", "included", "--require", "anchored"], 1, "evidence_missing"],
  ["a witness that nobody pins", ["--quorum", "1"], 1, "witness_quorum_unmet"],
  ["a tlog-policy that it meets", ["--quorum", "met.policy"], 0, null],
  ["a tlog-policy that it does not meet", ["--quorum", "unmet.policy"], 1, "witness_quorum_unmet"],
  ["two threads", ["--jobs", "2"], 0, null],
  ["both kernels", ["--stream", STREAM, "--quorum", "met.policy", "--cross-check"], 0, null],
];
put("met.policy", `witness w ${witness}\nquorum w\n`);
put(
  "unmet.policy",
  `witness w ${keyForms(referenceKernel, WITNESS.publicKeyHex, "other.example/w").witness_vkey}\nquorum w\n`,
);
for (const [name, args, code, primary] of answers)
  test(`asking for ${name}`, async () => {
    const outcome = await svc([...MARCH, "--json", ...args]);
    const answer = JSON.parse(outcome.stdout);
    const report = answer.report ?? answer;
    assert.deepEqual([outcome.code, report.problems[0]?.code ?? null], [code, primary], outcome.stderr);
  });

const refused: readonly (readonly [name: string, args: readonly string[], code: number, message: RegExp])[] = [
  ["an invalid stream id", ["--stream", "march"], 64, /A stream is named by str_ and 26 characters/],
  ["two streams", ["--stream", STREAM, "--stream", OTHER], 64, /It is given twice/],
  ["a first event 0", ["--from", "0"], 64, /Give a whole number from 1 on/],
  ["a range from behind", ["--from", "5", "--to", "3"], 64, /--from 5 is behind the last event expected, 3/],
  ["no witness", ["--quorum", "0"], 64, /"0" is no number of witnesses/],
  ["more witnesses than there can be", ["--quorum", "9".repeat(20)], 64, /is no number of witnesses/],
  ["a policy that is not there", ["--quorum", "none.policy"], 66, /Cannot read "none.policy"/],
  ["an invalid policy", ["--quorum", "acme.trust.json"], 64, /--quorum: the file is no C2SP tlog-policy: Line 1/],
  [
    "what nobody can require",
    ["--require", "signed"],
    64,
    /"signed" is not one of included, witnessed, published, anchored/,
  ],
  ["a whole bundle", ["--require", "complete"], 64, /A bundle with a gap is rejected in any case; .*--from and --to/],
  [
    "a link that is a bundle",
    ["--link", "april.bundle.json"],
    66,
    /looks like a bundle, and this command reads a consis/,
  ],
  ["a link that is not there", ["--link", "none.json"], 66, /Cannot read "none.json"/],
  ["no thread", ["--jobs", "0"], 64, /Give a whole number from 1 on/],
  ["a thousand threads", ["--jobs", "1000"], 64, /Give 1 to 64/],
  ["silence and JSON", ["--quiet", "--json"], 64, /cannot be used with option/],
  ["standard input twice", ["--trust", "-", "--link", "-"], 64, /--trust and --link cannot both be standard input/],
  ["standard input by two names", ["--trust", "-", "--quorum", "/dev/stdin"], 64, /cannot both be standard input/],
];
for (const [name, args, code, message] of refused)
  test(`refused: ${name}`, async () => {
    const outcome = await svc([...MARCH, ...args]);
    assert.match(said(outcome), message);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""]);
  });

test("consistency evidence links what you know to what you are shown", async () => {
  const [known] = march.artifacts["checkpoints.json"].slice(-1);
  const { stream_id, window_count, checkpoint_root } = known ?? assert.fail("March has a checkpoint");
  put("knows-march.json", { signers: [], known_checkpoints: [{ stream_id, window_count, checkpoint_root }] });
  const call = ["bundles", "offline-verify", "--file", "april.bundle.json", ...PIN, "--trust", "knows-march.json"];
  // The bundle has the frontier before it, from which March's root is recomputed: it links by itself.
  assert.equal((await svc(call)).code, 0);
  const lone = ["verify", "file", "--file", "late.portable.json", ...PIN, "--trust", "knows-march.json"];
  const late = portableReceiptOf(referenceKernel, april, 18);
  put(
    "late.portable.json",
    changed(late, ({ checkpoint }) => {
      delete checkpoint.frontier;
    }),
  );
  const unlinked = await svc([...lone, "--json"]);
  assert.deepEqual([unlinked.code, JSON.parse(unlinked.stdout).problems[0].code], [1, "known_checkpoint_unlinked"]);
  for (const more of [
    ["--link", "march-to-april.json"],
    ["--link", "march-to-april.json", "--cross-check"],
  ]) {
    const linked = await svc([...lone, ...more]);
    assert.equal(linked.code, 0, linked.stdout);
  }
});

test("a fork and consistency evidence are verified with either kernel", async () => {
  for (const [family, file] of [
    ["forks", "fork.json"],
    ["consistency", "march-to-april.json"],
  ] as const)
    for (const more of [["--kernel", "reference"], ["--cross-check"]])
      assert.equal((await svc([family, "verify", "--file", file, ...PIN, ...more])).code, 0);
});

/** Returns a policy as read from a file, with the pins of its text. */
function policyOf(members: Partial<TrustPolicy>): TrustPolicy {
  const read = parseTrustPolicy(referenceKernel, { signers: [], ...members } as never);
  return read.ok ? read.policy : assert.fail(read.problems[0]?.message);
}

test("beside a trust file the options only ask for more", () => {
  const own = policyOf({ expect: { from_seq_no: 4, to_seq_no: 9 }, quorum: 2, require: ["included"] });
  const with_ = (demands: Parameters<typeof tightened>[2]) => tightened(referenceKernel, own, demands) ?? assert.fail();
  assert.equal(tightened(referenceKernel, undefined, {}), undefined);
  assert.equal(tightened(referenceKernel, own, {}), own);
  assert.deepEqual(with_({ from: 6, to: 7 }).expect, { from_seq_no: 4, to_seq_no: 9 });
  assert.deepEqual(with_({ from: 2, to: 12 }).expect, { from_seq_no: 2, to_seq_no: 12 });
  assert.deepEqual(with_({ stream: STREAM }).expect, { stream_id: STREAM, from_seq_no: 4, to_seq_no: 9 });
  assert.equal(with_({ quorum: 1 }).quorum, 2);
  assert.equal(with_({ quorum: 3 }).quorum, 3);
  assert.deepEqual(with_({ require: ["anchored", "included"] }).require, ["included", "anchored"]);
  assert.deepEqual(tightened(referenceKernel, undefined, { require: ["published"] }), {
    signers: [],
    require: ["published"],
  });
  for (const demands of [{ stream: STREAM }, { from: 2 }, { to: 20 }, { quorum: 3 }])
    assert.deepEqual(with_(demands).signers, own.signers);
});

test("what cannot hold together is refused", () => {
  const text = `witness w ${witness}\nquorum w\n`;
  const refuses = (members: Partial<TrustPolicy>, demands: Parameters<typeof tightened>[2], message: RegExp) =>
    assert.throws(() => tightened(referenceKernel, policyOf(members), demands), message);
  refuses(
    { expect: { stream_id: STREAM } },
    { stream: OTHER },
    /--stream asks for .*9, and your trust file expects .*1\./,
  );
  refuses({ expect: { to_seq_no: 9 } }, { from: 10 }, /--from 10 is behind the last event expected, 9/);
  refuses({ expect: { from_seq_no: 4 } }, { to: 3 }, /--to 3 is before the first event expected, 4/);
  refuses({ quorum: 1 }, { quorum: text }, /cannot be joined/);
  refuses({ quorum: text }, { quorum: 1 }, /cannot be joined/);
  refuses({ quorum: text }, { quorum: `${text}\n` }, /cannot be joined/);
  const same = tightened(referenceKernel, policyOf({ quorum: text }), { quorum: text });
  assert.deepEqual(same, policyOf({ quorum: text }));
});

test("a payload that came apart from its receipt is put to it, with its salt or without", async () => {
  const { payload_salt = "" } = portable.receipt;
  const receipt = ["receipts", "verify", "--file", "loan-1005.redacted.json", "--json", ...PIN];
  const redactedOf = async (...args: string[]) => {
    const outcome = await svc([...receipt, ...args]);
    return [outcome.code, JSON.parse(outcome.stdout).assurance.redacted];
  };
  assert.deepEqual(await redactedOf(), [0, 1]);
  assert.deepEqual(await redactedOf("--payload", "loan-1005.payload.json"), [0, 0]);
  assert.deepEqual(await redactedOf("--payload", "loan-1005.bare.json", "--salt", payload_salt), [0, 0]);
  const wrong = payload_salt.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
  assert.deepEqual((await redactedOf("--payload", "loan-1005.bare.json", "--salt", wrong))[0], 1);
  const refusals: readonly (readonly [args: readonly string[], code: number, message: RegExp])[] = [
    [["--payload", "loan-1005.bare.json"], 64, /is a bare payload.*--salt/],
    [["--payload", "loan-1005.payload.json", "--salt", payload_salt], 64, /holds the salt already/],
    [["--salt", payload_salt], 64, /--salt goes with a payload/],
    [["--salt", "AB".repeat(16), "--payload", "loan-1005.bare.json"], 64, /Write it in lowercase/],
    [["--salt", "ab", "--payload", "loan-1005.bare.json"], 64, /A salt is 32 lowercase hex characters/],
    [["--payload", "none.json"], 66, /Cannot read "none.json"/],
    [["--payload", put("cut.payload.json", "{")], 66, /is not JSON as svc reads it: json_malformed at byte 1/],
    [["--payload", "-", "--trust", "-"], 64, /--trust and --payload cannot both be standard input/],
  ];
  for (const [args, code, message] of refusals) {
    const outcome = await svc([...receipt, ...args]);
    assert.match(said(outcome), message);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""]);
  }
  const whole = ["receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN];
  const twice = await svc([...whole, "--payload", "loan-1005.payload.json"]);
  assert.match(said(twice), /The receipt carries its payload already/);
  const other = await svc(["receipts", "verify", "--file", "march.bundle.json", "--payload", "loan-1005.payload.json"]);
  assert.match(other.stdout, /This looks like a bundle, and this command checks a receipt/);
});

test("the next step that a found fork names is one that works", async () => {
  put("told-otherwise.json", retoldBundle);
  const found = await svc(["forks", "find", "march.bundle.json", "told-otherwise.json", "--out", "found.json"]);
  const [, command = ""] = /\n {4}svc (.+) <key>\n/.exec(found.stdout) ?? [];
  assert.equal((await svc([...command.split(" "), KEY])).code, 0, found.stdout);
});
