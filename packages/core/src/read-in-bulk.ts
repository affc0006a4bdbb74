/**
 * The fast way to a large bundle: its receipts and payloads are checked by the kernel as they stand in the bytes, and only what is left is
 * built as a value. It is taken only where all of them hold; the report is then the same as that of the way record by record.
 */
import { hexToBytes } from "./encoding/hex.ts";
import { detectKind, kindEntry } from "./kinds.ts";
import { type BulkReceipts, checkInBulk } from "./objects/bundle/bulk.ts";
import { hollowOut } from "./objects/bundle/hollow.ts";
import type { Bundle } from "./objects/bundle/schema.ts";
import { openKeys } from "./objects/key-endorsement.ts";
import { Examination } from "./report/examination.ts";
import { deepPayloads, shapeProblems } from "./schema/validate.ts";

/** Smaller objects are read whole: it costs nothing to speak of. */
const MIN_BYTES = 65_536;

/** A bundle without receipts and payloads, and what was found about these. */
export interface ReadInBulk {
  readonly bundle: Bundle;
  readonly bulk: BulkReceipts;
}

/** Reads bytes for this examination, which is left as it is; null where they must be read whole. */
export function readInBulk(exam: Examination, bytes: Uint8Array): ReadInBulk | null {
  if (bytes.length < MIN_BYTES || (exam.kind !== null && exam.kind !== "bundle")) return null;
  const opened = exam.kernel.openJson(bytes);
  if (!opened.ok) return null;
  const { document } = opened;
  try {
    const hollow = hollowOut(exam.kernel, document);
    if (hollow === null || (exam.kind ?? detectKind(hollow.value)) !== "bundle") return null;
    const { validator, faults } = kindEntry("bundle");
    const value = hollow.value;
    if (shapeProblems(validator, value).length + deepPayloads(value).length + faults(value as never).length > 0)
      return null;
    const bundle = value as unknown as Bundle;
    // Fork evidence asks which keys sealed what of the bundle.
    if (bundle.artifacts["forks.json"] !== undefined) return null;

    // Which keys there are, and how far trust reaches, by an examination of their own: this one must not note anything twice.
    const probe = new Examination(exam.kernel, exam.trust);
    openKeys(probe, bundle.key_hints, bundle.key_endorsements);
    if (probe.rejected) return null;
    const keys = new Map([...probe.keys.all()].map(([kid, publicKeyHex]) => [kid as string, hexToBytes(publicKeyHex)]));
    const bulk = checkInBulk(document, hollow, bundle, keys);
    if (bulk === null) return null;
    const scope = { streamId: bundle.manifest.stream_id, origin: bundle.artifacts["checkpoints.json"].at(-1)?.origin };
    const isDated = bulk.signers.some(({ kid, earliest }) => {
      const standing = probe.keys.standing(kid, scope);
      return standing.trusted && (standing.validTo !== null || (standing.validFrom ?? "") > earliest);
    });
    return isDated ? null : { bundle, bulk };
  } finally {
    document.close();
  }
}
