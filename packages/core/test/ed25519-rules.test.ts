/**
 * Protocol section 3 and libraries. Its table of fixtures shows the answers of this rule and of the two rules without
 * the cofactor, computed here from their words; its list of keys is complete; and Node's own library follows one of
 * them.
 */
import assert from "node:assert/strict";
import { createHash, createPublicKey, verify as nodeVerify } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Point } from "@noble/ed25519";
import { encodeHex, type Json, type ReceiptRecord, referenceKernel, type TrustPolicy, verify } from "../src/index.ts";
import { receiptBody } from "../src/objects/receipt.ts";
import { sealedBytes } from "../src/seal.ts";
import { REFUSED_KEYS } from "./minimal-verifier.ts";
import { readPage, sectionOf, tablesOf } from "./protocol-page.ts";

const cases = new URL("../../../fixtures/cases/receipt/", import.meta.url);
const section = sectionOf(readPage("protocol.md"), 3);
const table = tablesOf(section).find(({ columns }) => columns.includes("plain"));

test("the table names every fixture that tells rules apart", () => {
  const named = table?.rows.map(([cell = ""]) => /\[([\w-]+)\]/.exec(cell)?.[1]);
  const present = readdirSync(cases).flatMap((name) => (name.includes("ed25519-") ? [name.replace(".json", "")] : []));
  assert.deepEqual(named?.toSorted(), present.toSorted());
});

const rows = (table?.rows ?? []).map(([cell = "", ...answers]) => {
  const name = /\[([\w-]+)\]/.exec(cell)?.[1] ?? "";
  const { input, trust } = JSON.parse(readFileSync(new URL(`${name}.json`, cases), "utf8"));
  const record = JSON.parse(input) as ReceiptRecord;
  const message = sealedBytes(referenceKernel, "receipt", receiptBody(record), record.receipt.kid);
  const keyHex = (trust as TrustPolicy).signers[0]?.public_key_hex ?? "";
  return { name, answers, input, trust: trust as Json, message, keyHex, signature: record.receipt.signature };
});

for (const { name, answers, input, trust, message, keyHex, signature } of rows)
  test(`the row of ${name} is what the rules answer`, () => {
    const report = verify(new TextEncoder().encode(input), { trust });
    const here = report.checks.find(({ id }) => id === "receipt_signature")?.status === "pass";
    const { plain, strict } = withoutCofactor(keyHex, message, signature);
    assert.deepEqual(answers, [here, plain, strict].map(yesOrNo));
  });

test("Node's library follows one of the rules", () => {
  const answers = rows.map(({ keyHex, message, signature }) => {
    const x = Buffer.from(keyHex, "hex").toString("base64url");
    const key = createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } });
    return yesOrNo(nodeVerify(null, message, key, Buffer.from(signature, "hex")));
  });
  const columns = [0, 1, 2].map((column) => rows.map(({ answers }) => answers[column]).join());
  assert.ok(columns.includes(answers.join()), answers.join());
});

/** Returns the answers of the two rules without the cofactor, which also demand S below L. */
function withoutCofactor(keyHex: string, message: Uint8Array, signature: string) {
  const { n: order } = Point.CURVE();
  const [encodedR, s] = [signature.slice(0, 64), littleEndian(signature.slice(64))];
  const digest = createHash("sha512").update(encodedR, "hex").update(keyHex, "hex").update(message).digest("hex");
  // With ZIP 215's reading: any encoding of a point is one.
  const a = Point.fromHex(keyHex, true);
  const point = multiply(Point.BASE, s).subtract(multiply(a, littleEndian(digest) % order));
  const plain = s < order && point.toHex() === encodedR;
  return { plain, strict: plain && !a.isSmallOrder() && !point.isSmallOrder() };
}

/** Multiplies by doubling and adding alone, so that no part of small order is lost. */
function multiply(point: Point, scalar: bigint): Point {
  let [sum, doubled] = [Point.ZERO, point];
  for (let rest = scalar; rest > 0n; rest >>= 1n, doubled = doubled.double()) if (rest & 1n) sum = sum.add(doubled);
  return sum;
}

function littleEndian(hex: string): bigint {
  return BigInt(`0x${Buffer.from(hex, "hex").reverse().toString("hex")}`);
}

function yesOrNo(holds: boolean): string {
  return holds ? "yes" : "no";
}

test("the keys to refuse are those of small order, and those with a sign although x = 0", () => {
  const listed = [...section.matchAll(/^[0-9a-f]{64}$/gm)].map(([key]) => key);
  assert.deepEqual(listed, [...REFUSED_KEYS]);
  const generator = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
  const ofSmallOrder: string[] = [];
  for (let point = generator, count = 0; count < 8; count++, point = point.add(generator))
    ofSmallOrder.push(point.toHex());
  assert.equal(new Set(ofSmallOrder).size, 8);
  const withSign = ofSmallOrder.flatMap((key) => (Point.fromHex(key).x === 0n ? [negative(key)] : []));
  assert.deepEqual(listed.toSorted(), [...ofSmallOrder, ...withSign].toSorted());
});

/** Returns the encoding with its sign bit set. */
function negative(key: string): string {
  const bytes = Buffer.from(key, "hex");
  bytes[31] = (bytes[31] ?? 0) | 0x80;
  return encodeHex(bytes);
}
