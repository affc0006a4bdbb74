/**
 * The fast way to read a large bundle: the kernel checks its receipts and payloads as they are in the bytes, and only
 * the rest is built as a value. It is used only if all of them hold; the report is then the same as that of the way
 * record by record.
 */
import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { JsonDocument } from "../kernel/document.ts";
import type { Json, Kernel } from "../kernel/kernel.ts";
import { type BulkReceipts, joinBulk } from "../objects/bundle/bulk.ts";
import { type Frame, frameOf } from "../objects/bundle/frame.ts";
import {
  divide,
  joinParts,
  type SharedBundle,
  share,
  stopTaking,
  type TakenPart,
  takeParts,
} from "../objects/bundle/parts.ts";
import type { ProvenanceDigests } from "../objects/bundle/provenance/bulk.ts";
import { type Bundle, isProvenanceBundle } from "../objects/bundle/schema.ts";
import { skeletonOf } from "../objects/bundle/skeleton.ts";
import { openKeys } from "../objects/key-endorsement.ts";
import { Examination } from "../report/examination.ts";
import { kindEntry, type VaultEvidence } from "./kinds.ts";

/** Smaller objects are read whole, at hardly any cost. */
const MIN_BYTES = 65_536;

/** A bundle without receipts and payloads, and the result for these. */
export interface ReadInBulk {
  readonly bundle: Bundle;
  readonly bulk: BulkReceipts;
  /** The bytes, and the places of the receipts and payloads in them. */
  readonly work: SharedBundle;
}

/** A bundle that can be read in bulk. None of its receipts and payloads has been looked at. */
interface OpenBundle {
  /** Canonical, and whole. */
  readonly bytes: Uint8Array;
  readonly frame: Frame;
  readonly bundle: Bundle;
  /** Knows the keys, and how trust reaches them. */
  readonly probe: Examination;
  /** The digests of a provenance part; null for a bundle without one. */
  readonly provenance: ProvenanceDigests | null;
}

/** Reads bytes for this examination, which does not change; null if they must be read whole. */
export function readInBulk(exam: Examination, bytes: Uint8Array, vaults?: VaultEvidence): ReadInBulk | null {
  const open = openInBulk(exam, bytes, vaults);
  if (open === null || !holdsArtifactHash(exam.kernel, open)) return null;
  const work = workOn(open);
  return join(exam.kernel, open, work, takeParts(exam.kernel, work));
}

/** Does the same as readInBulk, with the parts checked by other threads and this one. */
export async function readWithHelpers(
  exam: Examination,
  bytes: Uint8Array,
  helpers: readonly ((work: SharedBundle) => Promise<readonly TakenPart[]>)[],
  vaults?: VaultEvidence,
): Promise<ReadInBulk | null> {
  const open = openInBulk(exam, bytes, vaults);
  if (open === null) return null;
  const work = share(workOn(open));
  const answers = Promise.allSettled(helpers.map((help) => help(work)));
  try {
    const holds = holdsArtifactHash(exam.kernel, open);
    if (!holds) stopTaking(work);
    const own = takeParts(exam.kernel, work);
    // A part that a helper took and did not send back is missing, and is checked here.
    const others = (await answers).flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return holds ? join(exam.kernel, open, work, [...own, ...others]) : null;
  } finally {
    stopTaking(work);
  }
}

/** Opens bytes for this examination, which does not change; null if they must be read whole. */
export function openInBulk(exam: Examination, bytes: Uint8Array, vaults?: VaultEvidence): OpenBundle | null {
  if (bytes.length < MIN_BYTES || (exam.kind !== null && exam.kind !== "bundle")) return null;
  return openCanonical(exam, bytes, vaults) ?? openCanonical(exam, canonicalOf(exam.kernel, bytes), vaults);
}

/** Returns the canonical bytes of a text that is not canonical; null for any other. */
function canonicalOf(kernel: Kernel, bytes: Uint8Array): Uint8Array | null {
  const opened = kernel.openJson(bytes);
  if (!opened.ok) return null;
  const canonical = opened.document.isCanonical ? null : opened.document.canonicalBytes();
  opened.document.close();
  return canonical;
}

function openCanonical(exam: Examination, bytes: Uint8Array | null, vaults?: VaultEvidence): OpenBundle | null {
  const frame = bytes === null ? null : frameOf(bytes);
  if (bytes === null || frame === null) return null;
  const read = skeletonOf(exam.kernel, frame, (value, document) =>
    readBundle(exam, value, document, frame.bytes, vaults),
  );
  if (read === null) return null;
  const { bundle, provenance } = read;
  // The keys get a separate examination: this one must not note anything twice.
  const probe = new Examination(exam.kernel, exam.trust);
  openKeys(probe, bundle.key_hints, bundle.key_endorsements);
  return probe.rejected ? null : { bytes, frame, bundle, probe, provenance };
}

/** Returns a value as a bundle, with the digests of its provenance part; null if it must be read whole. */
function readBundle(
  { kernel, trust }: Examination,
  value: Json,
  document: JsonDocument,
  canonical: Uint8Array,
  vaults?: VaultEvidence,
): Pick<OpenBundle, "bundle" | "provenance"> | null {
  // A value with the shape of a bundle is one, even if it was asked for under another name.
  const checks = kindEntry("bundle", value, vaults);
  if (checks === null || checks.validator(value).length > 0) return null;
  const bundle = value as Bundle;
  // Fork evidence asks which keys sealed which part of the bundle.
  if (bundle.artifacts["forks.json"] !== undefined) return null;
  if (vaults === undefined || !isProvenanceBundle(value)) return { bundle, provenance: null };
  const told = (bundle.manifest.vault_key_lifecycle ?? []).map(({ publicKeyHex }) => publicKeyHex);
  const pinned = (trust.vaults ?? []).map(({ public_key_hex }) => public_key_hex);
  const provenance = vaults.digest(kernel, document, canonical, [...told, ...pinned]);
  return provenance === null ? null : { bundle, provenance };
}

/** Returns the work on it, in parts of about so many bytes. */
export function workOn({ bytes, frame, bundle, probe, provenance }: OpenBundle, partBytes?: number): SharedBundle {
  const keys = [...probe.keys.known()].map(([kid, key]): [string, Uint8Array] => [kid, hexToBytes(key)]);
  const context = { streamId: bundle.manifest.stream_id, keys: new Map(keys), isDescribed: provenance !== null };
  return divide(bytes, frame, context, partBytes);
}

/** Says whether the receipts, as they stand, have the hash that the manifest names. */
export function holdsArtifactHash(kernel: Kernel, { bytes, frame, bundle }: OpenBundle): boolean {
  const { start, end } = frame.receipts;
  return encodeHex(kernel.sha256(bytes.subarray(start, end))) === bundle.manifest.artifact_hashes["receipts.json"];
}

/** Joins all parts; null if not everything holds, or if the time of a signature matters. */
export function join(
  kernel: Kernel,
  { bundle, probe, provenance }: OpenBundle,
  work: SharedBundle,
  taken: readonly TakenPart[],
): ReadInBulk | null {
  const parts = joinParts(kernel, work, taken);
  const bulk = parts === null ? null : joinBulk(parts.payloads, parts.receipts);
  if (bulk === null) return null;
  const { manifest, artifacts } = bundle;
  const scope = { streamId: manifest.stream_id, origin: artifacts["checkpoints.json"].at(-1)?.origin };
  const isDated = bulk.signers.some(({ kid, earliest }) => {
    const standing = probe.keys.standing(kid, scope);
    return standing.trusted && (standing.validTo !== null || (standing.validFrom ?? "") > earliest);
  });
  if (isDated) return null;
  return { bundle, bulk: provenance === null ? bulk : { ...bulk, provenance }, work };
}
