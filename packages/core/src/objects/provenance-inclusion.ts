/**
 * The proof that one event's capsule is under the provenance root of a range (protocol section 27): by itself, or
 * beside the sealed manifest of a bundle over exactly that range. It says nothing of what the capsule holds.
 */

import { encodeHex, hexToBytes } from "../encoding/hex.ts";
import type { Json, Kernel } from "../kernel/kernel.ts";
import { ASK_MANIFEST } from "../own-actions.ts";
import type { Examination } from "../report/examination.ts";
import type { ShapeFault } from "../report/shape.ts";
import { CheckpointId, Closed, Count, Hash, type HashHex, InstallationId, Ordinal, StreamId } from "../schema/atoms.ts";
import { validatorOf } from "../schema/check.ts";
import * as Type from "../schema/type.ts";
import { shapeProblems } from "../schema/validate.ts";
import { HiddenSourceRef } from "../schema/vault-atoms.ts";
import { Seal } from "../seal.ts";
import { expectOwnKeyId } from "../vault/key-status/examine.ts";
import { keyStatusFaults } from "../vault/key-status/faults.ts";
import { mayVouch } from "../vault/key-status/vouching.ts";
import { KnownKeys } from "../vault/known-keys.ts";
import { leafHashesOf, type ProvenanceLeaf, provenanceLeaf } from "./bundle/provenance/leaves.ts";
import { ProvenanceManifest } from "./bundle/provenance/schema.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { frontierFaults } from "./checkpoint-roots.ts";
import { KeyEndorsements, KeyHints } from "./key-endorsement.ts";

/**
 * The place of one event's capsule under a provenance root (protocol section 27). As JSON, shortened:
 *
 * ```json
 * {"stream_id":"str_01k3…","source_ref":"psr_0fec6a…","installation_id":"ins_01k3…","from_checkpoint_id":"chk_01k3…",
 *  "to_checkpoint_id":"chk_01k3…","from_seq_no":1,"to_seq_no":6,"seq_no":3,"event_hash":"1dc804…",
 *  "envelope_hash":"a1fd1d…","capsule_root":"87e3dc…","leaf_hash":"17acca…","leaf_index":2,"tree_size":6,
 *  "inclusion_path":["9d6e01…"],"provenance_root":"2c1414…"}
 * ```
 */
export const ProvenanceInclusion = Closed(
  {
    stream_id: StreamId,
    source_ref: HiddenSourceRef,
    installation_id: InstallationId,
    from_checkpoint_id: CheckpointId,
    to_checkpoint_id: CheckpointId,
    from_seq_no: Ordinal,
    to_seq_no: Ordinal,
    seq_no: Ordinal,
    event_hash: Hash,
    envelope_hash: Hash,
    capsule_root: Hash,
    leaf_hash: Hash,
    leaf_index: Count,
    tree_size: Ordinal,
    inclusion_path: Type.Array(Hash),
    provenance_root: Hash,
  },
  { $id: "provenance-inclusion" },
);
export type ProvenanceInclusion = Type.Static<typeof ProvenanceInclusion>;

/**
 * The same beside the sealed manifest that it leads to (protocol section 27). As JSON, shortened:
 *
 * ```json
 * {"inclusion":{},"manifest":{},"seal":{},"key_hints":[]}
 * ```
 */
export const ShownInclusion = Closed(
  {
    inclusion: ProvenanceInclusion,
    manifest: ProvenanceManifest,
    seal: Seal,
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  { $id: "shown-provenance-inclusion" },
);
export type ShownInclusion = Type.Static<typeof ShownInclusion>;

const CHECK = "provenance";

/**
 * Proves that an event's capsule is under the provenance root of a range (protocol section 27, RFC 9162 section
 * 2.1.3.1). `leaves`: of all events of the range, in order. `seqNo`: of the event. `checkpoints`: the ids of the first
 * and of the last checkpoint over the range. Throws RangeError for an event outside the range. It does not check that
 * the leaves are those of the range: `verify` does.
 *
 * @example
 * const inclusion = issueProvenanceInclusion(kernel, provenanceLeaves, 2, ["chk_01k3…", "chk_01k3…"]);
 * console.log(inclusion.leaf_index, inclusion.tree_size); // 1 3
 */
export function issueProvenanceInclusion(
  kernel: Kernel,
  leaves: readonly ProvenanceLeaf[],
  seqNo: number,
  [from_checkpoint_id, to_checkpoint_id]: readonly [string, string],
): ProvenanceInclusion {
  const from_seq_no = leaves[0]?.seq_no ?? 0;
  const leafIndex = seqNo - from_seq_no;
  const leaf = leaves[leafIndex];
  if (leaf === undefined) throw new RangeError(`event ${seqNo} is not in the range`);
  const hashes = leafHashesOf(kernel, leaves);
  const hex = (hash: Uint8Array) => encodeHex(hash) as HashHex;
  return {
    stream_id: leaf.stream_id,
    source_ref: leaf.source_ref,
    installation_id: leaf.installation_id,
    from_checkpoint_id,
    to_checkpoint_id,
    from_seq_no,
    to_seq_no: from_seq_no + leaves.length - 1,
    seq_no: seqNo,
    event_hash: leaf.event_hash,
    envelope_hash: leaf.envelope_hash,
    capsule_root: leaf.capsule_root,
    leaf_hash: hex(hashes[leafIndex] as Uint8Array),
    leaf_index: leafIndex,
    tree_size: leaves.length,
    inclusion_path: kernel.proveInclusion(hashes, leafIndex).map(hex),
    provenance_root: hex(kernel.rootFromLeafHashes(hashes)),
  };
}

/** Says whether a value is a proof without a manifest, or was meant to be one. */
export function isUnsignedInclusion(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Object.hasOwn(value, "inclusion");
}

/** Returns the faults of a proof beside a manifest that its schema cannot express. */
export function shownInclusionFaults({ manifest }: ShownInclusion): ShapeFault[] {
  const faults = manifest.vault_key_lifecycle.flatMap((status, index) =>
    keyStatusFaults(status, `/manifest/vault_key_lifecycle/${index}`),
  );
  if (manifest.from_seq_no > manifest.to_seq_no)
    faults.push({ path: "/manifest/to_seq_no", message: "The range ends before it starts." });
  return [...faults, ...frontierFaults(manifest.prior_windows, "/manifest/prior_windows")];
}

/** Examines a proof by itself. Nobody signed it, so it can hold and still prove nothing. */
export function examineUnsignedInclusion(exam: Examination, inclusion: ProvenanceInclusion): void {
  examineProof(exam, inclusion, "");
  exam.notChecked("bundle_seal", "no manifest here");
  const message = "A bare proof has nothing signed around it: it needs the manifest of its range.";
  exam.distrust({ code: "key_not_pinned", path: "", message, ownAction: ASK_MANIFEST }, "provenance-inclusion");
}

/** Examines a proof beside the manifest that it must lead to. */
export function examineShownInclusion(exam: Examination, { inclusion, manifest, seal }: ShownInclusion): void {
  examineProof(exam, inclusion, "/inclusion");
  const { stream_id, from_seq_no, to_seq_no, created_at } = manifest;
  const isOfRange =
    inclusion.stream_id === stream_id && inclusion.from_seq_no === from_seq_no && inclusion.to_seq_no === to_seq_no;
  exam.expect(CHECK, isOfRange, {
    code: "provenance_range_mismatch",
    path: "/inclusion",
    message: "The proof is about another stream or range than the manifest.",
    expected: `${stream_id} ${from_seq_no} to ${to_seq_no}`,
    actual: `${inclusion.stream_id} ${inclusion.from_seq_no} to ${inclusion.to_seq_no}`,
  });
  exam.expectEqual(CHECK, "provenance_root_mismatch", manifest.provenance_root, inclusion.provenance_root, {
    path: "/inclusion/provenance_root",
    message: "The proof leads to another root than the manifest's.",
    count: false,
  });
  const count = `${to_seq_no - from_seq_no + 1}`;
  exam.expectEqual(CHECK, "provenance_count_mismatch", `${manifest.provenance_event_count}`, count, {
    path: "/manifest/provenance_event_count",
    message: "The manifest counts other events than its range has.",
    count: false,
  });
  const lifecycle = manifest.vault_key_lifecycle.map((body, index) => ({
    body,
    path: `/manifest/vault_key_lifecycle/${index}`,
  }));
  exam.expect(
    CHECK,
    lifecycle.some(({ body }) => body.installationId === inclusion.installation_id),
    {
      code: "vault_lifecycle_mismatch",
      path: "/manifest/vault_key_lifecycle",
      message: `The manifest lists no key of ${inclusion.installation_id}, whose envelope this is.`,
    },
  );
  for (const { body, path } of lifecycle) expectOwnKeyId(exam, body, path, CHECK);
  const sealed = exam.seal("bundle_seal", "bundle", manifest, seal, {
    path: "/seal",
    what: "the bundle's manifest",
    streamId: stream_id,
    ownTime: created_at,
  });
  const scope = { streamId: stream_id };
  exam.settle();
  // A forged manifest says nothing of a key, and contradicts nothing.
  const statuses = sealed.valid !== false && mayVouch(exam, seal.kid, created_at, scope) ? lifecycle : [];
  new KnownKeys(exam, scope, { statuses, check: CHECK }).keyOf(inclusion.installation_id, "/inclusion/installation_id");
}

/** The prefix of a problem's path that leads into a proof beside the object. */
export const INCLUSION_PATH = "inclusion:";

const validator = validatorOf(ProvenanceInclusion);

/**
 * Examines a proof beside the whole bundle of its range: it also names the checkpoints of that range. `manifest` is
 * null if the bundle is of a stream without envelopes.
 */
export function examineInclusionBeside(
  exam: Examination,
  value: Json,
  manifest: ProvenanceManifest | null,
  checkpoints: readonly Checkpoint[],
): void {
  const faults = shapeProblems(validator, value);
  for (const fault of faults) exam.reject(CHECK, { ...fault, path: `${INCLUSION_PATH}${fault.path}` });
  if (faults.length > 0) return;
  const inclusion = value as unknown as ProvenanceInclusion;
  const { stream_id, from_seq_no, to_seq_no, from_checkpoint_id, to_checkpoint_id, seq_no } = inclusion;
  const isOfRange =
    manifest !== null &&
    stream_id === manifest.stream_id &&
    from_seq_no === manifest.from_seq_no &&
    to_seq_no === manifest.to_seq_no;
  exam.expect(CHECK, isOfRange, {
    code: "provenance_range_mismatch",
    path: INCLUSION_PATH,
    message:
      manifest === null
        ? "The proof is about envelopes, and the bundle holds none."
        : "The proof is about another stream or range than the bundle.",
  });
  if (manifest === null || !isOfRange) return;
  const [from, to] = [from_checkpoint_id, to_checkpoint_id].map((id) =>
    checkpoints.find(({ checkpoint_id }) => checkpoint_id === id),
  );
  exam.expect(CHECK, from?.window_roots[0]?.from_seq_no === from_seq_no && to?.to_seq_no === to_seq_no, {
    code: "provenance_range_mismatch",
    path: `${INCLUSION_PATH}/from_checkpoint_id`,
    message: "The proof names other checkpoints than those over the range.",
  });
  expectProof(exam, inclusion, INCLUSION_PATH);
  exam.expectEqual(CHECK, "provenance_root_mismatch", manifest.provenance_root, inclusion.provenance_root, {
    path: `${INCLUSION_PATH}/provenance_root`,
    message: "The proof leads to another root than the manifest's.",
    count: false,
  });
  const place =
    `leaf ${inclusion.leaf_index + 1} of ${inclusion.tree_size} under ` + `the root ${inclusion.provenance_root}`;
  exam.found(CHECK, `the capsule ${inclusion.capsule_root} of event ${seq_no} is ${place}`);
}

/** Checks that the proof is about the members that it states, and leads to the root that it names. */
function examineProof(exam: Examination, inclusion: ProvenanceInclusion, path: string): void {
  const { source_ref, stream_id, seq_no } = inclusion;
  exam.subject = { id: source_ref, stream_id, from_seq_no: seq_no, to_seq_no: seq_no };
  expectProof(exam, inclusion, path);
}

function expectProof(exam: Examination, inclusion: ProvenanceInclusion, path: string): void {
  const { kernel } = exam;
  const { seq_no, from_seq_no, to_seq_no, leaf_index, tree_size } = inclusion;
  exam.looked(CHECK);
  const leaf = kernel.leafHash(hexToBytes(provenanceLeaf(kernel, inclusion)));
  const holds =
    inclusion.leaf_hash === encodeHex(leaf) &&
    leaf_index === seq_no - from_seq_no &&
    tree_size === to_seq_no - from_seq_no + 1 &&
    kernel.verifyInclusion(
      leaf,
      leaf_index,
      tree_size,
      inclusion.inclusion_path.map(hexToBytes),
      hexToBytes(inclusion.provenance_root),
    );
  exam.expect(CHECK, holds, {
    code: "inclusion_invalid",
    path: `${path}/inclusion_path`,
    message: `The proof does not lead from what it says of event ${seq_no} to the provenance root.`,
  });
}
