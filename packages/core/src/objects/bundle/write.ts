/**
 * Writes a bundle of any size in constant memory: the canonical bytes of a bundle as `issueBundle` makes it, piece by
 * piece, with each record read once (protocol sections 1 and 14). Members are in canonical order, so the records are
 * hashed before the manifest that names their hash is due.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex } from "../../encoding/hex.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Json, Kernel } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import type { RedactedRecord } from "../receipt.ts";
import { artifactHash, type BundleInput, contentsOf, manifestOf } from "./issue.ts";
import type { PayloadEntry } from "./schema.ts";

/** The input of a bundle, with the records and payloads in portions. All arrays and portions ascend. */
export interface BundleSource extends Omit<BundleInput, "records"> {
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  /** The records from the first to the last number. */
  readonly records: AsyncIterable<readonly RedactedRecord[]>;
  /** Payloads with their salts, by stream_event_id as text. */
  readonly payloads: AsyncIterable<Readonly<Record<string, PayloadEntry>>>;
}

/**
 * Seals a bundle and yields its canonical JSON piece by piece, in order (protocol section 14). `signer`: the service's
 * key. `source`: the input of `issueBundle`, with the first and last number of its records, and with records and
 * payloads in portions; each portion is read once. Throws RangeError for an empty range, and for another number of
 * records than the range has. It does not look at the records themselves: `verify` does.
 *
 * @example
 * async function* once<Batch>(portion: Batch) {
 *   yield portion;
 * }
 * const [from_seq_no, to_seq_no] = [1, 3];
 * const portions = { records: once(records), payloads: once(bundle.payloads ?? {}) };
 * const pieces: Uint8Array[] = [];
 * for await (const piece of writeBundle(kernel, signer, { ...input, from_seq_no, to_seq_no, ...portions }))
 *   pieces.push(piece);
 * console.log(decode(kernel, Buffer.concat(pieces)).kind); // bundle
 */
export async function* writeBundle(kernel: Kernel, signer: Signer, source: BundleSource): AsyncGenerator<Uint8Array> {
  if (source.from_seq_no > source.to_seq_no) throw new RangeError("a bundle holds at least one event");
  const text = (value: Json) => kernel.canonicalize(value);
  const member = (name: string, value: Json) => concat(text(name), COLON, text(value));
  const { forks = [], anchors = [], provenance } = source;

  yield concat(bytes('{"artifacts":{'), member("anchors.json", anchors), COMMA);
  yield concat(member("checkpoints.json", source.checkpoints), COMMA);
  if (forks.length > 0) yield concat(member("forks.json", forks), COMMA);

  if (provenance !== undefined) yield concat(member("provenance.json", provenance.artifact), COMMA);

  yield concat(text("receipts.json"), COLON);
  const hash = kernel.hasher();
  let written = 0;
  for await (const portion of source.records) {
    if (portion.length === 0) continue;
    const piece = concat(written === 0 ? bytes("[") : COMMA, text(portion).subarray(1, -1));
    hash.update(piece);
    yield piece;
    written += portion.length;
  }
  if (written !== source.to_seq_no - source.from_seq_no + 1)
    throw new RangeError(`${written} records are not those of events ${source.from_seq_no} to ${source.to_seq_no}`);
  const end = bytes("]");
  hash.update(end);
  yield concat(end, COMMA, member("windows.json", source.windows), COMMA);
  yield concat(member("witnesses.json", source.witnesses), bytes("},"));

  const manifest = manifestOf(source, {
    "receipts.json": encodeHex(hash.digest()) as HashHex,
    "windows.json": artifactHash(kernel, source.windows),
    "checkpoints.json": artifactHash(kernel, source.checkpoints),
    "witnesses.json": artifactHash(kernel, source.witnesses),
    "anchors.json": artifactHash(kernel, anchors),
    ...(forks.length === 0 ? {} : { "forks.json": artifactHash(kernel, forks) }),
    ...(provenance === undefined ? {} : { "provenance.json": artifactHash(kernel, provenance.artifact) }),
  });
  const { contents } = contentsOf(provenance);
  if (contents !== undefined) yield concat(member("contents", contents), COMMA);
  yield concat(member("key_endorsements", source.key_endorsements), COMMA);
  yield concat(member("key_hints", source.key_hints), COMMA);
  yield concat(member("manifest", manifest), COMMA);
  yield bytes('"payloads":{');
  let isFirst = true;
  for await (const portion of source.payloads) {
    const piece = text(portion).subarray(1, -1);
    if (piece.length === 0) continue;
    yield isFirst ? piece : concat(COMMA, piece);
    isFirst = false;
  }
  yield bytes("},");
  yield concat(member("seal", await makeSeal(kernel, "bundle", manifest, signer)), bytes("}"));
}

const bytes = encodeUtf8;
const COMMA = bytes(",");
const COLON = bytes(":");

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return concatBytes(parts);
}
