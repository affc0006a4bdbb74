/**
 * The kinds of object by name: each one's validator, its faults that the schema cannot express, and its examination.
 * The members of an object show its kind (protocol section 16).
 */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { AnchorConsistency, examineAnchorConsistency } from "../objects/anchor/consistency.ts";
import { examineLoneAnchor } from "../objects/anchor/lone.ts";
import { Anchor } from "../objects/anchor/schema.ts";
import type { BulkReceipts } from "../objects/bundle/bulk.ts";
import { examineBundle } from "../objects/bundle/examine.ts";
import { bundleFaults } from "../objects/bundle/faults.ts";
import { Bundle } from "../objects/bundle/schema.ts";
import { Checkpoint, checkpointFaults, examineLoneCheckpoint } from "../objects/checkpoint.ts";
import { recomputedRoots } from "../objects/checkpoint-roots.ts";
import { Consistency, examineConsistency } from "../objects/consistency.ts";
import { examineFork } from "../objects/fork/examine.ts";
import { ForkEvidence } from "../objects/fork/schema.ts";
import { forkFaults } from "../objects/fork/sides.ts";
import { examineLoneInclusion, Inclusion } from "../objects/inclusion.ts";
import { examineKeyEndorsement, KeyEndorsement, type KeyHint } from "../objects/key-endorsement.ts";
import type { ShownTree } from "../objects/known-checkpoints.ts";
import { examinePortableReceipt } from "../objects/portable-receipt/examine.ts";
import { portableReceiptFaults } from "../objects/portable-receipt/faults.ts";
import { PortableReceipt } from "../objects/portable-receipt/schema.ts";
import { examineQuorum } from "../objects/quorum.ts";
import { examineReceipt, ReceiptRecord } from "../objects/receipt.ts";
import { examineStream, StreamSegment } from "../objects/stream.ts";
import { examineLoneWindow, Window, windowFaults } from "../objects/window.ts";
import { examineLoneStatement, WitnessStatement } from "../objects/witness.ts";
import type { JsonKind, Kind } from "../report/checks.ts";
import type { Examination } from "../report/examination.ts";
import type { ShapeFault } from "../report/shape.ts";
import { type Validator, validatorOf } from "../schema/check.ts";

/** The checks of one kind. The functions get only values that the validator has accepted. */
interface KindEntry {
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

interface ObjectSchema {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

function entry<Value>(
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

const KINDS: Readonly<Record<JsonKind, KindEntry>> = {
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
      examineLoneWindow(exam, window);
      return null;
    },
    (window) => windowFaults(window, ""),
  ),
  inclusion: entry<Inclusion>(Inclusion, (exam, inclusion) => {
    examineLoneInclusion(exam, inclusion);
    return null;
  }),
  checkpoint: entry<Checkpoint>(
    Checkpoint,
    (exam, checkpoint) => {
      const cosignatures = examineLoneCheckpoint(exam, checkpoint);
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
    examineLoneStatement(exam, statement);
    return null;
  }),
  anchor: entry<Anchor>(Anchor, (exam, anchor) => {
    examineLoneAnchor(exam, anchor);
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
  bundle: entry<Bundle>(
    Bundle,
    (exam, bundle, bulk) => {
      const { roots, newestSize } = examineBundle(exam, bundle, bulk);
      return { streamId: bundle.manifest.stream_id, roots, newestSize };
    },
    bundleFaults,
  ),
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

/** Returns the checks for a value of a kind. */
export function kindEntry(kind: JsonKind, value: Json = null): KindEntry {
  return isOverAnchors(kind, value) ? ANCHOR_CONSISTENCY : KINDS[kind];
}

/** Says whether a value is consistency evidence between anchors, or was meant to be. */
export function isOverAnchors(kind: JsonKind, value: Json): boolean {
  return (
    kind === "consistency" && isObject(value) && ["from_anchor", "to_anchor"].some((name) => Object.hasOwn(value, name))
  );
}

/**
 * Says whether a text names a kind that this release verifies (protocol section 16). `text`: a name such as `bundle`;
 * case counts.
 *
 * @example
 * console.log(isKind("bundle"), isKind("Bundle")); // true false
 */
export function isKind(text: string): text is Kind {
  return text === "truth-package" || Object.hasOwn(KINDS, text);
}

/**
 * Returns the kind of a value (protocol section 16): the one that shares most members with it, if the value has at
 * least half of the members that the kind demands; null if there is none. `value`: parsed JSON. It does not check the
 * form: `decode` does.
 *
 * @example
 * console.log(detectKind(receipt), detectKind({ hello: 1 })); // receipt null
 */
export function detectKind(value: Json): JsonKind | null {
  if (!isObject(value)) return null;
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

/** Returns the keys that came with an object, if its kind carries some. */
export function carriedKeys(value: JsonObject): { hints: readonly KeyHint[]; endorsements: readonly KeyEndorsement[] } {
  const { key_hints = [], key_endorsements = [] } = value as {
    key_hints?: KeyHint[];
    key_endorsements?: KeyEndorsement[];
  };
  return { hints: key_hints, endorsements: key_endorsements };
}

/** Says whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the tree of checkpoints of one stream. The roots that they state count before recomputed ones. */
function treeOf(exam: Examination, newest: Checkpoint, ...earlier: readonly Checkpoint[]): ShownTree {
  const checkpoints = [...earlier, newest];
  const recomputed = checkpoints.flatMap((checkpoint) => [...(recomputedRoots(exam.kernel, checkpoint) ?? [])]);
  const stated = checkpoints.map(({ window_count, checkpoint_root }) => [window_count, checkpoint_root] as const);
  return { streamId: newest.stream_id, roots: new Map([...recomputed, ...stated]), newestSize: newest.window_count };
}
