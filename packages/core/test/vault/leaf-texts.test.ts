/** The digests of leaves and envelopes in bulk are those of the kernel's own canonical text, or missing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hexToBytes } from "../../src/index.ts";
import { leafHashesOf, type ProvenanceLeaf, provenanceLeaf } from "../../src/objects/bundle/provenance/leaves.ts";
import { digest } from "../../src/protocol.ts";
import type { HashHex } from "../../src/schema/atoms.ts";
import { kernels } from "../kernel/kernels.ts";

const HASH = "ab".repeat(32) as HashHex;

function leafOf(source_ref: string): ProvenanceLeaf {
  const hashes = { event_hash: HASH, envelope_hash: HASH, capsule_root: HASH };
  return { stream_id: "str_1", seq_no: 7, source_ref, installation_id: "ins_1", ...hashes };
}

for (const kernel of kernels) {
  const { name } = kernel;
  test(`${name}: texts with escapes, controls and pairs have the digest of their canonical text`, () => {
    for (const text of ["\\ud800", '"\\', "\u0000\u001f\u007f\u2028", "\u{1f600}", "é"]) {
      const leaf = leafOf(text);
      const own = digest(kernel, "leaf", { ...leaf });
      assert.equal(provenanceLeaf(kernel, leaf), own);
      assert.deepEqual(leafHashesOf(kernel, [leaf]), [kernel.leafHash(hexToBytes(own))]);
    }
  });

  test(`${name}: a text that is no Unicode has no digest`, () => {
    assert.throws(() => provenanceLeaf(kernel, leafOf("\ud800")), TypeError);
    assert.throws(() => leafHashesOf(kernel, [leafOf("a"), leafOf("\udc00b")]), TypeError);
  });
}
