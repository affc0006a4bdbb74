/** Makes the provenance part of a bundle (protocol section 27), for issue.ts and write.ts of the bundle itself. */
import type { Kernel } from "../../../kernel/kernel.ts";
import type { HashHex } from "../../../schema/atoms.ts";
import type { KeyStatusBody } from "../../../vault/key-status/schema.ts";
import type { Content } from "../../envelope/schema.ts";
import type { RedactedRecord } from "../../receipt.ts";
import type { ProvenanceArtifact, ProvenanceManifest, RecordedEnvelope } from "../schema.ts";
import { envelopeHashesOf, type ProvenanceLeaf, provenanceRoot } from "./leaves.ts";

/** The members of a record that a leaf is made of. */
type LeafRecord = Pick<RedactedRecord, "stream_id" | "seq_no" | "event_hash" | "source_ref">;

/** The input of a provenance part. All arrays ascend. */
export interface ProvenanceInput extends ProvenanceArtifact {
  /** The records of the bundle; there is an envelope for each. */
  readonly records: readonly LeafRecord[];
  /** The keys of exactly the installations of the envelopes, at the time of the bundle. */
  readonly lifecycle: readonly KeyStatusBody[];
  /** By stream_event_id; any may be left out. */
  readonly contents?: Readonly<Record<string, Content>>;
}

/** A provenance part: what the manifest says of it, the artifact, and the contents beside it. */
export interface ProvenancePart {
  readonly members: Pick<ProvenanceManifest, "provenance_root" | "provenance_event_count" | "vault_key_lifecycle">;
  readonly artifact: ProvenanceArtifact;
  readonly contents: Readonly<Record<string, Content>> | null;
}

/**
 * Returns the leaf of each event under a provenance root (protocol section 27). `records` and `envelopes`: of a range,
 * in order. Throws RangeError unless there is one envelope for each record. It checks nothing else.
 *
 * @example
 * console.log(leavesOf(kernel, provenanceInput.records, provenanceInput.envelopes).length); // 3
 */
export function leavesOf(
  kernel: Kernel,
  records: readonly LeafRecord[],
  envelopes: readonly RecordedEnvelope[],
): ProvenanceLeaf[] {
  if (envelopes.length !== records.length)
    throw new RangeError(`${records.length} records have ${envelopes.length} envelopes`);
  const hashes = envelopeHashesOf(
    kernel,
    envelopes.map(({ envelope }) => envelope),
  );
  return records.map(({ stream_id, seq_no, event_hash, source_ref }, index) => {
    const { envelope, seq_no: own } = envelopes[index] as RecordedEnvelope;
    if (own !== seq_no) throw new RangeError(`expected the envelope of event ${seq_no}, found that of event ${own}`);
    return {
      stream_id,
      seq_no,
      event_hash,
      source_ref,
      installation_id: envelope.installationId,
      envelope_hash: hashes[index] as HashHex,
      capsule_root: envelope.capsuleRoot,
    };
  });
}

/**
 * Makes the provenance part of a bundle (protocol section 27). `input`: the records and envelopes of the whole range,
 * what belongs to them, and the keys at the time of the bundle. Throws RangeError unless there is one envelope for each
 * record, at least one. It does not check that the pieces fit each other: `verify` of the bundle does.
 *
 * @example
 * const part = provenancePart(kernel, provenanceInput);
 * console.log(part.members.provenance_event_count === provenanceInput.records.length); // true
 */
export function provenancePart(kernel: Kernel, input: ProvenanceInput): ProvenancePart {
  const { records, envelopes, attestations, handovers, provider_policies, lifecycle, contents = null } = input;
  if (records.length === 0) throw new RangeError("a bundle holds at least one event");
  return {
    members: {
      provenance_root: provenanceRoot(kernel, leavesOf(kernel, records, envelopes)),
      provenance_event_count: records.length,
      vault_key_lifecycle: [...lifecycle],
    },
    artifact: {
      envelopes: [...envelopes],
      attestations: [...attestations],
      handovers: [...handovers],
      provider_policies: [...provider_policies],
    },
    contents,
  };
}
