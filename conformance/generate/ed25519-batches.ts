/** Level 2: `ed25519.batch`: bad items at every place, and items whose faults cancel in a careless sum. */
import assert from "node:assert/strict";
import { naiveVerify } from "@svc/testkit/oracles/naive-ed25519";
import { type Draft, hex } from "./draft.ts";
import { byNeutral, notReduced, offBy, type Signature, signed, withTorsion } from "./ed25519-signatures.ts";

/** Returns all cases of the family. */
export function batchDrafts(): Draft[] {
  const good = Array.from({ length: 40 }, (_, index) => signed(`batch ${index % 7}`, Buffer.from(`event ${index}`)));
  const first = good[0] as Signature;
  const bad = (index: number): Signature => ({
    ...(good[index] as Signature),
    message: Buffer.from("edited"),
    holds: false,
  });
  const cut = (index: number): Signature => ({
    ...(good[index] as Signature),
    signature: (good[index] as Signature).signature.slice(0, 63),
    holds: false,
  });
  const eight = good.slice(0, 8);
  const oddities = {
    torsion: withTorsion("batch torsion", 1),
    "not-reduced": notReduced("batch not reduced"),
    "neutral-key": byNeutral("batch neutral"),
    cut: cut(1),
    "no-key": { ...first, publicKey: new Uint8Array(), holds: false },
  };
  return [
    draft("none", []),
    ...[1, 2, 3, 8, 40].map((size) => draft(`good-${size}`, good.slice(0, size))),
    ...eight.map((_, at) => draft(`bad-at-${at}-of-8`, eight.with(at, bad(at)))),
    ...Array.from({ length: 17 }, (_, at) => draft(`bad-at-${at}-of-17`, good.slice(0, 17).with(at, bad(at)))),
    ...Array.from({ length: 7 }, (_, at) =>
      draft(`bad-two-from-${at}`, eight.with(at, bad(at)).with(at + 1, cut(at + 1))),
    ),
    draft(
      "all-bad",
      eight.map((_, at) => bad(at)),
    ),
    draft(
      "all-but-one-bad",
      eight.map((one, at) => (at === 5 ? one : bad(at))),
    ),
    draft(
      "every-second-bad",
      good.map((one, at) => (at % 2 === 0 ? one : bad(at))),
    ),
    draft("same-item-twice", [first, first, first]),
    draft("same-bad-item-twice", [bad(0), first, bad(0)]),
    ...Object.entries(oddities).flatMap(([slug, odd]) => [
      draft(`${slug}-first`, [odd, ...eight]),
      draft(`${slug}-in-the-middle`, eight.toSpliced(4, 0, odd)),
      draft(`${slug}-last`, [...eight, odd]),
      draft(`${slug}-alone`, [odd]),
    ]),
    // Their sum is right; each of them is wrong.
    draft("cancelling", [offBy("plus", 1n), offBy("minus", -1n)]),
    draft("cancelling-among-good", [...eight, offBy("plus", 1n), ...eight, offBy("minus", -1n)]),
    draft("cancelling-three", [offBy("one", 1n), offBy("two", 1n), offBy("minus two", -2n)]),
    ...[1, 2, 4].map((times) =>
      draft(`torsions-${times}`, [withTorsion("one", times), withTorsion("other", 8 - times), first]),
    ),
    draft(
      "all-torsions",
      Array.from({ length: 8 }, (_, times) => withTorsion(`of ${times}`, times)),
    ),
    draft("messages-exchanged", [
      { ...first, message: (good[1] as Signature).message, holds: false },
      { ...(good[1] as Signature), message: first.message, holds: false },
    ]),
    draft("signatures-exchanged", [
      { ...first, signature: (good[7] as Signature).signature, holds: false },
      { ...(good[7] as Signature), signature: first.signature, holds: false },
    ]),
  ];
}

function draft(slug: string, items: readonly Signature[]): Draft {
  const bad = items.flatMap(({ publicKey, message, signature, holds }, index) => {
    assert.equal(naiveVerify(publicKey, message, signature), holds, `${slug} ${index}`);
    return holds ? [] : [index];
  });
  const listed = items.map(({ publicKey, message, signature }) => ({
    public_key: hex(publicKey),
    message: hex(message),
    signature: hex(signature),
  }));
  return {
    name: `ed25519-batch/${slug}`,
    request: { op: "ed25519.batch", items: listed },
    expected: { ok: bad.length === 0, bad },
  };
}
