/**
 * Input that is no evidence at all, by its bytes or by its source: each has its own line, ends with 66, and no part of
 * it is repeated.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { referenceKernel, selectKernel } from "@svc/core";
import { otherThanEvidence } from "../src/evidence-file/not-evidence.ts";
import { readInput } from "../src/input.ts";
import { newKey } from "../src/keys/key-file.ts";
import { bundle, COMMAND, FOLDER, KEY, type Outcome, outerPath, PIN, put, receipt, runProcess, svc } from "./svc.ts";

const text = JSON.stringify(bundle, null, 1);
const utf8 = new TextEncoder();
const file = (path: string) => ["bundles", "offline-verify", "--file", path, ...PIN];
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const { pem, publicKeyHex } = newKey();
const bigEndian = (words: string) => Buffer.from(words, "utf16le").swap16();

const others: readonly (readonly [name: string, content: string | Uint8Array, what: RegExp])[] = [
  ["nothing", "", /is empty\. Check that it was downloaded/],
  ["a page", "\n<!doctype html><html><body>Not found</body></html>", /is an HTML or XML page.*error or a login page/],
  ["a page in XHTML", '<?xml version="1.0"?><html/>', /is an HTML or XML page/],
  [
    "an archive",
    Buffer.from("504b03041400000008000000", "hex"),
    /is a ZIP archive.*truth package, svc verify truth-package checks it/,
  ],
  ["an empty archive", Buffer.from("504b0506000000000000", "hex"), /is an empty ZIP archive/],
  ["gzip", gzipSync(text), /is compressed with gzip\. Unpack it first: gunzip/],
  ["zstd", Buffer.from("28b52ffd24", "hex"), /is compressed with zstd/],
  ["xz", Buffer.from("fd377a585a000004", "hex"), /is compressed with xz/],
  ["bzip2", "BZh91AY&SY", /is compressed with bzip2/],
  ["7z", Buffer.from("377abcaf271c0004", "hex"), /is a 7z archive/],
  ["a document", "%PDF-1.7\n", /is a PDF document/],
  ["UTF-16, little end first", Buffer.from(`\ufeff${text}`, "utf16le"), /is UTF-16 text.*iconv/],
  ["UTF-16, big end first", bigEndian(`\ufeff${text}`), /is UTF-16 text/],
  ["UTF-16 without a mark", Buffer.from(text, "utf16le"), /is UTF-16 text/],
  ["UTF-16 without a mark, big end first", bigEndian(text), /is UTF-16 text/],
  ["UTF-32", Buffer.from("fffe00007b000000", "hex"), /is UTF-32 text/],
  ["a byte-order mark", `\ufeff${text}`, /with a byte-order mark.*tail -c \+4/],
  ["a private key", pem, /is a private key\. Keep it secret/],
  ["a private key behind words", `Bag Attributes\n${pem}`, /is a private key/],
  ["a public key", "-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n", /is a key or a certificate in PEM/],
  ["a key in hex", `${KEY}\n`, /is a key or a hash in hex/],
  ["a verifier key", "acme.example+0a1b2c3d+AZu/RAlphM3+hUG6wWfcO5bIUIaqMLa2ywxcOK1wMWbh\n", /is a C2SP verifier key/],
  [
    "a mail",
    "From: clerk@acme.example\nSubject: march\n\n{}",
    /is a mail: it begins with a header.*Save its attachment/,
  ],
  ["a table", "a,b\n1,2\n", /is a table \(CSV\)/],
  [
    "receipts, one a line",
    `${JSON.stringify(receipt)}\n${JSON.stringify(receipt)}\n`,
    /NOT CHECKED: .* is several objects, one a line.*split -l 1/,
  ],
  ["a list of receipts", JSON.stringify([receipt, receipt]), /NOT CHECKED: .* is a list of objects.*into its own file/],
  [
    "a page of a list",
    JSON.stringify({ items: [receipt, receipt], next_cursor: "Mg" }),
    /NOT CHECKED: .* is a list from a service.*Get the receipt of an event, or an audit pack of a range/,
  ],
  ["the answer to a batch", JSON.stringify({ receipts: [receipt] }), /NOT CHECKED: .* is a list from a service/],
  ["an image", Buffer.from("89504e470d0a1a0a", "hex"), /is an image\. Ask for the evidence itself/],
  ["JSON of another program", '{"name": "app"}', /NO EVIDENCE: .* is JSON, but of no kind of evidence\. Check that/],
  ["a number", "42", /is JSON, but of no kind of evidence/],
  [
    "a tlog-proof",
    "c2sp.org/tlog-proof@v1\nindex 1\n",
    /NOT CHECKED: .* is a C2SP tlog-proof: evidence, but of a kind/,
  ],
  [
    "a trust policy with a fault",
    '{"signers": [], "known_checkpoints": [{"checkpoint_root": 1}]}',
    /is a trust policy/,
  ],
  ["a trust policy", JSON.stringify({ signers: [], quorum: 1 }), /is a trust policy.*Give it with --trust/],
];
for (const [index, [name, content, what]] of others.entries()) {
  test(`no evidence: ${name}`, async () => {
    const outcome = await svc(file(put(`other-${index}.json`, content)));
    assert.match(said(outcome), what);
    assert.deepEqual([outcome.code, outcome.stdout], [66, ""]);
    const body = pem.split("\n")[1] ?? "";
    assert.ok(!outcome.stderr.includes(body) && !outcome.stderr.includes(KEY), "nothing of it is repeated");
  });
}

test("what may be evidence is left to core: none of it is taken for something else", () => {
  const words = ["PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----", "<html>", "PK\u0003\u0004"];
  for (const word of words)
    for (const evidence of [{ note: word }, [word], word])
      assert.equal(otherThanEvidence(utf8.encode(` ${JSON.stringify(evidence)}`)), null, JSON.stringify(evidence));
  for (const other of ["{", "[", "null", "12", "\n\n{}", "{'a': 1}"])
    assert.equal(otherThanEvidence(utf8.encode(other)), null, other);
});

test("evidence is taken neither for a trust policy nor for a foreign file by a member more", async () => {
  for (const more of [
    { signers: [] },
    { signers: [], known_checkpoints: [] },
    { verdict: "verified", checks: [] },
    { items: [], next_cursor: null },
    { items: [receipt], next_cursor: null },
  ]) {
    const { stdout, code } = await svc(file(put("more.json", { ...bundle, ...more })));
    assert.match(stdout, /^REJECTED/);
    assert.equal(code, 1);
  }
});

test("a private key is never repeated, wherever it is given", async () => {
  const key = put("acme.pem", pem);
  const secret = pem.split("\n")[1] ?? "";
  const good = ["receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN];
  const calls: readonly (readonly [args: readonly string[], code: number])[] = [
    [file(key), 66],
    [[...good, "--trust", key], 64],
    [[...good, "--quorum", key], 64],
    [[...good, "--link", key], 66],
    [[...good, "--payload", key], 66],
    [[...good, "--public-key-hex", key], 64],
    [[...good, "--public-key-hex", pem], 64],
  ];
  for (const [args, code] of calls) {
    const outcome = await svc(args);
    assert.deepEqual([outcome.code, outcome.stdout], [code, ""], args.join(" "));
    assert.ok(!outcome.stderr.includes(secret) && !outcome.stderr.includes(publicKeyHex), args.join(" "));
  }
});

test("every command that reads evidence says what it got in its place", async () => {
  const page = put("login.json", "<html>Please log in</html>");
  for (const args of [
    ["bundles", "show", "--file", page],
    ["bundles", "continuity", page, page],
    ["bundles", "verify", "--file", page, "--server", "http://127.0.0.1:9"],
    ["forks", "find", "march.bundle.json", page, "--out", "never.json"],
    ["tamper", "--file", page, "--out", "never"],
    ["trust", "remember", page, "--trust", "own.json"],
  ]) {
    const outcome = await svc(args);
    assert.match(said(outcome), /"login\.json" is an HTML or XML page/, args.join(" "));
    assert.deepEqual([outcome.code, outcome.stdout], [66, ""]);
  }
});

test("white space is free: line ends of Windows, and none at all, give the same verdict", async () => {
  for (const written of [text.replaceAll("\n", "\r\n"), JSON.stringify(bundle), `\r\n\t ${text}\r\n`]) {
    const outcome = await svc(file(put("free.json", written)));
    assert.equal(outcome.code, 0, outcome.stderr);
  }
});

test("the bytes count, not the name: evidence that is called an archive is verified", async () => {
  assert.equal((await svc(file(put("march.zip", text)))).code, 0);
});

test("a file that ends early is rejected by core, and it is said wherever it was cut", async () => {
  const kernels = [referenceKernel, selectKernel("wasm")];
  const umlauts = utf8.encode(JSON.stringify({ ...receipt, source_ref: "Übergröße €𝕊" }));
  for (let length = 1; length < umlauts.length; length += 1) {
    const left = umlauts.subarray(0, length);
    for (const kernel of kernels) assert.ok(!kernel.parseJson(left).ok);
  }
  for (const length of [1, 2, 100, umlauts.length - 1, umlauts.indexOf(0xe2) + 1, umlauts.indexOf(0xf0) + 3]) {
    put("cut.json", umlauts.subarray(0, length));
    for (const kernel of ["wasm", "reference"]) {
      const { stdout, code } = await svc([...file("cut.json"), "--kernel", kernel]);
      assert.equal(code, 1);
      assert.match(stdout, /There the file ends, in the middle of its text: it was cut off\./, `${length} ${kernel}`);
    }
  }
  const whole = await svc(file(put("broken.json", `{"bundle_id": 1,, "b": ${"1".repeat(20)}`)));
  assert.equal(whole.code, 1);
  assert.doesNotMatch(whole.stdout, /There the file ends/);
});

test("a file larger than memory is refused before it is read", async () => {
  put("sparse.json", "");
  truncateSync(join(FOLDER, "sparse.json"), 5 * 1024 ** 3);
  const outcome = await svc(file("sparse.json"));
  assert.match(said(outcome), /it is larger than 1073741824 bytes/);
  assert.deepEqual([outcome.code, outcome.stdout], [66, ""]);
  const asPackage = await svc(["verify", "truth-package", "--file", "sparse.json"]);
  assert.match(said(asPackage), /it is larger than 4294967296 bytes.* ask for an export of a shorter range/s);
  assert.deepEqual([asPackage.code, asPackage.stdout], [66, ""]);
});

const onUnix = { skip: process.platform === "win32" };

test("a pipe that nobody writes to is given up by name, and one that is written to is read", onUnix, async () => {
  const pipe = join(FOLDER, "pipe");
  spawnSync("mkfifo", [pipe], { env: { PATH: outerPath() } });
  const patience = { unheldMs: 50, silentMs: 50 };
  await assert.rejects(
    readInput(pipe, 1000, patience),
    /pipe": it is a pipe, and nothing came out of it for 0\.05 sec/,
  );
  // Opened for both, the pipe has a writer at once; the child keeps it.
  const held = openSync(pipe, "r+");
  const silent = spawn("sleep", ["60"], { stdio: ["ignore", held, "ignore"] });
  closeSync(held);
  await assert.rejects(readInput(pipe, 1000, { unheldMs: 10_000, silentMs: 50 }), /nothing came out of it for 0\.05 s/);
  silent.kill();
  await once(silent, "close");
  const late = runProcess("sh", ["-c", "{ printf '{'; sleep 0.2; printf '}'; } > pipe"]);
  assert.equal(new TextDecoder().decode(await readInput(pipe, 1000, { unheldMs: 10_000, silentMs: 10_000 })), "{}");
  await late;
  const long = runProcess("sh", ["-c", "head -c 2000 /dev/zero > pipe"]);
  await assert.rejects(readInput(pipe, 1000), /larger than 1000 bytes/);
  await long;
  rmSync(pipe);
});

test("/dev/stdin and a shell's own pipes are read as files are", onUnix, async () => {
  const call = `${COMMAND} bundles offline-verify ${PIN.join(" ")}`;
  const commands = [
    `cat march.bundle.json | ${call} --file /dev/stdin`,
    `${call} --file /dev/stdin < march.bundle.json`,
    `${call} --file /dev/fd/0 < march.bundle.json`,
    `${call} --file <(cat march.bundle.json)`,
    `${call} --file <(sleep 0.3; cat march.bundle.json)`,
    `cat march.bundle.json | ${call} --file -`,
  ];
  for (const command of commands) {
    const { code, stderr } = await runProcess("bash", ["--norc", "-c", command]);
    assert.deepEqual([code, stderr], [0, ""], command);
  }
  // Here standard input is a socket, which cannot be opened by its name.
  const { code } = await svc(file("/dev/stdin"), { stdin: text });
  assert.equal(code, 0);
});
