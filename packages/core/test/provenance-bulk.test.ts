/**
 * A large bundle over a provenance stream is read in bulk, and its report is the one of the way one by one. Its mutants
 * are in provenance-bulk.slow.test.ts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveAssurance, type Json, verify } from "../src/index.ts";
import { Examination } from "../src/report/examination.ts";
import { readInBulk } from "../src/verify/read-in-bulk.ts";
import { vaultEvidence } from "../src/verify/vaults.ts";
import { bundles, kernel, policies } from "./large-vault-bundles.ts";

for (const [name, bundle] of bundles)
  test(`a large bundle of vaults, ${name}, is read in bulk with the report of the way one by one`, () => {
    const bytes = kernel.canonicalize(bundle as unknown as Json);
    for (const [whose, policy] of Object.entries(policies)) {
      const read = readInBulk(new Examination(kernel, policy), bytes, vaultEvidence);
      assert.notEqual(read?.bulk.provenance, undefined, whose);
      assert.ok(read?.bulk.provenance?.envelopes.every((one) => one !== null && one.holdsUnder !== null));
      assert.deepEqual(
        verify(bytes, { kernel, trust: policy }),
        deriveAssurance(bytes, { kernel, trust: policy }).report,
      );
    }
  });
