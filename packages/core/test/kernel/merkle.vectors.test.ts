/** Inclusion proofs of transparency-dev/merkle, good and bad, and the golden trees: roots, frontiers, paths. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { assertMembers, readVectorJson, vectorCases, vectorEntries } from "@svc/testkit/vectors";
import { encodeHex, hexToBytes } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

const TREES = "proofstream/trees.json";
/** In place of the data of larger trees. */
const DATA = "SHA-256 of the text 'leaf <i>', i from 0";

interface InclusionCase {
  readonly leafIdx: number;
  readonly treeSize: number;
  readonly root: string;
  readonly leafHash: string;
  readonly proof: readonly string[] | null;
  readonly desc: string;
  readonly wantErr: boolean;
}

interface Tree {
  readonly size: number;
  readonly data: readonly string[] | string;
  readonly root: string;
  readonly frontier: readonly string[];
  readonly inclusion: unknown;
  readonly consistency: unknown;
}

function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

for (const kernel of kernels) {
  test(`${kernel.name}: judges the inclusion proofs of transparency-dev/merkle`, () => {
    let accepted = 0;
    let refused = 0;
    // An index of 2^64-1 is rounded here, and stays outside any tree.
    for (const one of vectorCases<InclusionCase>("merkle/inclusion.jsonl")) {
      assertMembers(one, ["name", "leafIdx", "treeSize", "root", "leafHash", "proof", "desc", "wantErr"]);
      const verdict = kernel.verifyInclusion(
        fromBase64(one.leafHash),
        one.leafIdx,
        one.treeSize,
        (one.proof ?? []).map(fromBase64),
        fromBase64(one.root),
      );
      assert.equal(verdict, !one.wantErr, one.name);
      if (one.wantErr) refused++;
      else accepted++;
    }
    assert.ok(accepted > 0 && refused > 0);
  });

  test(`${kernel.name}: makes and checks the golden trees`, () => {
    const trees = vectorEntries<Tree>(readVectorJson(TREES), [
      "size",
      "data",
      "root",
      "frontier",
      "inclusion",
      "consistency",
    ]);
    for (const tree of trees) {
      const about = `size ${tree.size}`;
      const data = Array.from({ length: tree.size }, (_, i) => createHash("sha256").update(`leaf ${i}`).digest("hex"));
      assert.deepEqual(tree.data, tree.size <= 8 ? data : DATA, about); // written out for the smaller trees only
      const leaves = data.map((hex) => kernel.leafHash(hexToBytes(hex)));
      const root = hexToBytes(tree.root);
      const frontier = kernel.appendToFrontier(0, [], leaves);
      assert.deepEqual(frontier.map(encodeHex), tree.frontier, about);
      assert.equal(encodeHex(kernel.rootFromFrontier(frontier)), tree.root, about);
      assert.equal(encodeHex(kernel.rootFromLeafHashes(leaves)), tree.root, about);

      const inclusions = vectorEntries<{ index: number; path: string[] }>(tree.inclusion, ["index", "path"]);
      for (const { index, path } of inclusions) {
        assert.deepEqual(kernel.proveInclusion(leaves, index).map(encodeHex), path, `${about}, index ${index}`);
        const leaf = leaves[index] ?? root;
        assert.ok(
          kernel.verifyInclusion(leaf, index, tree.size, path.map(hexToBytes), root),
          `${about}, index ${index}`,
        );
      }

      if (tree.size === 1) {
        assert.deepEqual(tree.consistency, []);
        continue;
      }
      for (const { from, path } of vectorEntries<{ from: number; path: string[] }>(tree.consistency, [
        "from",
        "path",
      ])) {
        assert.deepEqual(kernel.proveConsistency(leaves, from).map(encodeHex), path, `${about}, from ${from}`);
        const fromRoot = kernel.rootFromLeafHashes(leaves.slice(0, from));
        const verdict = kernel.verifyConsistency(from, fromRoot, tree.size, root, path.map(hexToBytes));
        assert.ok(verdict, `${about}, from ${from}`);
      }
    }
  });
}
