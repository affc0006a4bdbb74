/** The tree over the envelopes of a range of events (protocol section 27): a function of stream and range alone. */
import { encodeHex } from "../../../encoding/hex.ts";
import { encodeUtf8 } from "../../../encoding/utf8.ts";
import type { Json, Kernel, NodeHash } from "../../../kernel/kernel.ts";
import { type Tag, wordOf } from "../../../protocol.ts";
import type { HashHex } from "../../../schema/atoms.ts";
import type { SealedEnvelope } from "../../envelope/schema.ts";
import { hashesIn } from "./described.ts";

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
  return encodeHex(digestsOf(kernel, "leaf", [leaf].map(leafMembers))) as HashHex;
}

/** Returns the leaf hashes of the tree over events, in order. */
export function leafHashesOf(kernel: Kernel, leaves: readonly ProvenanceLeaf[]): NodeHash[] {
  const digests = digestsOf(kernel, "leaf", leaves.map(leafMembers));
  return kernel.leafHashes(leaves.map((_, row) => digests.subarray(32 * row, 32 * row + 32)));
}

/** Returns the envelope hash of each envelope, in order. */
export function envelopeHashesOf(kernel: Kernel, envelopes: readonly SealedEnvelope[]): HashHex[] {
  return hashesIn(digestsOf(kernel, "envelope", envelopes.map(envelopeMembers)));
}

/** Returns the members of a leaf, in canonical order. */
function leafMembers(leaf: ProvenanceLeaf) {
  const { capsule_root, envelope_hash, event_hash, installation_id, seq_no, source_ref, stream_id } = leaf;
  return { capsule_root, envelope_hash, event_hash, installation_id, seq_no, source_ref, stream_id };
}

/** Returns the members that an envelope's hash covers, in canonical order. */
function envelopeMembers(envelope: SealedEnvelope) {
  const { capsuleRoot, contentHash, installationId, previousEnvelopeHash, sourceRef, streamId, vaultSeq } = envelope;
  return { capsuleRoot, contentHash, installationId, previousEnvelopeHash, sourceRef, streamId, vaultSeq };
}

/**
 * Returns the digest of each object, 32 bytes each. Their members are texts and integers in canonical order, so that
 * the runtime's own text of them is canonical: no kernel parses and sorts it once more. Throws TypeError for a text
 * that is no Unicode.
 */
function digestsOf(kernel: Kernel, tag: Tag, objects: readonly object[]): Uint8Array {
  const texts = objects.map((one) => {
    const text = JSON.stringify(one);
    // A text that is no Unicode is written with such an escape, and the kernel refuses it.
    if (text.includes("\\ud")) kernel.canonicalize(one as Json);
    return encodeUtf8(text);
  });
  return kernel.taggedHashes(tag, texts, wordOf(tag));
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
