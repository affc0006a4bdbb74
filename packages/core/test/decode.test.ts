/** decode returns values with the form of their kind, the first fault of all others, and verifies nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream } from "@svc/testkit/evidence/service";
import { decode, type Json, referenceKernel } from "../src/index.ts";

const kernel = referenceKernel;
const bundle = await bundleOf(await issueStream(4));
const bytesOf = (value: unknown) => kernel.canonicalize(value as Json);

test("an object of its form comes back, with its kind, though its signature is wrong", () => {
  const forged = { ...bundle, seal: { ...bundle.seal, signature: "0".repeat(128) } };
  assert.deepEqual(decode(kernel, bytesOf(forged)), { ok: true, kind: "bundle", value: forged });
});

const faults: readonly (readonly [name: string, bytes: Uint8Array, code: string, path: string, kind: string | null])[] =
  [
    ["no JSON", new TextEncoder().encode("{"), "json_malformed", "", null],
    ["no kind", bytesOf({ a: 1 }), "unsupported_object", "", null],
    ["a member too many", bytesOf({ ...bundle, more: 1 }), "unknown_member", "/more", "bundle"],
    [
      "what the schema cannot say",
      bytesOf({ ...bundle, manifest: { ...bundle.manifest, from_seq_no: 3, to_seq_no: 2 } }),
      "malformed",
      "/manifest/to_seq_no",
      "bundle",
    ],
  ];
for (const [name, bytes, code, path, kind] of faults)
  test(`refused: ${name}`, () => {
    const decoded = decode(kernel, bytes);
    assert.ok(!decoded.ok);
    assert.deepEqual([decoded.code, decoded.path, decoded.kind], [code, path, kind]);
  });
