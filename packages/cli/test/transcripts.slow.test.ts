/** The output of the commands that verify one file, for every result. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Bundle, findFork, referenceKernel } from "@svc/core";
import { WITNESS, WITNESS_POLICY } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { fork, march, marchToApril, portable, putRow, retoldBundle } from "./row.ts";
import { buildWithFault, bundle, changed, PIN, put, receipt, svc } from "./svc.ts";
import { type Case, testTranscripts } from "./transcript.ts";

const eventId = receipt.stream_event_id;
const offlineVerify = (...args: string[]) => ["bundles", "offline-verify", "--file", ...args];
const verifyPortable = (...args: string[]) => ["verify", "file", "--file", ...args];
const noteOf = ({ artifacts }: Bundle) => artifacts["checkpoints.json"][1]?.note ?? "";
const OTHER_STREAM = "str_01k30000000000000000000009";
const verifyReceipt = (...args: string[]) => ["receipts", "verify", "--file", ...args];

put(
  "payload.bundle.json",
  changed(bundle, ({ payloads }) => payloads[eventId].payload.amount++),
);
put(
  "removed.bundle.json",
  changed(bundle, ({ artifacts }) => artifacts["receipts.json"].splice(4, 1)),
);
put(
  "swapped.bundle.json",
  changed(bundle, ({ artifacts }) => artifacts["receipts.json"].reverse()),
);
put(
  "form.bundle.json",
  changed(bundle, ({ artifacts }) => {
    artifacts["receipts.json"][3].event_hash = "A\u202eB\u001b[31m";
    artifacts["windows.json"][1]["note\u001b]0;owned\u0007"] = 1;
  }),
);
put(
  "seq.receipt.json",
  changed(receipt, (copy) => copy.seq_no++),
);
put("twice.json", '{\n "manifest": {"bundle_id": "b"},\n "manifest": {}\n}\n');
put("package.json", '{"name": "app", "version": "1.0.0"}\n');
put("empty.json", "");
const text = JSON.stringify(bundle, null, 1);
put("cut.bundle.json", text.slice(0, 3000));
put("zip.json", Buffer.from("504b0304140000000800", "hex"));
put("error.json", "<!DOCTYPE html>\n<html><title>502 Bad Gateway</title></html>\n");
put("march.json.gz", gzipSync(text));
put("utf16.json", Buffer.from(`\ufeff${text}`, "utf16le"));
put("mark.json", `\ufeff${text}`);
put("key.json", "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIGJsYWNr\n-----END PRIVATE KEY-----\n");
put(
  "payload.portable.json",
  changed(portable, ({ receipt: { payload } }) => payload.amount++),
);
put(
  "path.consistency.json",
  changed(marchToApril, ({ consistency_path }) => {
    consistency_path[0] = "0".repeat(64);
  }),
);
put(
  "notes.fork.json",
  findFork(noteOf(march), noteOf(retoldBundle), {
    fork_id: "frk_01k30000000000000000000002",
    detected_at: "2026-04-01T08:00:00.000Z",
    kernel: referenceKernel,
  }),
);
put(
  "same.fork.json",
  changed(fork, (copy) => {
    copy.right = copy.left;
  }),
);
// A longer stream of the same service, under the name that the cases before it do not use.
const shortMarch = JSON.stringify(bundle, null, 1);
putRow();
put("march.bundle.json", shortMarch);
put("pin-witness.trust.json", {
  signers: [],
  witnesses: [{ name: WITNESS_POLICY.witnessKeys[0]?.name, public_key_hex: WITNESS.publicKeyHex }],
  quorum: 1,
  require: ["included", "witnessed"],
});
put("other.trust.json", { signers: [], expect: { stream_id: bundle.manifest.stream_id } });

put(
  "forged.bundle.json",
  changed(bundle, ({ seal }) => {
    seal.signature = "0".repeat(128);
  }),
);
const credulous = await buildWithFault("credulous", "verifyEd25519: (items) => items.map(() => true)");
const broken = await buildWithFault(
  "broken",
  'verifyEd25519: () => { throw new RangeError("no table\\u001b[31m"); }, openJson: () => { throw new ' +
    'TypeError("no memory"); }',
);

const cases: readonly Case[] = [
  ["bundle-verified", 0, offlineVerify("march.bundle.json", ...PIN)],
  ["bundle-verified-all", 0, offlineVerify("march.bundle.json", "--all", ...PIN)],
  [
    "bundle-verified-witness-pinned",
    0,
    offlineVerify("march.bundle.json", "--trust", "pin-witness.trust.json", ...PIN),
  ],
  ["bundle-untrusted", 2, offlineVerify("march.bundle.json")],
  ["bundle-untrusted-with-policy", 2, offlineVerify("march.bundle.json", "--trust", "pin-witness.trust.json")],
  ["bundle-rejected-payload", 1, offlineVerify("payload.bundle.json", ...PIN)],
  ["bundle-rejected-removed-unpinned", 1, offlineVerify("removed.bundle.json")],
  ["bundle-rejected-many", 1, offlineVerify("swapped.bundle.json", ...PIN)],
  ["bundle-rejected-form", 1, offlineVerify("form.bundle.json", ...PIN)],
  ["bundle-rejected-json", 1, offlineVerify("twice.json", ...PIN)],
  ["bundle-rejected-cut", 1, offlineVerify("cut.bundle.json", ...PIN)],
  ["bundle-rejected-is-receipt", 1, offlineVerify("loan-1005.receipt.json", ...PIN)],
  ["cross-check-verified", 0, offlineVerify("march.bundle.json", "--cross-check", ...PIN)],
  ["cross-check-untrusted", 2, verifyReceipt("loan-1005.receipt.json", "--cross-check")],
  ["cross-check-rejected", 1, offlineVerify("payload.bundle.json", "--cross-check", ...PIN)],
  ["cross-check-disagree", 1, offlineVerify("forged.bundle.json", "--cross-check", ...PIN), { program: credulous }],
  ["cross-check-failed", 1, verifyReceipt("loan-1005.receipt.json", "--cross-check", ...PIN), { program: broken }],
  ["receipt-verified", 0, verifyReceipt("loan-1005.receipt.json", ...PIN)],
  ["receipt-untrusted", 2, verifyReceipt("loan-1005.receipt.json")],
  [
    "receipt-untrusted-other-key",
    2,
    verifyReceipt("loan-1005.receipt.json", "--public-key-hex", testSigner("somebody else").publicKeyHex),
  ],
  ["receipt-rejected", 1, verifyReceipt("seq.receipt.json", ...PIN)],
  ["receipt-rejected-is-bundle", 1, verifyReceipt("march.bundle.json", ...PIN)],
  ["receipt-with-payload", 0, verifyReceipt("loan-1005.redacted.json", "--payload", "loan-1005.payload.json", ...PIN)],
  ["receipt-without-payload", 0, verifyReceipt("loan-1005.redacted.json", ...PIN)],
  [
    "receipt-with-other-salt",
    1,
    verifyReceipt(...["loan-1005.redacted.json", "--payload", "loan-1005.bare.json", "--salt", "0".repeat(32)], ...PIN),
  ],
  [
    "receipt-untrusted-with-payload",
    2,
    verifyReceipt("loan-1005.redacted.json", "--payload", "loan-1005.payload.json"),
  ],
  ["portable-verified", 0, verifyPortable("loan-1005.portable.json", ...PIN)],
  ["portable-untrusted", 2, verifyPortable("loan-1005.portable.json")],
  ["portable-rejected", 1, verifyPortable("payload.portable.json", ...PIN)],
  ["portable-rejected-is-consistency", 1, verifyPortable("march-to-april.json", ...PIN)],
  ["consistency-verified", 0, ["consistency", "verify", "--file", "march-to-april.json", ...PIN]],
  ["consistency-untrusted", 2, ["consistency", "verify", "--file", "march-to-april.json"]],
  ["consistency-rejected", 1, ["consistency", "verify", "--file", "path.consistency.json", ...PIN]],
  ["fork-verified", 0, ["forks", "verify", "--file", "fork.json", ...PIN]],
  ["fork-untrusted", 2, ["forks", "verify", "--file", "fork.json"]],
  ["fork-of-notes-untrusted", 2, ["forks", "verify", "--file", "notes.fork.json"]],
  ["fork-of-notes-verified", 0, ["forks", "verify", "--file", "notes.fork.json", ...PIN]],
  ["fork-rejected", 1, ["forks", "verify", "--file", "same.fork.json", ...PIN]],
  ["expected", 0, offlineVerify("march.bundle.json", "--stream", bundle.manifest.stream_id, "--to", "10", ...PIN)],
  ["range-incomplete", 1, offlineVerify("march.bundle.json", "--from", "3", "--to", "11", ...PIN)],
  ["required", 1, offlineVerify("march.bundle.json", "--require", "included,anchored", "--quorum", "1", ...PIN)],
  ["quiet", 0, offlineVerify("march.bundle.json", "--quiet", ...PIN)],
  ["input-empty", 66, offlineVerify("empty.json", ...PIN)],
  ["input-zip", 66, offlineVerify("zip.json", ...PIN)],
  ["input-html", 66, offlineVerify("error.json", ...PIN)],
  ["input-gzip", 66, offlineVerify("march.json.gz", ...PIN)],
  ["input-utf-16", 66, offlineVerify("utf16.json", ...PIN)],
  ["input-byte-order-mark", 66, offlineVerify("mark.json", ...PIN)],
  ["input-foreign-json", 66, offlineVerify("package.json", ...PIN)],
  ["input-private-key", 66, offlineVerify("key.json", ...PIN)],
  ["input-trust-policy", 66, offlineVerify("pin-witness.trust.json", ...PIN)],
  ["trust-is-evidence", 64, offlineVerify("march.bundle.json", "--trust", "march.bundle.json")],
  ["trust-is-private-key", 64, offlineVerify("march.bundle.json", "--trust", "key.json")],
  [
    "stream-contradicts",
    64,
    offlineVerify("march.bundle.json", "--stream", OTHER_STREAM, "--trust", "other.trust.json"),
  ],
  ["unknown-option", 64, offlineVerify("march.bundle.json", "--strict")],
];

testTranscripts("transcripts", cases);

/** As many lines as the smallest terminal has, without the call and the prompt. */
const SCREEN_LINES = 22;

test("a good verdict fits on one screen", async () => {
  const good = cases.filter(([name, code]) => code === 0 && !["bundle-verified-all", "quiet"].includes(name));
  assert.ok(good.length > 5);
  for (const [name, , args] of good) {
    if (args.includes("--cross-check")) continue;
    const { stdout } = await svc(args);
    assert.match(stdout, /^VERIFIED/, name);
    assert.ok(stdout.trimEnd().split("\n").length <= SCREEN_LINES, `${name}:\n${stdout}`);
  }
});
