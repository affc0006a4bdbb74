/** Capsules and provenance trees against the independent implementation: leaves, places, paths and roots. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readVectorJson, vectorEntries } from "@svc/testkit/vectors";
import { encodeHex, hexToBytes } from "../../src/encoding/hex.ts";
import { type CapsuleSize, type HashHex, makeCapsule, openField, slotOf } from "../../src/index.ts";
import { commitmentOf, type PlacedField } from "../../src/objects/capsule/commitment.ts";
import { isLeafAt, rootsOf } from "../../src/objects/capsule/paths.ts";
import { kernels } from "../kernel/kernels.ts";

const PATH = "provenance/trees.json";

interface CapsuleVector {
  readonly capsuleSize: CapsuleSize;
  readonly slotSalt: string;
  readonly installationId: string;
  readonly sourceRef: string;
  readonly fields: readonly PlacedField[];
  readonly leaves: readonly HashHex[];
  readonly commitments: Readonly<Record<"content" | "context" | "output" | "policy", HashHex>>;
  readonly capsulePath: readonly HashHex[];
  readonly capsuleRoot: HashHex;
  /** By index. */
  readonly paths: Readonly<Record<string, readonly HashHex[]>>;
}

interface RangeVector {
  readonly leaves: readonly string[];
  readonly provenance_root: string;
  readonly paths: readonly (readonly string[])[];
}

const trees = () => readVectorJson(PATH) as { readonly capsules: unknown; readonly provenance: unknown };

for (const kernel of kernels) {
  test(`${kernel.name}: a capsule has these leaves, places, paths and this root`, () => {
    const names = [
      "capsuleSize",
      "slotSalt",
      "installationId",
      "sourceRef",
      "fields",
      "leaves",
      "commitments",
    ] as const;
    const more = ["capsulePath", "capsuleRoot", "paths"] as const;
    for (const one of vectorEntries<CapsuleVector>(trees().capsules, [...names, ...more])) {
      const { capsuleSize, slotSalt, fields, leaves, capsuleRoot, paths } = one;
      for (const field of fields) {
        assert.equal(slotOf(kernel, field.name, slotSalt, capsuleSize), field.index, field.name);
        assert.equal(commitmentOf(kernel, one, field), leaves[field.index], field.name);
      }
      const decoy = (index: number) => leaves[index] as HashHex;
      const capsule = makeCapsule(kernel, { ...one, decoy });
      assert.deepEqual(capsule.leaves, leaves);
      assert.equal(capsule.capsuleRoot, capsuleRoot);
      assert.deepEqual(capsule.capsulePath, one.capsulePath);
      assert.deepEqual(capsule.commitments, one.commitments);
      assert.ok(rootsOf(kernel, [one])[0] === capsuleRoot);
      for (const field of fields) {
        const opened = openField(kernel, capsule, field.name);
        assert.deepEqual(opened.path, paths[field.index], field.name);
        assert.ok(
          isLeafAt(kernel, leaves[field.index] as HashHex, field.index, { capsuleSize, capsuleRoot, ...opened }),
        );
      }
    }
  });

  test(`${kernel.name}: the leaves of a range have this root and these paths`, () => {
    const names = ["stream_id", "from_seq_no", "to_seq_no", "leaves", "provenance_root", "paths"] as const;
    for (const one of vectorEntries<RangeVector & { stream_id: string; from_seq_no: number; to_seq_no: number }>(
      trees().provenance,
      names,
    )) {
      const hashes = kernel.leafHashes(one.leaves.map(hexToBytes));
      assert.equal(encodeHex(kernel.rootFromLeafHashes(hashes)), one.provenance_root);
      const paths = hashes.map((_, index) => kernel.proveInclusion(hashes, index).map(encodeHex));
      assert.deepEqual(paths, one.paths);
    }
  });
}
