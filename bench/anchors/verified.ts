/**
 * The cost of an anchor in the verification of a portable receipt, offline: its proofs are as deep as a large chain's.
 */
import { anchorOf, pinsOf } from "@svc/testkit/evidence/anchors";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import {
  type Json,
  type PublicKeyHex,
  pinKeys,
  portableReceiptOf,
  selectKernel,
  verify,
} from "../../packages/core/src/index.ts";
import { expectAnswer, interleave, type Row, row, timed } from "../measure.ts";
import type { AnchorBench } from "./bench.ts";

/** The branches above an account, and above a slot: more than any chain has. */
const DEPTH = 9;
const LIMIT_MS = 3;
const RECEIPTS = 50;

export async function verified({ rounds }: AnchorBench): Promise<Row[]> {
  const kernel = selectKernel("wasm");
  const evidence = await issueStream(10);
  const last = evidence.checkpoints.slice(-1);
  const anchor = await anchorOf(last, { depth: DEPTH });
  const bytesOf = async (anchors: readonly (typeof anchor)[]) =>
    kernel.canonicalize(portableReceiptOf(kernel, await bundleOf(evidence, 1, SERVICE, anchors), 5) as unknown as Json);
  const trust = { ...pinKeys(kernel, [SERVICE.publicKeyHex as PublicKeyHex]), ...pinsOf(anchor) };
  const contender = (bytes: Uint8Array, anchored: string) =>
    timed(
      RECEIPTS,
      () => Array.from({ length: RECEIPTS }, () => verify(bytes, { trust, kernel })),
      (reports) => {
        for (const { verdict, assurance } of reports) {
          expectAnswer("the verdict", verdict, "verified");
          expectAnswer("anchored", assurance.anchored, anchored);
        }
      },
    );
  const [withAnchor, without] = [await bytesOf([anchor]), await bytesOf([])];
  const contenders = [contender(withAnchor, "pinned"), contender(without, "none")];
  const [own = 0, other = 0] = (await interleave(contenders, { rounds, warmUpMs: 500 }, "ms")).map(
    (ms) => (ms ?? Number.NaN) / RECEIPTS,
  );
  return [
    row("one epoch's evidence, over the same receipt without", "ms", own - other, LIMIT_MS, "limit", { at_most: 1 }),
    row("portable receipt with an anchor", "ms", own, other, "without", null),
    row("the same, its size", "bytes", withAnchor.length, without.length, "without", null),
  ];
}
