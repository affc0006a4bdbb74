/**
 * Parts that are cut out of evidence verify by themselves, are those that core makes, and are never written to a wrong
 * place.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  issueEventProof,
  issueStreamSegment,
  keyHint,
  parseTlogProof,
  pinKeys,
  portableReceiptOf,
  referenceKernel,
  verify,
} from "@svc/core";
import { SERVICE } from "@svc/testkit/evidence/service";
import { march, putRow, retoldBundle } from "./row.ts";
import { changed, FOLDER, type Outcome, PIN, put, receipt, svc } from "./svc.ts";

const kernel = referenceKernel;
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
putRow();

const read = (name: string) => readFileSync(join(FOLDER, name));
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const verified = (bytes: Uint8Array) => {
  const { verdict, kind, problems, assurance } = verify(bytes, { trust, kernel });
  assert.deepEqual([verdict, problems], ["verified", []]);
  return { kind, redacted: assurance.redacted };
};

const run = march.artifacts["receipts.json"].slice(0, 3).map((record) => {
  return { ...record, ...march.payloads?.[record.stream_event_id] };
});
const redactable: readonly (readonly [kind: string, object: unknown, seq: string, redacted: number])[] = [
  ["bundle", march, "3,7-9", 4],
  ["portable-receipt", portableReceiptOf(kernel, march, 5), "5", 1],
  ["stream", issueStreamSegment(run, { key_hints: [keyHint(kernel, SERVICE.publicKeyHex)] }), "1-2", 2],
  ["receipt", receipt, "5", 1],
];
for (const [kind, object, seq, redacted] of redactable)
  test(`redact: a ${kind} without payloads verifies as before`, async () => {
    const [file, out] = [put(`${kind}.json`, object), `${kind}.redacted.json`];
    const outcome = await svc(["bundles", "redact", "--file", file, "--seq", seq, "--out", out]);
    assert.deepEqual([outcome.code, outcome.stderr], [0, ""]);
    assert.deepEqual(verified(read(out)), { kind, redacted });
    assert.deepEqual(verified(read(file)), { kind, redacted: 0 });
  });

test("extract and export: the portable receipt that core cuts, on standard output where no file is named", async () => {
  const portable = `${Buffer.from(kernel.canonicalize(portableReceiptOf(kernel, march, 5)))}\n`;
  for (const command of [
    ["bundles", "extract"],
    ["receipts", "export"],
  ])
    assert.deepEqual(await svc([...command, "--file", "march.bundle.json", "--seq", "5"]), {
      stdout: portable,
      stderr: "",
      code: 0,
    });
  const earlier = await svc(["bundles", "extract", "--file", "march.bundle.json", "--seq", "5", "--checkpoint", "1"]);
  assert.equal(JSON.parse(earlier.stdout).checkpoint.checkpoint_no, 1);
  assert.equal(verified(Buffer.from(portable)).kind, "portable-receipt");
});

test("note: byte for byte, the newest or the one asked for", async () => {
  const [first, newest] = march.artifacts["checkpoints.json"].map(({ note }) => note);
  const note = ["bundles", "note", "--file", "march.bundle.json"];
  assert.equal((await svc(note)).stdout, newest);
  assert.equal((await svc([...note, "--checkpoint", "1"])).stdout, first);
  assert.equal((await svc([...note, "--out", "march.checkpoint"])).code, 0);
  assert.equal(read("march.checkpoint").toString(), newest);
});

test("tlog-proof: the proof that core issues, which can be parsed", async () => {
  const { stdout, code } = await svc(["bundles", "tlog-proof", "--file", "march.bundle.json", "--seq", "5"]);
  assert.equal(code, 0);
  assert.equal(stdout, issueEventProof(kernel, portableReceiptOf(kernel, march, 5)));
  assert.ok(parseTlogProof(stdout).ok);
});

test("no file is written over without --force, and --force leaves none half written", async () => {
  const old = put("kept.json", "kept");
  const extract = ["bundles", "extract", "--file", "march.bundle.json", "--seq", "5", "--out", old];
  const refused = await svc(extract);
  assert.equal(
    said(refused),
    'svc: Cannot write "kept.json": it is there already. Give another name, or --force to write over it.',
  );
  assert.deepEqual([refused.code, refused.stdout, read(old).toString()], [64, "", "kept"]);
  assert.equal((await svc([...extract, "--force"])).code, 0);
  assert.equal(verified(read(old)).kind, "portable-receipt");
  assert.deepEqual(
    readdirSync(FOLDER).filter((name) => name.endsWith(".tmp")),
    [],
  );
});

test("--force leaves a device alone", async () => {
  const args = ["bundles", "note", "--file", "march.bundle.json", "--out", "/dev/null", "--force"];
  assert.equal(
    said(await svc(args)),
    'svc: Cannot write "/dev/null": it is a folder or a device, not a file. Name a file.',
  );
});

const broken = put(
  "broken.bundle.json",
  changed(march, ({ payloads, artifacts }) => {
    payloads[artifacts["receipts.json"][4].stream_event_id].payload.amount++;
    artifacts["checkpoints.json"][1].note = artifacts["checkpoints.json"][0].note;
  }),
);
const cut = (...args: string[]) => ["bundles", ...args, "--out", "never.json"];
const refusals: readonly (readonly [name: string, code: number, args: readonly string[], message: RegExp])[] = [
  ["redact: no such event", 64, cut("redact", "--file", "march.bundle.json", "--seq", "3,99"), /Event 99 is not in/],
  ["redact: no number", 64, cut("redact", "--file", "march.bundle.json", "--seq", "3,x"), /"x" is no event number/],
  ["redact: backwards", 64, cut("redact", "--file", "march.bundle.json", "--seq", "9-7"), /ends before it starts/],
  [
    "redact: more than memory has",
    64,
    cut("redact", "--file", "march.bundle.json", "--seq", "1-9007199254740991"),
    /names more than 1000000 events/,
  ],
  ["redact: twice", 64, cut("redact", "--file", "march.bundle.json", "--seq", "3", "--seq", "4"), /given twice/],
  [
    "redact: a window",
    66,
    cut("redact", "--file", put("w.json", march.artifacts["windows.json"][0]), "--seq", "1"),
    /looks like a window, and this command reads a bundle or a portable receipt/,
  ],
  [
    "redact: what does not hold",
    1,
    cut("redact", "--file", broken, "--seq", "3"),
    /does not hold, so nothing was written: .*Verify the file/,
  ],
  [
    "extract: no such event",
    64,
    cut("extract", "--file", "march.bundle.json", "--seq", "17"),
    /Event 17 is not in the bundle, which covers 1 to 16/,
  ],
  ["extract: zero", 64, cut("extract", "--file", "march.bundle.json", "--seq", "0"), /Give a whole number from 1 on/],
  [
    "extract: no such checkpoint",
    64,
    cut("extract", "--file", "march.bundle.json", "--seq", "5", "--checkpoint", "9"),
    /No checkpoint 9 of the bundle covers/,
  ],
  ["extract: a changed payload", 1, cut("extract", "--file", broken, "--seq", "5"), /payload_hash_mismatch/],
  [
    "extract: a receipt",
    66,
    cut("extract", "--file", "loan-1005.receipt.json", "--seq", "5"),
    /looks like a receipt, and this command reads a bundle/,
  ],
  ["note: of another checkpoint", 1, cut("note", "--file", broken), /note_mismatch/],
  [
    "note: no such checkpoint",
    64,
    cut("note", "--file", "march.bundle.json", "--checkpoint", "3"),
    /Checkpoint 3 is not in the bundle, which has 1 to 2/,
  ],
  ["tlog-proof: a changed note", 1, cut("tlog-proof", "--file", broken, "--seq", "1"), /note_mismatch/],
  [
    "show: not JSON",
    66,
    ["bundles", "show", "--file", put("no.json", "{")],
    /cannot be read as a bundle: json_malformed\. At byte 1/,
  ],
  [
    "show: a form that is wrong",
    66,
    ["bundles", "show", "--file", put("more.json", { ...march, more: 1 })],
    /unknown_member at \/more/,
  ],
  [
    "forks: a file with nothing to compare",
    66,
    [
      "forks",
      "find",
      put("inclusion.json", portableReceiptOf(kernel, march, 5).inclusion),
      "march.bundle.json",
      "--out",
      "never.json",
    ],
    /is an inclusion proof, which holds nothing to compare/,
  ],
  [
    "forks: no evidence",
    66,
    ["forks", "find", "march.bundle.json", "no.json", "--out", "never.json"],
    /cannot be read as evidence or as a signed note: json_malformed/,
  ],
  ["continuity: standard input", 64, ["bundles", "continuity", "-", "march.bundle.json"], /read from files/],
];
for (const [name, code, args, message] of refusals)
  test(`refused, and no file is left: ${name}`, async () => {
    const outcome = await svc(args);
    assert.match(said(outcome), message);
    assert.deepEqual([outcome.code, outcome.stdout, existsSync(join(FOLDER, "never.json"))], [code, "", false]);
  });

test("redact: a payload that fork evidence shows cannot be taken out, and is not passed off as gone", async () => {
  const { stdout } = await svc([
    "forks",
    "find",
    "march.bundle.json",
    "retold.bundle.json",
    "--out",
    "-",
    "--trust",
    "acme.trust.json",
  ]);
  const found = JSON.parse(stdout);
  const entry = march.payloads?.[found.left.stream_event_id] ?? retoldBundle.payloads?.[found.left.stream_event_id];
  const shown = changed(march, ({ artifacts, manifest }) => {
    manifest.artifact_hashes["forks.json"] = "0".repeat(64);
    artifacts["forks.json"] = [{ ...found, left: { ...found.left, ...entry } }];
  });
  const outcome = await svc(cut("redact", "--file", put("forked.bundle.json", shown), "--seq", "9"));
  assert.match(said(outcome), /The payloads of events 9 are in the fork evidence of this bundle too/);
  assert.deepEqual([outcome.code, existsSync(join(FOLDER, "never.json"))], [1, false]);
});

test("forks find: the proof verifies as fork evidence, also of two notes, and nothing found leaves no file", async () => {
  const outcome = await svc([
    "forks",
    "find",
    "march.bundle.json",
    "retold.bundle.json",
    "--out",
    "found.json",
    ...PIN,
  ]);
  assert.equal(outcome.code, 1);
  assert.equal(verified(read("found.json")).kind, "fork");
  const notes = [march, retoldBundle].map((bundle, index) => {
    return put(`${index}.checkpoint`, bundle.artifacts["checkpoints.json"][1]?.note);
  });
  const ofNotes = await svc(["forks", "find", ...notes, "--out", "notes-fork.json", ...PIN]);
  assert.equal(ofNotes.code, 1);
  assert.equal(verified(read("notes-fork.json")).kind, "fork");
  const none = await svc(["forks", "find", "march.bundle.json", "april.bundle.json", "--out", "none.json"]);
  assert.deepEqual([none.code, existsSync(join(FOLDER, "none.json"))], [0, false]);
});
