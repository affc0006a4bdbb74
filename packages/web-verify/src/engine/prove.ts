/**
 * Portable proof that two files show two histories, where both hold a receipt of the event at which they differ
 * (protocol section 11, kind `head`). `svc forks find` also finds proof in windows and checkpoints, which takes more
 * code than a page should carry.
 */
import {
  detectKind,
  issueForkEvidence,
  type Json,
  type Kernel,
  type KeyHint,
  type ReceiptRecord,
  randomId,
  redactRecord,
  verify,
} from "@svc/core";

/** The members of objects that hold receipts, whichever kind it is. */
interface Holder {
  readonly records?: readonly ReceiptRecord[];
  readonly receipt?: ReceiptRecord;
  readonly artifacts?: { readonly "receipts.json": readonly ReceiptRecord[] };
  readonly key_hints?: readonly KeyHint[];
}

/** Returns proof as canonical JSON; null if one of the two holds no receipt of this event, or it would not hold. */
export function headProof(kernel: Kernel, values: readonly [Json, Json], seqNo: number): Uint8Array | null {
  const [left, right] = values.map((value) => receiptsIn(value).find((one) => one.seq_no === seqNo));
  if (left === undefined || right === undefined) return null;
  const hints = values.flatMap((value) => (value as Holder).key_hints ?? []);
  const own = new Map(hints.map((hint) => [hint.kid, hint]));
  const evidence = issueForkEvidence(redactRecord(left), redactRecord(right), {
    fork_id: randomId("frk", Date.now(), crypto.getRandomValues(new Uint8Array(16))),
    detected_at: new Date().toISOString(),
    stream_id: left.stream_id,
    kind: "head",
    key_hints: [...own.values()].filter(({ kid }) => [left, right].some(({ receipt }) => receipt.kid === kid)),
  });
  const bytes = kernel.canonicalize(evidence as unknown as Json);
  return verify(bytes, { kind: "fork", kernel }).verdict === "rejected" ? null : bytes;
}

function receiptsIn(value: Json): readonly ReceiptRecord[] {
  const holder = value as Holder;
  switch (detectKind(value)) {
    case "receipt":
      return [value as unknown as ReceiptRecord];
    case "portable-receipt":
      return holder.receipt === undefined ? [] : [holder.receipt];
    case "stream":
      return holder.records ?? [];
    case "bundle":
      return holder.artifacts?.["receipts.json"] ?? [];
    default:
      return [];
  }
}
