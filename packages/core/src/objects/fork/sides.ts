/**
 * The two sides of fork evidence: the type of each, its shape, and its members (protocol section 11). The own members
 * of a side show its type, not the kind of the evidence, so that a fault is reported in its place.
 */
import type { JsonObject } from "../../kernel/kernel.ts";
import type { ShapeFault } from "../../report/shape.ts";
import { type Validator, validatorOf } from "../../schema/check.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { Anchor } from "../anchor/schema.ts";
import { Checkpoint, checkpointFaults } from "../checkpoint.ts";
import { ReceiptRecord } from "../receipt.ts";
import { Window, windowFaults } from "../window.ts";
import { parseTreeNote, type TreeNote } from "./note-text.ts";
import type { ForkEvidence } from "./schema.ts";

/** One side by its type. A text that is no checkpoint note has none. */
export type Side =
  | { readonly type: "receipt"; readonly value: ReceiptRecord }
  | { readonly type: "window"; readonly value: Window }
  | { readonly type: "checkpoint"; readonly value: Checkpoint }
  | { readonly type: "anchor"; readonly value: Anchor }
  | { readonly type: "note"; readonly value: TreeNote };

type SealedType = Exclude<Side["type"], "note">;

/** The member that only this type of side has as its own identifier. */
const IDENTIFIERS: readonly (readonly [SealedType, string])[] = [
  ["receipt", "stream_event_id"],
  ["window", "window_id"],
  ["checkpoint", "checkpoint_id"],
  ["anchor", "anchor_epoch_id"],
];

const VALIDATORS: Readonly<Record<SealedType, Validator>> = {
  receipt: validatorOf(ReceiptRecord),
  window: validatorOf(Window),
  checkpoint: validatorOf(Checkpoint),
  anchor: validatorOf(Anchor),
};

/** The names of the two sides, in order. */
export const SIDES = ["left", "right"] as const;

function sealedType(value: JsonObject): SealedType | null {
  return IDENTIFIERS.find(([, identifier]) => Object.hasOwn(value, identifier))?.[0] ?? null;
}

/**
 * Returns the faults of fork evidence that its schema cannot express: the shape of its sides, and a policy that is
 * missing or does not belong.
 */
export function forkFaults(fork: ForkEvidence, path: string): ShapeFault[] {
  const faults = SIDES.flatMap((name) => sideFaults(fork[name], `${path}/${name}`));
  if ((fork.kind === "omission") === (fork.policy !== undefined)) return faults;
  faults.push(
    fork.policy === undefined
      ? {
          code: "missing_member",
          path: `${path}/policy`,
          message: "An omission is judged by a policy, and none is here.",
        }
      : { code: "unknown_member", path: `${path}/policy`, message: `Evidence of the kind ${fork.kind} has no policy.` },
  );
  return faults;
}

function sideFaults(value: JsonObject | string, path: string): ShapeFault[] {
  if (typeof value === "string") return [];
  const type = sealedType(value);
  if (type === null) {
    const message =
      "A side is a receipt record, a window, a checkpoint, an anchor or the text of a note, and this is " +
      "something else.";
    return [{ path, message }];
  }
  const ofForm = shapeProblems(VALIDATORS[type], value);
  if (ofForm.length > 0) return ofForm.map((fault) => ({ ...fault, path: path + fault.path }));
  if (type === "window") return windowFaults(value as Window, path);
  if (type === "checkpoint") return checkpointFaults(value as Checkpoint, path);
  return [];
}

/** Returns a side that has its shape; null for a text that is no checkpoint note. */
export function readSide(value: JsonObject | string): Side | null {
  if (typeof value === "string") {
    const note = parseTreeNote(value);
    return note === null ? null : { type: "note", value: note };
  }
  return { type: sealedType(value), value } as Side;
}

/** Returns the stream that a side is about; null for the service's own log. */
export function streamOf(side: Side): string | null {
  if (side.type === "anchor") return null;
  return side.type === "note" ? side.value.streamId : side.value.stream_id;
}

/** Returns the origin that a side states, if it states one. */
export function originOf(side: Side): string | undefined {
  return side.type === "receipt" || side.type === "window" ? undefined : side.value.origin;
}
