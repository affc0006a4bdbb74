/** Mistakes in a call: each has its own line on stderr, its exit code, and no verdict on stdout. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { MAX_INPUT_BYTES, readInput } from "../src/input.ts";
import { bundle, FOLDER, KEY, type Outcome, PIN, put, receipt, svc } from "./svc.ts";

const GOOD = ["receipts", "verify", "--file", "loan-1005.receipt.json"];

/** Returns the words of `svc` on stderr, with its wrapping undone. */
function said({ stderr }: Outcome): string {
  return stderr.trim().replace(/\n {5}/g, " ");
}

function refuses(name: string, args: readonly string[], code: number, message: string | RegExp): void {
  test(name, async () => {
    const outcome = await svc(args);
    assert.equal(outcome.stdout, "");
    if (typeof message === "string") assert.equal(said(outcome), `svc: ${message}`);
    else assert.match(said(outcome), message);
    assert.equal(outcome.code, code);
  });
}

const GIVE_HEX = "Give the raw Ed25519 public key as 64 lowercase hex characters.";
const pem =
  "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC " +
  "KEY-----\n";
put("acme.key", `${KEY}\n`);
const keys: readonly (readonly [name: string, key: string, message: string])[] = [
  ["one short", KEY.slice(1), `the key has 63 characters and must have 64. ${GIVE_HEX} Was all of it copied?`],
  ["one long", `${KEY}0`, `the key has 65 characters and must have 64. ${GIVE_HEX} Was all of it copied?`],
  [
    "a signature",
    KEY + KEY,
    `the key has 128 characters and must have 64. That is the length of a signature, or of a private key. ` +
      `${GIVE_HEX} Was all of it copied?`,
  ],
  ["empty", "", `the key is empty. ${GIVE_HEX} Is a variable unset?`],
  ["a PEM that was cut", pem.replace("rXAxZuE=", ""), `this PEM holds no whole public key of Ed25519. ${GIVE_HEX}`],
  [
    "a private key in PEM",
    pem.replaceAll("PUBLIC", "PRIVATE"),
    `this is a private key in PEM. Keep it secret; it is not needed here. ${GIVE_HEX}`,
  ],
  ["a key file", "acme.key", `this is a file, not a key. ${GIVE_HEX} The key is inside the file.`],
  [
    "a key file that is not there",
    "other.pem",
    `this looks like the name of a file, not a key. ${GIVE_HEX} The key is inside the file.`,
  ],
  [
    "a fingerprint",
    "ed25519-9f2c41d07be0a813",
    `this is a key's fingerprint, not the key. ${GIVE_HEX} A fingerprint is only for comparing.`,
  ],
  ["SSH", "ssh-ed25519 AAAAC3Nz", `this is an SSH key, not hex. ${GIVE_HEX}`],
  [
    "a verifier key",
    "acme.example+0a1b2c3d+AZu/RAlphM3+hUG6wWfcO5bIUIaqMLa2ywxcOK1wMWbh",
    `this is a verifier key of a signed note (name+id+key), not hex. ${GIVE_HEX}`,
  ],
  ["base64", Buffer.from(KEY, "hex").toString("base64"), `this looks like base64, not hex. ${GIVE_HEX}`],
  ["a letter", `${KEY.slice(0, 9)}g${KEY.slice(10)}`, `character 10 of the key is not a hex digit. ${GIVE_HEX}`],
];
for (const [name, key, message] of keys)
  refuses(`key: ${name}`, [...GOOD, "--public-key-hex", key], 64, `--public-key-hex: ${message}`);

test("a public key counts in each form in which people write one", async () => {
  const spki = Buffer.from(`302a300506032b6570032100${KEY}`, "hex").toString("base64");
  const forms = [
    `0x${KEY}`,
    KEY.toUpperCase(),
    KEY.replaceAll(/..(?!$)/g, "$&:"),
    KEY.replaceAll(/.{4}(?!$)/g, "$& "),
    `-----BEGIN PUBLIC KEY-----\n${spki}\n-----END PUBLIC KEY-----\n`,
  ];
  for (const form of forms) assert.equal((await svc([...GOOD, "--public-key-hex", form])).code, 0, form);
});

test("a bad key is refused beside a good one, and never repeated", async () => {
  const secret = "a".repeat(63);
  const outcome = await svc([...GOOD, ...PIN, "--public-key-hex", secret]);
  assert.equal(outcome.code, 64);
  assert.ok(!outcome.stderr.includes("aaaa"));
});

const SECTION_16 = "Correct the file; protocol section 16 names every member of a trust policy.";
const policies: readonly (readonly [name: string, content: unknown, message: string])[] = [
  ["empty", "", 'The trust file "t.json" is empty. Check that it is the file you meant.'],
  [
    "not JSON",
    "signers:\n  - acme\n",
    'The trust file "t.json" is not JSON as svc reads it: json_malformed at line 1, byte 1. The bytes are not ' +
      "one JSON text as RFC 8259 has it.",
  ],
  [
    "a name twice",
    '{"signers": [],\n "signers": []}',
    'The trust file "t.json" is not JSON as svc reads it: duplicate_name at line 2, byte 2. A member name appears ' +
      "twice in one object, so two readers could see two different values.",
  ],
  [
    "an unknown member",
    { signers: [], witness: [] },
    `The trust file "t.json" is no trust policy: unknown_member at /witness. The protocol names no member ` +
      `"witness" here. ${SECTION_16}`,
  ],
  [
    "no signers",
    {},
    `The trust file "t.json" is no trust policy: missing_member at /signers. The member "signers" is missing. ` +
      `${SECTION_16}`,
  ],
  [
    "two faults",
    { signer: [] },
    `The trust file "t.json" is no trust policy: missing_member at /signers (and 1 more). The member "signers" ` +
      `is missing. ${SECTION_16}`,
  ],
  [
    "a kid that is not its key's",
    { signers: [{ kid: "ed25519-0000000000000000", public_key_hex: KEY }] },
    `The trust file "t.json" is no trust policy: kid_mismatch at /signers/0/kid. ed25519-0000000000000000 is not ` +
      `the identifier of the key beside it. ${SECTION_16}`,
  ],
];
for (const [index, [name, content, message]] of policies.entries()) {
  const file = put(`trust-${index}.json`, content);
  refuses(`trust file: ${name}`, [...GOOD, ...PIN, "--trust", file], 64, message.replace("t.json", file));
}
refuses(
  "trust file: missing",
  [...GOOD, "--trust", "none.json"],
  66,
  'Cannot read "none.json": there is no such file. Check the name, and that you are in the right folder.',
);

const file = (path: string) => ["receipts", "verify", ...PIN, "--file", path];
mkdirSync(join(FOLDER, "exports"));
symlinkSync("loop", join(FOLDER, "loop"));
put("large.json", "");
// A hole of 1 TiB: to read it, or to make room for it, before the cap is checked would not end well.
truncateSync(join(FOLDER, "large.json"), 1024 ** 4);
refuses(
  "file: missing",
  file("none.json"),
  66,
  'Cannot read "none.json": there is no such file. Check the name, and that you are in the right folder.',
);
refuses(
  "file: missing, with a name that would colour the terminal",
  file("a\u001b[31m\u202e.json"),
  66,
  'Cannot read "a\\u{1b}[31m\\u{202e}.json": there is no such file. Check the name, and that you are in the ' +
    "right folder.",
);
refuses(
  "file: a folder",
  file("exports"),
  66,
  'Cannot read "exports": it is a folder, not a file. Name the file inside it.',
);
refuses(
  "file: under a file",
  file("acme.key/receipt.json"),
  66,
  'Cannot read "acme.key/receipt.json": a part of the path is not a folder. Check the path.',
);
refuses(
  "file: links in a circle",
  file("loop"),
  66,
  'Cannot read "loop": its symbolic links lead in a circle. Name the file itself.',
);
refuses(
  "file: a name too long",
  file("x".repeat(300)),
  66,
  /the name is too long\. Check the name; an option may be missing in front of it\.$/,
);
refuses(
  "file: larger than the cap",
  file("large.json"),
  66,
  `Cannot read "large.json": it is larger than ${MAX_INPUT_BYTES} bytes, the most that svc reads. Check that it ` +
    `is the file you meant; a truth package of up to 4 GiB is read by svc verify truth-package.`,
);

test("the cap holds for input of unknown length, and leaves what just fits", async () => {
  await assert.rejects(readInput("/dev/zero", 100_000), /"\/dev\/zero": it is larger than 100000 bytes/);
  const path = join(FOLDER, put("exact.json", "x".repeat(1000)));
  assert.equal((await readInput(path, 1000)).length, 1000);
  await assert.rejects(readInput(path, 999), /larger than 999 bytes/);
});

test("file: not allowed to read", async () => {
  const path = put("private.json", receipt);
  chmodSync(join(FOLDER, path), 0o000);
  // Every file is readable to root, so the call is then made as nobody.
  const outcome = await svc(file(path), process.getuid?.() === 0 ? { uid: 65534 } : {});
  assert.equal(
    said(outcome),
    'svc: Cannot read "private.json": you are not allowed to read it. Ask its owner for leave to read it, or ' +
      "copy it to a place of yours.",
  );
  assert.equal(outcome.code, 66);
});

const help = (path: string) => `"${path} --help" shows how it is called.`;
refuses("call: no file", ["receipts", "verify"], 64, `missing required argument 'file' ${help("svc receipts verify")}`);
refuses(
  "call: two files",
  [...GOOD, "--file", "march.bundle.json"],
  64,
  `option '--file <path>' argument 'march.bundle.json' is invalid. It is given twice. ${help("svc receipts verify")}`,
);
refuses(
  "call: a file as an option and as a word",
  [...GOOD, "march.bundle.json"],
  64,
  `the file is given twice ${help("svc receipts verify")}`,
);
refuses(
  "call: an unknown option",
  [...GOOD, "--publc-key-hex", KEY],
  64,
  `unknown option '--publc-key-hex' (Did you mean --public-key-hex?) ${help("svc receipts verify")}`,
);
refuses(
  "call: an unknown option with a line break in it",
  [...GOOD, "--x\nsvc: VERIFIED\u0007"],
  64,
  `unknown option '--x\\u{a}svc: VERIFIED\\u{7}' ${help("svc receipts verify")}`,
);
refuses("call: an unknown command", ["bundle"], 64, `unknown command 'bundle' (Did you mean bundles?) ${help("svc")}`);
refuses(
  "call: an unknown colour",
  [...GOOD, "--color", "red"],
  64,
  `option '--color <when>' argument 'red' is invalid. Allowed choices are auto, always, never. ` +
    `${help("svc receipts verify")}`,
);
refuses(
  "call: standard input twice",
  ["receipts", "verify", "--file", "-", "--trust", "-"],
  64,
  "--file and --trust cannot both be standard input. Give one of them as a file.",
);
refuses(
  "call: an unknown kernel",
  [...GOOD, "--kernel", "rust"],
  64,
  `option '--kernel <name>' argument 'rust' is invalid. Allowed choices are wasm, reference. ` +
    `${help("svc receipts verify")}`,
);
refuses(
  "call: one kernel and both",
  [...GOOD, "--kernel", "wasm", "--cross-check"],
  64,
  `option '--cross-check' cannot be used with option '--kernel <name>' ${help("svc receipts verify")}`,
);
refuses(
  "call: conformance of an unknown kernel",
  ["conformance", "--kernel", "rust"],
  64,
  `option '--kernel <name>' argument 'rust' is invalid. Allowed choices are wasm, reference. ` +
    `${help("svc conformance")}`,
);
refuses(
  "call: conformance of a file",
  ["conformance", "cases.jsonl"],
  64,
  `too many arguments for 'conformance'. Expected 0 arguments but got 1. ${help("svc conformance")}`,
);
refuses("call: nothing", [], 64, /^Usage: svc /);
refuses("call: a family without a command", ["bundles"], 64, /^Usage: svc bundles /);

test("standard input is read for -, as evidence or as trust", async () => {
  const whole = JSON.stringify(bundle);
  const fromStdin = await svc(["bundles", "offline-verify", "--file", "-", ...PIN], { stdin: whole });
  assert.equal(fromStdin.code, 0);
  const trust = JSON.stringify({ signers: [], expect: { to_seq_no: 11 } });
  const expected = await svc(["bundles", "offline-verify", "--file", "march.bundle.json", "--trust", "-", ...PIN], {
    stdin: trust,
  });
  assert.match(expected.stdout, /range_incomplete/);
  assert.equal(expected.code, 1);
  const nothing = await svc(["bundles", "offline-verify", "--file", "-", ...PIN], { stdin: "" });
  assert.match(said(nothing), /^svc: NO EVIDENCE: Standard input is empty\. /);
  assert.deepEqual([nothing.code, nothing.stdout], [66, ""]);
});
