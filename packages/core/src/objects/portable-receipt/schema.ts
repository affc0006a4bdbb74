/**
 * The shape of a portable receipt: one event with as much of its evidence as there is, each part leading on from the
 * one before (protocol section 13). faults.ts and examine.ts say how the parts must fit each other.
 */
import { Closed, Hash, Ordinal } from "../../schema/atoms.ts";
import * as Type from "../../schema/type.ts";
import { Anchor } from "../anchor/schema.ts";
import { WitnessArtifact } from "../bundle/schema.ts";
import { Checkpoint } from "../checkpoint.ts";
import { Inclusion } from "../inclusion.ts";
import { KeyEndorsements, KeyHints } from "../key-endorsement.ts";
import { ReceiptRecord } from "../receipt.ts";
import { Window } from "../window.ts";

/** The value of `format`. */
export const PORTABLE_RECEIPT_FORMAT = "svc-portable-receipt";
/** The value of `version`. */
export const PORTABLE_RECEIPT_VERSION = 1;

/**
 * Proof that the event's window is a leaf of the checkpoint's tree (protocol section 13). As JSON, shortened:
 *
 * ```json
 * {"window_no":2,"window_count":4,"path":["21576b…"]}
 * ```
 */
export const CheckpointInclusion = Closed({ window_no: Ordinal, window_count: Ordinal, path: Type.Array(Hash) });
export type CheckpointInclusion = Type.Static<typeof CheckpointInclusion>;

/**
 * The checkpoint's last window, with its path in the checkpoint's tree: it binds the checkpoint's policies and head. As
 * JSON, shortened:
 *
 * ```json
 * {"window":{},"path":["21576b…"]}
 * ```
 */
export const LastWindow = Closed({ window: Window, path: Type.Array(Hash) });
export type LastWindow = Type.Static<typeof LastWindow>;

const WITH_WINDOW = ["inclusion", "window"];
const WITH_CHECKPOINT = [...WITH_WINDOW, "checkpoint_inclusion", "checkpoint"];

/**
 * A portable receipt: one event, and its evidence so far (protocol section 13). As JSON, shortened:
 *
 * ```json
 * {"format":"svc-portable-receipt","version":1,"receipt":{},"inclusion":{},"window":{},"checkpoint_inclusion":{},
 *  "checkpoint":{},"witnesses":{},"key_hints":[]}
 * ```
 */
export const PortableReceipt = Closed(
  {
    format: Type.Literal(PORTABLE_RECEIPT_FORMAT),
    version: Type.Literal(PORTABLE_RECEIPT_VERSION),
    receipt: ReceiptRecord,
    inclusion: Type.Optional(Inclusion),
    window: Type.Optional(Window),
    checkpoint_inclusion: Type.Optional(CheckpointInclusion),
    checkpoint: Type.Optional(Checkpoint),
    last_window: Type.Optional(LastWindow),
    witnesses: Type.Optional(WitnessArtifact),
    anchor: Type.Optional(Anchor),
    key_hints: Type.Optional(KeyHints),
    key_endorsements: Type.Optional(KeyEndorsements),
  },
  {
    $id: "portable-receipt",
    /** Each later part needs the ones before it. */
    dependentRequired: {
      inclusion: WITH_WINDOW,
      window: WITH_WINDOW,
      checkpoint_inclusion: WITH_CHECKPOINT,
      checkpoint: WITH_CHECKPOINT,
      last_window: WITH_CHECKPOINT,
      witnesses: WITH_CHECKPOINT,
      anchor: [...WITH_CHECKPOINT, "witnesses"],
    },
  },
);
export type PortableReceipt = Type.Static<typeof PortableReceipt>;
