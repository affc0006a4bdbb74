/**
 * The small entry loads what judges vaults when it is needed: what they state, under a policy that speaks of them, in
 * packages too, has the report of the main entry.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { verify as small } from "../src/entries/verify.ts";
import { verify } from "../src/index.ts";

const CASES = new URL("../../../fixtures/cases/", import.meta.url);
const OF_VAULTS =
  /^(?:envelope|disclosure|vault-attestation|key-status|provenance-inclusion|provider-result|ivc-epoch)\//;

const names = readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".json") && (OF_VAULTS.test(name) || /^(?:bundle|truth-package)\/.*vault/.test(name)),
);

test("every fixture about vaults has the report of the main entry", async () => {
  assert.ok(names.length > 100, `${names.length}`);
  for (const name of names) {
    const { trust, input, input_base64 = "" } = JSON.parse(readFileSync(new URL(name, CASES), "utf8"));
    const bytes = new Uint8Array(input === undefined ? Buffer.from(input_base64, "base64") : Buffer.from(input));
    assert.deepEqual(await small(bytes, { trust }), verify(bytes, { trust }), name);
  }
});

test("a receipt under a policy that demands a level is refused, as by the main entry", async () => {
  const { trust, input } = JSON.parse(readFileSync(new URL("receipt/good.json", CASES), "utf8"));
  const bytes = new TextEncoder().encode(input);
  const demanding = { ...trust, require_assurance: "L0" };
  const report = await small(bytes, { trust: demanding });
  assert.deepEqual(report, verify(bytes, { trust: demanding }));
  assert.equal(report.problems[0]?.code, "assurance_insufficient");
});
