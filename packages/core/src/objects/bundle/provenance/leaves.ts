/** The tree over the envelopes of a range of events (protocol section 27): a function of stream and range alone. */
import { encodeHex } from "../../../encoding/hex.ts";
import { encodeUtf8 } from "../../../encoding/utf8.ts";
import type { Projection, RecordColumns } from "../../../kernel/document.ts";
import type { Kernel, NodeHash } from "../../../kernel/kernel.ts";
import { digest } from "../../../protocol.ts";
import type { HashHex } from "../../../schema/atoms.ts";
import { BODY_MEMBERS } from "../../envelope/issue.ts";
import type { SealedEnvelope } from "../../envelope/schema.ts";
import { own, projection } from "../receipts.ts";

/** The members that a leaf is made of. */
export interface ProvenanceLeaf {
  readonly stream_id: string;
  readonly seq_no: number;
  readonly event_hash: HashHex;
  readonly source_ref: string;
  readonly installation_id: string;
  readonly envelope_hash: HashHex;
  readonly capsule_root: HashHex;
}

/** Returns the leaf of an event, 64 lowercase hex characters. */
export function provenanceLeaf(kernel: Kernel, leaf: ProvenanceLeaf): HashHex {
  const { stream_id, seq_no, event_hash, source_ref, installation_id, envelope_hash, capsule_root } = leaf;
  return digest(kernel, "leaf", {
    stream_id,
    seq_no,
    event_hash,
    source_ref,
    installation_id,
    envelope_hash,
    capsule_root,
  });
}

/** So many objects are hashed in one call. */
const BATCH = 4096;

const LEAF = projection(
  "leaf",
  own("stream_id", "seq_no", "event_hash", "source_ref", "installation_id", "envelope_hash", "capsule_root"),
);

/** Returns the leaf hashes of the tree over events, in order. */
export function leafHashesOf(kernel: Kernel, leaves: readonly ProvenanceLeaf[]): NodeHash[] {
  return kernel.leafHashes(digestsOf(kernel, leaves, LEAF));
}

/** Returns the envelope hash of each envelope, in order. */
export function envelopeHashesOf(kernel: Kernel, envelopes: readonly SealedEnvelope[]): HashHex[] {
  return digestsOf(kernel, envelopes, projection("envelope", own(...BODY_MEMBERS))).map(encodeHex) as HashHex[];
}

/** Returns one digest of each of many objects, in order. They are JSON. */
function digestsOf(kernel: Kernel, objects: readonly object[], digest: Projection): Uint8Array[] {
  const recipe = { digests: [digest], signatures: [], hashes: [], literals: [], objects: [], closed: false };
  const found: Uint8Array[] = [];
  for (let from = 0; from < objects.length; from += BATCH) {
    const opened = kernel.openJson(encodeUtf8(JSON.stringify(objects.slice(from, from + BATCH))));
    if (!opened.ok) throw new TypeError("what is hashed is no JSON");
    for (const { count, digests } of opened.document.records([], recipe) as Iterable<RecordColumns>)
      for (let row = 0; row < count; row++) found.push((digests[0] as Uint8Array).slice(32 * row, 32 * row + 32));
    opened.document.close();
  }
  return found;
}

/**
 * Returns the provenance root over events (protocol section 27), 64 lowercase hex characters. `leaves`: of a range, in
 * order; at least one.
 *
 * @example
 * console.log(provenanceRoot(kernel, provenanceLeaves).length); // 64
 */
export function provenanceRoot(kernel: Kernel, leaves: readonly ProvenanceLeaf[]): HashHex {
  return encodeHex(kernel.rootFromLeafHashes(leafHashesOf(kernel, leaves))) as HashHex;
}
