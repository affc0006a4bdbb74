/**
 * Wycheproof's Ed25519 cases and the golden vectors for the edges of protocol section 3, checked alone and together.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMembers, readVectorJson, vectorEntries } from "@svc/testkit/vectors";
import { hexToBytes } from "../../src/encoding/hex.ts";
import type { Kernel, SignatureItem } from "../../src/kernel/kernel.ts";
import { kernels } from "./kernels.ts";

const WYCHEPROOF = "ed25519/wycheproof-ed25519.json";
const GOLDEN = "proofstream/ed25519.json";

/**
 * Cases on which the cofactored rule of protocol section 3 departs from Wycheproof, by tcId, with the reason. It is
 * empty.
 */
const DEPARTURES: ReadonlyMap<string, string> = new Map();

interface Case {
  readonly name: string;
  readonly item: SignatureItem;
  readonly valid: boolean;
}

function readWycheproof(): Case[] {
  const file = readVectorJson(WYCHEPROOF);
  assertMembers(file, ["algorithm", "schema", "numberOfTests", "header", "notes", "testGroups"]);
  const { numberOfTests, testGroups } = file as { numberOfTests: number; testGroups: unknown };
  interface Group {
    readonly type: string;
    readonly source: unknown;
    readonly publicKey: { readonly pk: string };
    readonly publicKeyDer: string;
    readonly publicKeyPem: string;
    readonly publicKeyJwk: unknown;
    readonly tests: unknown;
  }
  interface Test {
    readonly tcId: number;
    readonly comment: string;
    readonly flags: unknown;
    readonly msg: string;
    readonly sig: string;
    readonly result: string;
  }
  const groups = vectorEntries<Group>(testGroups, [
    "type",
    "source",
    "publicKey",
    "publicKeyDer",
    "publicKeyPem",
    "publicKeyJwk",
    "tests",
  ]);
  const cases = groups.flatMap(({ publicKey, tests }) =>
    vectorEntries<Test>(tests, ["tcId", "comment", "flags", "msg", "sig", "result"]).map((test) => {
      assert.ok(test.result === "valid" || test.result === "invalid", `tcId ${test.tcId} is ${test.result}`);
      return {
        name: `${test.tcId}`,
        item: { publicKey: hexToBytes(publicKey.pk), message: hexToBytes(test.msg), signature: hexToBytes(test.sig) },
        valid: test.result === "valid",
      };
    }),
  );
  assert.equal(cases.length, numberOfTests);
  return cases;
}

function readGolden(): Case[] {
  interface Entry {
    readonly name: string;
    readonly public_key_hex: string;
    readonly message_hex: string;
    readonly signature_hex: string;
    readonly valid: boolean;
    readonly note: string;
  }
  return vectorEntries<Entry>(readVectorJson(GOLDEN), [
    "name",
    "public_key_hex",
    "message_hex",
    "signature_hex",
    "valid",
    "note",
  ]).map(({ name, public_key_hex, message_hex, signature_hex, valid }) => ({
    name,
    item: {
      publicKey: hexToBytes(public_key_hex),
      message: hexToBytes(message_hex),
      signature: hexToBytes(signature_hex),
    },
    valid,
  }));
}

/**
 * Returns the names of the cases that a kernel judges differently: each alone, all in one call, and each five times in
 * one call.
 */
function disagreements(kernel: Kernel, cases: readonly Case[]): string[] {
  const alone = cases.map(({ item }) => kernel.verifyEd25519([item]));
  const together = kernel.verifyEd25519(cases.map(({ item }) => item));
  assert.equal(together.length, cases.length);
  const five = [0, 1, 2, 3, 4];
  const repeated = kernel.verifyEd25519(five.flatMap(() => cases.map(({ item }) => item)));
  assert.equal(repeated.length, 5 * cases.length);
  return cases.flatMap(({ name, valid }, i) => {
    const verdicts = [...(alone[i] ?? []), together[i], ...five.map((round) => repeated[round * cases.length + i])];
    assert.equal(verdicts.length, 7);
    return verdicts.every((verdict) => verdict === valid) ? [] : [name];
  });
}

for (const kernel of kernels) {
  test(`${kernel.name}: agrees with Wycheproof`, () => {
    assert.deepEqual(disagreements(kernel, readWycheproof()), [...DEPARTURES.keys()]);
  });

  test(`${kernel.name}: agrees with the golden vectors on the edges of Ed25519`, () => {
    assert.deepEqual(disagreements(kernel, readGolden()), []);
  });
}
