/**
 * The line between a foreign file, which is no evidence, and broken evidence, which stays rejected: from both sides. A
 * forger must not be able to turn the one verdict into the other without removing everything by which a reader would
 * recognize the file as evidence.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { type JsonObject, referenceKernel, verify } from "@svc/core";
import { buildZip } from "@svc/testkit/evidence/build-zip";
import { packageInput, packageOf, partsOf } from "@svc/testkit/evidence/truth-packages";
import { decodeEvidence, foreignFormat, type OtherFormat, otherFormat } from "../src/index.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);
const CASES = new URL("../../../fixtures/cases/", import.meta.url);

/** Returns how bytes are taken: as a format, or with the verdict under no trust. */
function takenFor(bytes: Uint8Array): OtherFormat | "rejected" | "untrusted" | "verified" {
  const first = otherFormat(bytes, true);
  if (first !== null) return first;
  const report = verify(bytes, { kernel: referenceKernel });
  if (report.verdict !== "rejected") return report.verdict;
  return foreignFormat(report, decodeEvidence(referenceKernel, bytes)) ?? "rejected";
}

const zip = (...names: string[]) => buildZip(names.map((name) => ({ name, content: utf8("x") })));
const tar = new Uint8Array(1024);
tar.set(utf8("march.json"));
tar.set(utf8("ustar"), 257);

const receipt = JSON.parse(readFileSync(new URL("receipt/good.json", CASES), "utf8")).input as string;
const bundle = JSON.parse(readFileSync(new URL("bundle/good.json", CASES), "utf8")).input as string;
const endorsement = JSON.parse(readFileSync(new URL("key/good.json", CASES), "utf8")).input as string;
const { payload: _payload, payload_salt: _salt, ...withoutPayload } = JSON.parse(receipt) as JsonObject;
const redacted = JSON.stringify(withoutPayload);
/** An event of an event log as its list has it. */
const LOGGED = JSON.stringify({
  stream_event_id: "sev_01k30000000000000000001001",
  stream_id: "str_01k30000000000000000000001",
  system_id: "sys_01k30000000000000000000001",
  seq_no: 1,
  type: "login",
  status: "refused",
  source_ref: "session-1",
  occurred_at: "2026-03-01T10:15:30+01:00",
  received_at: "2026-03-01T09:15:31.000Z",
  event_hash: "0".repeat(64),
});
const unpacked = partsOf(await packageOf(await packageInput()));
const entry = (name: string) => unpacked.find((one) => one.name === name)?.content ?? utf8("");

const FOREIGN: readonly (readonly [OtherFormat, string | Uint8Array])[] = [
  ["json", '{"name": "app", "version": "1.0.0", "manifest": {"type": "module"}}'],
  ["json", "[]"],
  ["json", "42"],
  ["json", "null"],
  ["json", '"text"'],
  ["json", "{}"],
  ["json", '[{"id": 1, "seq_no": 2, "signature": "x", "payload": {}}]'],
  ["report", '{"verdict": "verified", "checks": [], "problems": [], "verifier": {}}'],
  ["no-json", '{\n  // the compiler\n  "compilerOptions": {}\n}'],
  ["no-json", "{'a': 1}"],
  ["no-json", "[INFO] started"],
  ["json-lines", `${receipt}\n${receipt}\n`],
  ["json-lines", `${receipt}\r\n${bundle}`],
  ["json-array", `[${receipt}, ${receipt}]`],
  ["json-array", entry("proofs.json")],
  ["package-part", entry("svc.truth-package.manifest.json")],
  // The answers of routes of lists: a page, several receipts, the keys of a service that has changed its key.
  ["list", `{"items": [${receipt}, ${receipt}], "next_cursor": null}`],
  ["list", `{"next_cursor": "MS4x", "items": [${redacted}]}`],
  ["list", `{"items": [${LOGGED}], "next_cursor": null}`],
  ["list", `{"receipts": [${receipt}, ${redacted}]}`],
  ["list", `{"origin": "acme.example", "keys": [{"kid": "x"}], "endorsements": [${endorsement}]}`],
  ["json", '{"items": [], "next_cursor": null}'],
  ["json", '{"items": [{"id": 1}], "next_cursor": null}'],
  ["csv", "time,place,magnitude\r\n2026-03-01,Reykjavik,4.1\r\n"],
  ["csv", "a;b\n1;2\n"],
  ["csv", "stream_event_id,seq_no\nsev_01k30000000000000000001001,1\n"],
  ["text", "Dear auditor,\n\nhere are the files.\n"],
  ["text", "signers:\n - acme\n"],
  ["text", "PKs are public keys.\n"],
  ["mail", "From: clerk@acme.example\nSubject: the bundle\n\nAttached.\n"],
  ["mail", "Received: from mx.example by acme.example\n"],
  ["mail", "From clerk@acme.example Mon Mar  2 09:00:00 2026\n"],
  ["base64", Buffer.from("x".repeat(200)).toString("base64").replace(/.{76}/g, "$&\n")],
  ["base64", Buffer.from('{"manifest": {}, "artifacts": {}, "seal": {"signature": 1}}').toString("base64url")],
  ["image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
  ["image", Buffer.from("ffd8ffe000104a464946", "hex")],
  ["tar", tar],
  ["sqlite", "SQLite format 3\0"],
  ["office", Buffer.from("d0cf11e0a1b11ae100000000", "hex")],
  ["binary", Buffer.from("7f454c4602010100000000000000000003003e00", "hex")],
  ["word", zip("[Content_Types].xml", "word/document.xml")],
  ["office", zip("[Content_Types].xml", "xl/workbook.xml")],
  ["other-zip", zip("holiday.jpg", "manifest.json", "events.csv")],
  ["other-zip", zip("march.bundle.json")],
  ["empty-zip", Buffer.from("504b0506000000000000000000000000000000000000", "hex")],
  ["tlog-proof", "c2sp.org/tlog-proof@v1\nindex 1\n"],
  [
    "note",
    "acme.example/log\n1\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n\n\u2014 acme.example " +
      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n",
  ],
];

test("a foreign file is no evidence, and known for what it is", () => {
  for (const [format, content] of FOREIGN) {
    const bytes = typeof content === "string" ? utf8(content) : content;
    assert.equal(takenFor(bytes), format, JSON.stringify(content).slice(0, 80));
  }
});

/** A good object of each kind. */
const GOOD = readdirSync(CASES).flatMap((kind) => {
  const cases = readdirSync(new URL(kind, CASES)).map(
    (name) =>
      JSON.parse(readFileSync(new URL(`${kind}/${name}`, CASES), "utf8")) as { verdict: string; input?: string },
  );
  const good = cases.find(({ verdict }) => verdict !== "rejected")?.input;
  return good === undefined ? [] : [{ kind, text: good, value: JSON.parse(good) as JsonObject }];
});

test("broken evidence stays rejected, however its text is broken", () => {
  assert.ok(GOOD.length >= 12, `${GOOD.length} kinds`);
  for (const { kind, text, value } of GOOD) {
    const half = Math.floor(text.length / 2);
    const broken: readonly string[] = [
      `x${text}`,
      `<${text}`,
      `//\n${text}`,
      `a,b\nc,d\n${text}`,
      `${text}${text}`,
      `${text}\n${text.slice(1)}`,
      `[${text}`,
      text.slice(1),
      text.replace(":", ""),
      text.replaceAll(",", ",,"),
      text.replaceAll('"', "'"),
      text.replaceAll('"', "\u201c"),
      text.replaceAll('":', '"  \n\t\n  :').replace("{", "{,"),
      text.replaceAll('"', ""),
      text.replace("{", "{,").replaceAll(/[a-z]_/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}_`),
      JSON.stringify(text),
      `{"a": ${text}, "b": ${text}}`,
      `[${text}, 1]`,
      `{"signers": [], "known_checkpoints": [${text}]}`,
      `{"verdict": 1, "checks": 1, "problems": 1, "verifier": ${text}}`,
      `${text.slice(0, half)}\0${text.slice(half)}`,
      `\0${text}`,
      `${" ".repeat(3 * 2 ** 20 - 20)}x${text}`,
    ];
    for (const one of broken) assert.equal(takenFor(utf8(one)), "rejected", `${kind}: ${one.trim().slice(0, 60)}`);
    // The mark of a package's manifest takes nothing else out.
    const format = '{"format": "SVC-TRUTH-PACKAGE-001", "ranges": [], ';
    assert.equal(takenFor(utf8(text.replace("{", format))), "rejected", kind);
    // Whole objects in another wrapping may be honest: they are not checked, and nobody is accused.
    assert.equal(takenFor(utf8(`${text}\n${text}`)), "json-lines", kind);
    assert.equal(takenFor(utf8(`[${text}]`)), "json-array", kind);
    assert.equal(takenFor(utf8(`{"items": [${text}], "next_cursor": null}`)), "list", kind);
    // The members of a list are no way out for an object that has any other.
    const lists: readonly JsonObject[] = [
      { items: [], next_cursor: null },
      { items: [value], next_cursor: null },
      { receipts: [value] },
      { origin: "acme.example", keys: [], endorsements: [JSON.parse(endorsement)] },
    ];
    for (const list of lists) {
      const [name] = Object.keys(list) as [string];
      // A name that the kind has itself, as the origin of a checkpoint, stays as the object has it.
      assert.equal(takenFor(utf8(JSON.stringify({ ...list, ...value }))), "rejected", `${kind} and ${name}`);
      const { [Object.keys(value)[0] ?? ""]: _, ...others } = value;
      assert.equal(takenFor(utf8(JSON.stringify({ ...list, ...others }))), "rejected", `${kind} less and ${name}`);
      assert.equal(takenFor(utf8(JSON.stringify({ ...list, more: value }))), "rejected", `${kind} beside ${name}`);
    }
    const alike = [
      `{"items": [${text}]}`,
      `{"items": ${text}, "next_cursor": null}`,
      `{"items": [${text}, 1], "next_cursor": null}`,
      `{"items": [${text}], "next_cursor": ${text}}`,
      `{"items": [{"a": ${text}}], "next_cursor": null}`,
      `{"receipts": [${text}, {"a": ${text}}]}`,
      `{"origin": "x", "keys": [${text}], "endorsements": [${endorsement}]}`,
      `{"origin": ${text}, "keys": [], "endorsements": [${endorsement}]}`,
    ];
    for (const one of alike) assert.equal(takenFor(utf8(one)), "rejected", `${kind}: ${one.slice(0, 40)}`);
    for (let length = 1; length < text.length; length += Math.ceil(text.length / 30))
      assert.equal(takenFor(utf8(text.slice(0, length))), "rejected", `${kind} cut at ${length}`);
  }
});

test("evidence stays rejected while any mark of it is left, whichever members are gone", () => {
  for (const { kind, value } of GOOD) {
    const names = Object.keys(value);
    for (const gone of names) {
      const { [gone]: _, ...others } = value;
      assert.ok(
        ["rejected", "untrusted", "verified"].includes(takenFor(utf8(JSON.stringify(others)))),
        `${kind}/${gone}`,
      );
      // One more member is no way out either.
      assert.equal(takenFor(utf8(JSON.stringify({ ...others, signers: [] }))), "rejected", `${kind}/${gone}`);
    }
    for (const kept of ["seal", "receipt", "manifest", "artifacts", "checkpoint", "window", "records"]) {
      if (!Object.hasOwn(value, kept) || JSON.stringify(value[kept]).length < 100) continue;
      assert.equal(takenFor(utf8(JSON.stringify({ [kept]: value[kept] }))), "rejected", `${kind}: nothing but ${kept}`);
    }
  }
});

test("a broken truth package stays rejected, however it was packed", async () => {
  const bytes = await packageOf(await packageInput());
  const parts = partsOf(bytes);
  const broken = [
    ...parts.map((_, gone) => buildZip(parts.filter((_part, index) => index !== gone))),
    ...parts.map((_, gone) => buildZip(parts.map((part, index) => (index === gone ? { ...part, name: "x" } : part)))),
    buildZip(parts.map((part) => ({ ...part, name: `march/${String(part.name)}` }))),
    buildZip(parts.map((part) => ({ ...part, name: String(part.name).toUpperCase() }))),
    buildZip([...parts, { name: "word/document.xml", content: utf8("x") }]),
    buildZip(parts.map((part) => ({ ...part, packed: deflateRawSync(part.content), method: 8, header: { flags: 8 } }))),
    Buffer.concat([utf8("MZ\0\0"), bytes]),
    Buffer.concat([bytes, utf8("x")]),
    // The directory alone names the entries.
    bytes.map((byte, at) => (at < 200 && at > 3 ? 0 : byte)),
  ];
  for (const [index, one] of broken.entries()) assert.equal(takenFor(one), "rejected", `${index}`);
  for (let length = 5; length < bytes.length; length += 211)
    assert.equal(takenFor(bytes.subarray(0, length)), "rejected", `cut at ${length}`);
});
