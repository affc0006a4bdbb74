/** The mutants of large bundles over provenance streams have the report of the way one by one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveAssurance, type Json, verify } from "../src/index.ts";
import { mutants } from "../src/tamper/index.ts";
import { bundles, kernel, trust } from "./large-vault-bundles.ts";

for (const [name, bundle] of bundles)
  test(`the mutants of a large bundle of vaults, ${name}, have the report of the way one by one`, () => {
    let [count, made] = [0, 0];
    const select = (_class: string, path: string) => /provenance|contents|vault_key/.test(path) && count++ % 199 === 0;
    for (const mutant of mutants("bundle", bundle as unknown as Json, { kernel, select })) {
      const about = `${mutant.path} ${mutant.description}`;
      const own = verify(mutant.bytes, { kernel, trust });
      assert.deepEqual(own, deriveAssurance(mutant.bytes, { kernel, trust }).report, about);
      made++;
    }
    assert.ok(made > 40, `${made} mutants`);
  });
