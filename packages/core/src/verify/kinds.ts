/**
 * The kinds of object by name: each one's validator, its faults that the schema cannot express, and its examination.
 * The members of an object show its kind (protocol section 16). The kinds of vaults are recognized here and judged by
 * vaults.ts, which a verifier may do without.
 */

import type { JsonDocument } from "../kernel/document.ts";
import type { Json, JsonObject, Kernel } from "../kernel/kernel.ts";
import { AnchorConsistency, examineAnchorConsistency } from "../objects/anchor/consistency.ts";
import { Anchor } from "../objects/anchor/schema.ts";
import { examineStandaloneAnchor } from "../objects/anchor/standalone.ts";
import type { BulkReceipts } from "../objects/bundle/bulk.ts";
import { examineBundle } from "../objects/bundle/examine.ts";
import { bundleFaults } from "../objects/bundle/faults.ts";
import type { ProvenanceDigests } from "../objects/bundle/provenance/bulk.ts";
import {
  type Bundle,
  hasVaultMember,
  isProvenanceBundle,
  LegacyBundle,
  type ProvenanceManifest,
} from "../objects/bundle/schema.ts";
import { Checkpoint, checkpointFaults, examineStandaloneCheckpoint } from "../objects/checkpoint.ts";
import { recomputedRoots } from "../objects/checkpoint-roots.ts";
import { Consistency, examineConsistency } from "../objects/consistency.ts";
import { examineFork } from "../objects/fork/examine.ts";
import { ForkEvidence } from "../objects/fork/schema.ts";
import { forkFaults } from "../objects/fork/sides.ts";
import { examineStandaloneInclusion, Inclusion } from "../objects/inclusion.ts";
import { examineKeyEndorsement, KeyEndorsement, type KeyHint } from "../objects/key-endorsement.ts";
import type { ShownTree } from "../objects/known-checkpoints.ts";
import { examinePortableReceipt } from "../objects/portable-receipt/examine.ts";
import { portableReceiptFaults } from "../objects/portable-receipt/faults.ts";
import { PortableReceipt } from "../objects/portable-receipt/schema.ts";
import { examineQuorum } from "../objects/quorum.ts";
import { examineReceipt, ReceiptRecord } from "../objects/receipt.ts";
import { examineStream, StreamSegment } from "../objects/stream.ts";
import { examineStandaloneWindow, Window, windowFaults } from "../objects/window.ts";
import { examineStandaloneStatement, WitnessStatement } from "../objects/witness.ts";
import type { CheckList, JsonKind, Kind } from "../report/checks.ts";
import type { Examination } from "../report/examination.ts";
import type { VaultWords } from "../report/meaning.ts";
import type { ShapeFault } from "../report/shape.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { type Validator, validatorOf } from "../schema/check.ts";
import type { ParsedTrustPolicy } from "../trust/parse-form.ts";

/** The checks of one kind. The functions get only values that the validator has accepted. */
export interface KindEntry {
  readonly members: readonly string[];
  readonly required: readonly string[];
  readonly validator: Validator;
  /** Returns the faults of the shape that the schema cannot express. */
  faults(value: never): ShapeFault[];
  /**
   * Examines the object. Returns the checkpoint tree that it shows, if it shows one. If a bundle's receipts have been
   * checked in bulk, it gets the result.
   */
  examine(exam: Examination, value: never, bulk?: BulkReceipts): ShownTree | null;
}

/** The kinds of what vaults state, and services about vaults. */
export type VaultKind =
  | "envelope"
  | "vault-attestation"
  | "key-status"
  | "provenance-inclusion"
  | "disclosure"
  | "provider-result"
  | "ivc-epoch";

type PlainKind = Exclude<JsonKind, VaultKind>;

/**
 * The judge of the evidence of vaults (protocol sections 17 to 33): `vaultEvidence` of vaults.ts. It is passed in
 * because a page may do without it.
 */
export interface VaultEvidence {
  readonly words: VaultWords;
  /** Returns the most bytes that an object of a kind may have; null where there is no limit. */
  maxBytes(kind: JsonKind, value: Json): number | null;
  /** Parses a trust policy that may speak of vaults. */
  parseTrust(kernel: Kernel, value: Json): ParsedTrustPolicy;
  /** Returns the checks of a kind of vaults, or of a bundle with their part. */
  entryOf(kind: VaultKind | "bundle", value: Json): KindEntry;
  /** Computes the digests of a canonical document of a bundle; null if it must be read one by one. */
  digest(
    kernel: Kernel,
    document: JsonDocument,
    canonical: Uint8Array,
    keys: readonly PublicKeyHex[],
  ): ProvenanceDigests | null;
  /** Checks that what is expected of a disclosure is asked of one. */
  examineReader(exam: Examination): void;
  /** Checks the level that the verifier demands. */
  examineRequiredLevel(exam: Examination): void;
  /** Examines how an epoch follows the one before it, if that is among the links; `holds`: whether a link does. */
  examineEpochBefore(exam: Examination, epoch: never, links: readonly Json[], holds: (link: Json) => boolean): void;
  /** Examines a proof beside the bundle of its range; `manifest` is null beside anything else. */
  examineBeside(
    exam: Examination,
    inclusion: Json,
    manifest: ProvenanceManifest | null,
    checkpoints: readonly Checkpoint[],
  ): void;
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** Makes the checks of a kind. */
export function entry<Value>(
  schema: ObjectSchema,
  examine: (exam: Examination, value: Value, bulk?: BulkReceipts) => ShownTree | null,
  faults: (value: Value) => ShapeFault[] = () => [],
): KindEntry {
  return {
    members: Object.keys(schema.properties),
    required: schema.required ?? [],
    validator: validatorOf(schema),
    faults,
    examine,
  };
}

const KINDS: Readonly<Record<PlainKind, KindEntry>> = {
  receipt: entry<ReceiptRecord>(ReceiptRecord, (exam, record) => {
    examineReceipt(exam, record, "");
    return null;
  }),
  "portable-receipt": entry<PortableReceipt>(
    PortableReceipt,
    (exam, portable) => {
      examinePortableReceipt(exam, portable);
      return portable.checkpoint === undefined ? null : treeOf(exam, portable.checkpoint);
    },
    portableReceiptFaults,
  ),
  stream: entry<StreamSegment>(StreamSegment, (exam, segment) => {
    examineStream(exam, segment);
    return null;
  }),
  window: entry<Window>(
    Window,
    (exam, window) => {
      examineStandaloneWindow(exam, window);
      return null;
    },
    (window) => windowFaults(window, ""),
  ),
  inclusion: entry<Inclusion>(Inclusion, (exam, inclusion) => {
    examineStandaloneInclusion(exam, inclusion);
    return null;
  }),
  checkpoint: entry<Checkpoint>(
    Checkpoint,
    (exam, checkpoint) => {
      const cosignatures = examineStandaloneCheckpoint(exam, checkpoint);
      exam.settle();
      exam.addTimeProof(cosignatures.earliestPinnedTime, checkpoint.to_seq_no);
      examineQuorum(exam, cosignatures, null, "/note");
      return treeOf(exam, checkpoint);
    },
    (checkpoint) => checkpointFaults(checkpoint, ""),
  ),
  consistency: entry<Consistency>(
    Consistency,
    (exam, evidence) => {
      examineConsistency(exam, evidence);
      return treeOf(exam, evidence.to_checkpoint, evidence.from_checkpoint);
    },
    ({ from_checkpoint, to_checkpoint }) => [
      ...checkpointFaults(from_checkpoint, "/from_checkpoint"),
      ...checkpointFaults(to_checkpoint, "/to_checkpoint"),
    ],
  ),
  witness: entry<WitnessStatement>(WitnessStatement, (exam, statement) => {
    examineStandaloneStatement(exam, statement);
    return null;
  }),
  anchor: entry<Anchor>(Anchor, (exam, anchor) => {
    examineStandaloneAnchor(exam, anchor);
    return null;
  }),
  fork: entry<ForkEvidence>(
    ForkEvidence,
    (exam, fork) => {
      examineFork(exam, fork);
      return null;
    },
    (fork) => forkFaults(fork, ""),
  ),
  key: entry<KeyEndorsement>(KeyEndorsement, (exam, endorsement) => {
    examineKeyEndorsement(exam, endorsement);
    return null;
  }),
  bundle: entry<Bundle>(LegacyBundle, examineBundle, bundleFaults),
};

/**
 * The members that identify an object of a kind of vaults, whatever else it holds (protocol section 33); one of the
 * lists must be there whole. Every other kind is recognized by most of its members.
 */
export const MARKS: Readonly<Record<VaultKind, readonly (readonly string[])[]>> = {
  envelope: [["capsuleRoot"]],
  "vault-attestation": [["record"]],
  "key-status": [["revocationInstantReconstructed"]],
  "provenance-inclusion": [
    ["inclusion", "manifest"],
    ["provenance_root", "inclusion_path"],
  ],
  disclosure: [["disclosureId"]],
  "provider-result": [["schema"]],
  "ivc-epoch": [["ivc_epoch_id"]],
};

/** Consistency evidence between anchors: the same kind, with other members. */
const ANCHOR_CONSISTENCY = entry<AnchorConsistency>(AnchorConsistency, (exam, evidence) => {
  examineAnchorConsistency(exam, evidence);
  return null;
});

const FORMS: readonly (readonly [JsonKind, KindEntry])[] = [
  ...(Object.entries(KINDS) as [JsonKind, KindEntry][]),
  ["consistency", ANCHOR_CONSISTENCY],
];

/**
 * Returns the checks for a value of a kind. Null for what only a verifier with the evidence of vaults judges, if it is
 * not given.
 */
export function kindEntry(kind: JsonKind, value: Json, vaults: VaultEvidence): KindEntry;
export function kindEntry(kind: JsonKind, value?: Json, vaults?: VaultEvidence): KindEntry | null;
export function kindEntry(kind: JsonKind, value: Json = null, vaults?: VaultEvidence): KindEntry | null {
  if (isVaultKind(kind) || (kind === "bundle" && hasVaultMember(value))) return vaults?.entryOf(kind, value) ?? null;
  return isOverAnchors(kind, value) ? ANCHOR_CONSISTENCY : KINDS[kind];
}

function isVaultKind(kind: JsonKind): kind is VaultKind {
  return Object.hasOwn(MARKS, kind);
}

/** Says whether a value lacks every mark of a kind that has marks: then it is no object of that kind. */
export function lacksMark(kind: JsonKind, value: Json): boolean {
  return isVaultKind(kind) && isObject(value) && !hasOneOf(value, MARKS[kind]);
}

function hasOneOf(value: JsonObject, marks: readonly (readonly string[])[]): boolean {
  return marks.some((names) => names.every((name) => Object.hasOwn(value, name)));
}

/** Returns the list of checks of a value, if it is another one than its kind's; otherwise null. */
export function checkListOf(kind: JsonKind, value: Json): CheckList | null {
  if (isOverAnchors(kind, value)) return "anchor-consistency";
  return kind === "bundle" && isProvenanceBundle(value) ? "provenance-bundle" : null;
}

/**
 * Says whether a value is consistency evidence between anchors, or was meant to be: it shares more members with that
 * than with consistency evidence between checkpoints.
 */
export function isOverAnchors(kind: JsonKind, value: Json): boolean {
  if (kind !== "consistency" || !isObject(value)) return false;
  const shared = (names: readonly string[]) => names.filter((name) => Object.hasOwn(value, name)).length;
  return shared(["from_anchor", "to_anchor"]) > shared(["stream_id", "from_checkpoint", "to_checkpoint"]);
}

/**
 * Says whether a text names a kind that this release verifies (protocol section 16). `text`: a name such as `bundle`;
 * case counts.
 *
 * @example
 * console.log(isKind("bundle"), isKind("Bundle")); // true false
 */
export function isKind(text: string): text is Kind {
  return text === "truth-package" || Object.hasOwn(KINDS, text) || Object.hasOwn(MARKS, text);
}

/**
 * Returns the kind of a value (protocol sections 16 and 33): the one whose mark it bears; otherwise the one, of those
 * without a mark, that shares most members with it, if the value has at least half of the members that the kind
 * demands; null without one. `value`: parsed JSON. It does not check the form: `decode` does.
 *
 * @example
 * console.log(detectKind(receipt), detectKind({ hello: 1 })); // receipt null
 */
export function detectKind(value: Json): JsonKind | null {
  if (!isObject(value)) return null;
  for (const [kind, marks] of Object.entries(MARKS)) if (hasOneOf(value, marks)) return kind as JsonKind;
  let best: JsonKind | null = null;
  let most = 0;
  for (const [kind, { members, required }] of FORMS) {
    const present = required.filter((name) => Object.hasOwn(value, name)).length;
    const shared = members.filter((name) => Object.hasOwn(value, name)).length;
    if (present * 2 < required.length || shared <= most) continue;
    best = kind;
    most = shared;
  }
  return best;
}

/** The keys that came with an object, and the part of it that they came with. */
interface CarriedKeys {
  readonly hints: readonly KeyHint[];
  readonly endorsements: readonly KeyEndorsement[];
  /** JSON Pointer to the part. */
  readonly place: string;
}

/** Returns the keys that came with an object, if its kind carries some: a disclosure's come with its receipt. */
export function carriedKeys(kind: JsonKind, value: JsonObject): CarriedKeys {
  const { receipt = null } = value;
  const place = kind === "disclosure" ? "/receipt" : "";
  const { key_hints = [], key_endorsements = [] } = ((place === "" ? value : receipt) ?? {}) as {
    key_hints?: KeyHint[];
    key_endorsements?: KeyEndorsement[];
  };
  return { hints: key_hints, endorsements: key_endorsements, place };
}

/** Says whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the tree of checkpoints of one stream. The roots that they state count before recomputed ones. */
export function treeOf(exam: Examination, newest: Checkpoint, ...earlier: readonly Checkpoint[]): ShownTree {
  const checkpoints = [...earlier, newest];
  const recomputed = checkpoints.flatMap((checkpoint) => [...(recomputedRoots(exam.kernel, checkpoint) ?? [])]);
  const stated = checkpoints.map(({ window_count, checkpoint_root }) => [window_count, checkpoint_root] as const);
  return { streamId: newest.stream_id, roots: new Map([...recomputed, ...stated]), newestSize: newest.window_count };
}
