/**
 * Whole transcripts of calls, compared byte for byte with the files in `transcripts/`. UPDATE_TRANSCRIPTS=1 writes them anew; read the
 * difference before committing it.
 */
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { WITNESS, WITNESS_POLICY } from "../../core/test/service.ts";
import { testSigner } from "../../core/test/signer.ts";
import { buildWithFault, bundle, changed, PIN, put, receipt, steady, svc } from "./svc.ts";

const folder = fileURLToPath(new URL("transcripts", import.meta.url));
const isUpdate = process.env.UPDATE_TRANSCRIPTS === "1";
const eventId = receipt.stream_event_id;
const offlineVerify = (...args: string[]) => ["bundles", "offline-verify", "--file", ...args];
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
put("twice.json", '{\n "manifest": {},\n "manifest": {}\n}\n');
put("empty.json", "");
put("pin-witness.trust.json", {
  signers: [],
  witnesses: [{ name: WITNESS_POLICY.witnessKeys[0]?.name, public_key_hex: WITNESS.publicKeyHex }],
  quorum: 1,
  require: ["included", "witnessed"],
});

put(
  "forged.bundle.json",
  changed(bundle, ({ seal }) => {
    seal.signature = "0".repeat(128);
  }),
);
const credulous = await buildWithFault("credulous", "verifyEd25519: (items) => items.map(() => true)");
const broken = await buildWithFault(
  "broken",
  'verifyEd25519: () => { throw new RangeError("no table\\u001b[31m"); }, openJson: () => { throw new TypeError("no memory"); }',
);

const cases: readonly (readonly [name: string, code: number, args: readonly string[], program?: string])[] = [
  ["bundle-verified", 0, offlineVerify("march.bundle.json", ...PIN)],
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
  ["bundle-rejected-empty", 1, offlineVerify("empty.json", ...PIN)],
  ["bundle-rejected-is-receipt", 1, offlineVerify("loan-1005.receipt.json", ...PIN)],
  ["cross-check-verified", 0, offlineVerify("march.bundle.json", "--cross-check", ...PIN)],
  ["cross-check-untrusted", 2, verifyReceipt("loan-1005.receipt.json", "--cross-check")],
  ["cross-check-rejected", 1, offlineVerify("payload.bundle.json", "--cross-check", ...PIN)],
  ["cross-check-disagree", 1, offlineVerify("forged.bundle.json", "--cross-check", ...PIN), credulous],
  ["cross-check-failed", 1, verifyReceipt("loan-1005.receipt.json", "--cross-check", ...PIN), broken],
  ["receipt-verified", 0, verifyReceipt("loan-1005.receipt.json", ...PIN)],
  ["receipt-untrusted", 2, verifyReceipt("loan-1005.receipt.json")],
  [
    "receipt-untrusted-other-key",
    2,
    verifyReceipt("loan-1005.receipt.json", "--public-key-hex", testSigner("somebody else").publicKeyHex),
  ],
  ["receipt-rejected", 1, verifyReceipt("seq.receipt.json", ...PIN)],
  ["receipt-rejected-is-bundle", 1, verifyReceipt("march.bundle.json", ...PIN)],
];

for (const [name, code, args, program] of cases) {
  test(`transcript ${name}`, async () => {
    const outcome = await svc(args, program === undefined ? {} : { program });
    assert.equal(outcome.stderr, "");
    assert.equal(outcome.code, code);
    const lines = outcome.stdout.split("\n");
    assert.deepEqual(
      lines.filter((line) => [...line].length > 80),
      [],
      "80 columns are enough",
    );
    const path = join(folder, `${name}.txt`);
    const transcript = `$ svc ${args.join(" ")}\n${steady(outcome.stdout)}`;
    if (isUpdate) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, transcript);
    }
    assert.equal(transcript, readFileSync(path, "utf8"));
  });
}

test("there is no transcript without a case", () => {
  assert.deepEqual(readdirSync(folder).sort(), cases.map(([name]) => `${name}.txt`).sort());
});
