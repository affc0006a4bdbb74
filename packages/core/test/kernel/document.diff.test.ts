/** Documents: the parts that both kernels find, and the answers of recipes for records, against the plain functions. */
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import {
  type JsonDocument,
  type MemberPath,
  RECORD_BATCH,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
} from "../../src/kernel/document.ts";
import type { Json, Kernel } from "../../src/kernel/kernel.ts";
import { spellings } from "./json-texts.ts";
import { kernels } from "./kernels.ts";

const encoder = new TextEncoder();

function open(kernel: Kernel, text: string | Uint8Array): JsonDocument {
  const opened = kernel.openJson(typeof text === "string" ? encoder.encode(text) : text);
  assert.ok(opened.ok, JSON.stringify(opened));
  return opened.document;
}

/** Returns every path of a value, and some that lead nowhere. */
function pathsOf(value: Json): MemberPath[] {
  const inside = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [[], ["no such member"], ...inside.flatMap(([name, child]) => pathsOf(child).map((path) => [name, ...path]))];
}

function depthOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map((member) => depthOf(member as Json)));
}

/** Returns the value at a path, which exists. */
function valueAt(value: Json, path: MemberPath): Json {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  const [, child] = Object.entries(value ?? {}).find(([own]) => own === name) ?? assert.fail(`no ${name}`);
  return valueAt(child as Json, rest);
}

test("the parts of a document are the canonical bytes of its members, in both kernels", () => {
  let parts = 0;
  fc.assert(
    fc.property(spellings, (text) => {
      const parsed = kernels[0]?.parseJson(encoder.encode(text));
      if (parsed === undefined || !parsed.ok) return;
      for (const kernel of kernels) {
        const document = open(kernel, text);
        assert.equal(document.depth, depthOf(parsed.value));
        assert.deepEqual(document.value(), parsed.value);
      }
      for (const path of pathsOf(parsed.value)) {
        const [first, ...others] = kernels.map((kernel) => open(kernel, text).members(path));
        for (const other of others) assert.deepEqual(other, first);
        if (first === null || first === undefined) continue;
        const kernel = kernels[1] ?? assert.fail("two kernels");
        const document = open(kernel, text);
        const canonical = document.canonicalBytes();
        const container = valueAt(parsed.value, path);
        const members: [string, Json][] = Object.entries(container as object);
        assert.equal(first.count, members.length);
        for (let i = 0; i < first.count; i++) {
          const [nameStart = 0, nameEnd = 0]: Iterable<number> = first.names.subarray(2 * i);
          const start: number = first.values[2 * i] ?? 0;
          const end: number = first.values[2 * i + 1] ?? 0;
          const name: string = Array.isArray(container)
            ? `${i}`
            : JSON.parse(Buffer.from(canonical.subarray(nameStart, nameEnd)).toString());
          const member = members.find(([own]) => own === name) ?? assert.fail(`no member ${name}`);
          assert.equal(encodeHex(canonical.subarray(start, end)), encodeHex(kernel.canonicalize(member[1])));
          const prefix = encoder.encode("prefix");
          const expected = createHash("sha256").update(prefix).update(canonical.subarray(start, end)).digest("hex");
          assert.equal(encodeHex(document.hashPart(prefix, { start, end })), expected);
          parts++;
        }
      }
    }),
    { numRuns: runs(1500) },
  );
  assert.ok(parts > runs(500), `only ${parts} parts were looked at`);
});

/** Records like receipts: two digests, a signature over some members and fixed ones, two hashes. */
function recipe(keys: ReadonlyMap<string, Uint8Array>, closed: boolean): RecordRecipe {
  return {
    digests: [
      {
        prefix: encoder.encode("event\n"),
        members: { no: ["no"], id: ["id"], salt: ["seal", "salt"], kind: "fixed é" },
      },
      { prefix: new Uint8Array(), members: {} },
    ],
    signatures: [
      {
        prefix: encoder.encode("signed\n"),
        members: { id: ["id"], "\u{10000}": ["no"], "\ue000": ["payload"], kid: ["seal", "kid"], alg: "Ed25519" },
        signature: ["seal", "signature"],
        key: ["seal", "kid"],
        keys,
      },
    ],
    hashes: [["hash"], ["seal", "hash"]],
    literals: [["payload"], ["seal", "kid"]],
    objects: [["payload"]],
    closed,
  };
}

interface Key {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly raw: Uint8Array;
}

function makeKey(kid: string): Key {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return { kid, privateKey, raw: Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url") };
}

function makeRecord(kernel: Kernel, key: Key, no: number, payload: Json): Record<string, Json> {
  const id = `record-${no}`;
  const signed = { id, "\u{10000}": no, "\ue000": payload, kid: key.kid, alg: "Ed25519" };
  const message = Buffer.concat([Buffer.from("signed\n"), kernel.canonicalize(signed)]);
  const hash = createHash("sha256").update(`${no}`).digest("hex");
  const signature = sign(null, message, key.privateKey).toString("hex");
  return { no, id, payload, hash, seal: { kid: key.kid, salt: `${no}`, signature, hash } };
}

test("a recipe gives for many records what the plain functions give for each, in both kernels", () => {
  const [plain] = kernels;
  assert.ok(plain);
  const keys = [makeKey("key-a"), makeKey("key-\u00e9\n"), makeKey("stranger")] as const;
  const known = new Map(keys.slice(0, 2).map(({ kid, raw }) => [kid, raw]));
  const records = Array.from({ length: 300 }, (_, no) => {
    const record = makeRecord(plain, keys[no % 7 === 6 ? 2 : no % 2 === 0 ? 0 : 1], no, {
      n: [no, { deep: "\u0001" }],
    });
    const seal = record.seal as Record<string, Json>;
    // Some signatures are of another record; some records lack members that the recipe names, or have them in another
    // form.
    if (no % 11 === 3) seal.signature = "00".repeat(64);
    if (no % 13 === 4) seal.signature = `${seal.signature}`.toUpperCase();
    if (no % 17 === 5) delete record.hash;
    if (no % 19 === 6) record.seal = [seal];
    if (no % 23 === 7) record.hash = 7;
    if (no % 31 === 9) record.other = no;
    if (no % 41 === 11) record.payload = [no];
    if (no % 37 === 10) seal.other = no;
    if (no % 29 === 8) return no;
    return record as Json;
  });
  const literal = (value: Json | undefined) => Buffer.from(plain.canonicalize(value ?? null)).toString();
  for (const [kernel, closed] of kernels.flatMap((one) => [[one, false] as const, [one, true] as const])) {
    const wanted = recipe(known, closed);
    const object = Object.fromEntries(records.map((record, no) => [`r${String(no).padStart(4, "0")}`, record]));
    for (const container of [records, object]) {
      const document = open(kernel, JSON.stringify({ z: [0, container], a: {} }, null, 1));
      const [columns = assert.fail("records are there"), ...more] = document.records(["z", "1"], wanted) ?? [];
      assert.equal(more.length, 0);
      assert.equal(columns.count, records.length);
      let regular = 0;
      const [payloads = [], kids = []] = columns.literals.map(linesOf);
      const names = Array.isArray(container) ? [] : Object.keys(object).map((name) => JSON.stringify(name));
      assert.deepEqual(linesOf(columns.names), names);
      records.forEach((record, row) => {
        const about = `${kernel.name}, record ${row}`;
        const hasOthers =
          typeof record !== "object" ||
          record === null ||
          "other" in record ||
          "other" in ((record as { seal?: object }).seal ?? {});
        const expected = closed && hasOthers ? null : expectedRow(plain, record, known);
        assert.equal(columns.regular[row], expected === null ? 0 : 1, about);
        const cell = (column: Uint8Array | undefined, width: number) =>
          encodeHex((column ?? assert.fail(about)).subarray(row * width, (row + 1) * width));
        const zeros = "00".repeat(32);
        assert.equal(cell(columns.digests[0], 32), expected?.digest ?? zeros, about);
        assert.equal(
          cell(columns.digests[1], 32),
          expected === null ? zeros : encodeHex(plain.sha256(encoder.encode("{}"))),
          about,
        );
        assert.equal(columns.verdicts[0]?.[row], expected?.verdict ?? 0, about);
        assert.equal(cell(columns.hashes[0], 32), expected?.hash ?? zeros, about);
        assert.equal(cell(columns.hashes[1], 32), expected?.hash ?? zeros, about);
        const { payload, seal } = (expected === null ? {} : record) as { payload?: Json; seal?: Record<string, Json> };
        assert.equal(payloads[row], expected === null ? "" : literal(payload), about);
        assert.equal(kids[row], expected === null ? "" : literal(seal?.kid), about);
        if (expected !== null) regular++;
      });
      assert.ok(regular > 180 && regular < 290, `${regular} regular records`);
      assert.equal(new Set(columns.verdicts[0]).size, 3, "all three verdicts are there");
      assert.equal(document.records(["z", "0"], wanted), null);
      assert.equal(document.records(["y"], wanted), null);
      assert.deepEqual(
        [...(document.records(["a"], wanted) ?? [])].map(({ count }) => count),
        [0],
      );
    }
  }
});

test("many records come in batches, the same from both kernels, also while other documents are opened", () => {
  const records = Array.from({ length: 2 * RECORD_BATCH + 3 }, (_, no) =>
    no % 1000 === 999 ? no : { no, id: `${no}` },
  );
  const named = Object.fromEntries(records.map((record, no) => [`r${String(no).padStart(5, "0")}`, record]));
  const wanted: RecordRecipe = {
    digests: [{ prefix: encoder.encode("p"), members: { no: ["no"] } }],
    signatures: [],
    hashes: [],
    literals: [["id"]],
    objects: [],
    closed: true,
  };
  for (const container of [records, named, records.slice(0, RECORD_BATCH)]) {
    const text = JSON.stringify([container, {}]);
    const [first = [], ...others] = kernels.map((kernel) => {
      const batches: RecordColumns[] = [];
      for (const batch of open(kernel, text).records(["0"], wanted) ?? assert.fail("records are there")) {
        batches.push(structuredClone(batch));
        open(kernel, "[1]").close();
      }
      return batches;
    });
    for (const other of others) assert.deepEqual(other, first);
    const counts =
      Array.isArray(container) && container.length === RECORD_BATCH ? [RECORD_BATCH] : [RECORD_BATCH, RECORD_BATCH, 3];
    assert.deepEqual(
      first.map(({ count }) => count),
      counts,
    );
    const ids = first.flatMap(({ literals }) => linesOf(literals[0] ?? assert.fail("a column")));
    const expected = Object.values(container).map((record) => (typeof record === "object" ? `"${record.no}"` : ""));
    assert.deepEqual(ids, expected);
  }
});

/** Returns the lines of a text, each of which ends with a newline. */
function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString().split("\n").slice(0, -1);
}

function expectedRow(kernel: Kernel, record: Json, keys: ReadonlyMap<string, Uint8Array>) {
  if (typeof record !== "object" || record === null || Array.isArray(record)) return null;
  const { no, id, payload, hash, seal } = record as Record<string, Json>;
  if (typeof seal !== "object" || seal === null || Array.isArray(seal)) return null;
  const { kid, salt, signature, hash: sealHash } = seal as Record<string, Json>;
  const isHash = (value: Json | undefined): value is string =>
    typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
  if (Array.isArray(payload)) return null;
  if (!isHash(hash) || !isHash(sealHash) || !/^[0-9a-f]{128}$/.test(`${signature}`)) return null;
  const bytesOf = (prefix: string, value: Json) => Buffer.concat([Buffer.from(prefix), kernel.canonicalize(value)]);
  const publicKey = keys.get(`${kid}`);
  const message = bytesOf("signed\n", { id, "\u{10000}": no, "\ue000": payload, kid, alg: "Ed25519" } as Json);
  const [valid] =
    publicKey === undefined
      ? []
      : kernel.verifyEd25519([{ publicKey, message, signature: Buffer.from(`${signature}`, "hex") }]);
  return {
    digest: encodeHex(kernel.sha256(bytesOf("event\n", { no, id, salt, kind: "fixed é" } as Json))),
    verdict: valid === undefined ? SIGNATURE.noKey : valid ? SIGNATURE.valid : SIGNATURE.invalid,
    hash,
  };
}

for (const kernel of kernels) {
  test(`${kernel.name}: a document outlives others, and its own closing`, () => {
    const texts = ['{"b":1,"a":[2]}', "[3]", '{"c":{}}'];
    const documents = texts.map((text) => open(kernel, text));
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(
        documents.map((document) => Buffer.from(document.canonicalBytes()).toString()),
        ['{"a":[2],"b":1}', "[3]", '{"c":{}}'],
      );
      assert.deepEqual(
        documents.map((document) => document.members([])?.count),
        [2, 1, 1],
      );
      for (const document of documents) document.close();
    }
  });

  test(`${kernel.name}: a part outside of the document, and what is no recipe, are a caller's mistake`, () => {
    const document = open(kernel, " [1]");
    for (const [start, end] of [
      [0, 4],
      [-1, 2],
      [2, 1],
      [0.5, 1],
      [Number.NaN, 1],
    ])
      assert.throws(() => document.hashPart(new Uint8Array(), { start, end } as never), RangeError);
    const none = { digests: [], signatures: [], hashes: [], literals: [], objects: [], closed: false };
    const prefix = new Uint8Array();
    const manyMembers = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`m${i}`, [`m${i}`]]));
    for (const wrong of [
      { ...none, hashes: [[]] },
      { ...none, hashes: [Array(9).fill("deep")] },
      { ...none, digests: [{ prefix, members: manyMembers }] },
      {
        ...none,
        signatures: [{ prefix, members: {}, signature: ["s"], key: ["k"], keys: new Map([["k", new Uint8Array(31)]]) }],
      },
    ])
      assert.throws(() => document.records([], wrong), RangeError);
    assert.throws(
      () => document.records([], { ...none, digests: [{ prefix, members: { "\ud800": ["a"] } }] }),
      TypeError,
    );
    assert.deepEqual(
      [...(document.records([], none) ?? [])].map(({ count }) => count),
      [1],
    );
  });
}
