/**
 * Makes edited evidence consistent again at every level, from the payload up to the last seal, as somebody would who
 * wants the edit to go unnoticed. Values that it cannot compute do not change.
 */
import type { Json, JsonObject } from "../../kernel/kernel.ts";
import type { VaultAttestation } from "../../objects/attestation/schema.ts";
import type { Envelope } from "../../objects/envelope/schema.ts";
import { parseTreeNote } from "../../objects/fork/note-text.ts";
import type { Inclusion } from "../../objects/inclusion.ts";
import { endorsementBody, type KeyEndorsement, keyHint } from "../../objects/key-endorsement.ts";
import type { ProvenanceInclusion, ShownInclusion } from "../../objects/provenance-inclusion.ts";
import type { StreamSegment } from "../../objects/stream.ts";
import type { Window } from "../../objects/window.ts";
import type { JsonKind } from "../../report/checks.ts";
import { kidOf } from "../../seal.ts";
import { keyStatusBody } from "../../vault/key-status/issue.ts";
import type { KeyStatus } from "../../vault/key-status/schema.ts";
import { isObject } from "../places.ts";
import { schemaOf } from "../schema-codes.ts";
import { anchorAgain } from "./anchors.ts";
import { bundleAgain } from "./bundle.ts";
import { standaloneCheckpointAgain } from "./checkpoints.ts";
import { anchorConsistencyAgain, consistencyAgain } from "./consistency.ts";
import { type Forger, noteAgain, sealAgain, UNTRUSTED_SIGNER } from "./forger.ts";
import { ivcEpochAgain } from "./ivc.ts";
import { portableReceiptAgain } from "./portable-receipt.ts";
import { recordAgain, runAgain } from "./records.ts";
import { attestationAgain, disclosureAgain, envelopeAgain, inclusionAgain, shownInclusionAgain } from "./vaults.ts";
import { inclusionOf, windowAgain, windowOver } from "./windows.ts";

/** The kinds of object in which one part is computed from another. */
export type ForgedKind = Exclude<JsonKind, "witness" | "provider-result">;

type Again = (forger: Forger, good: never, edited: never) => unknown;

const AGAIN: Readonly<Record<ForgedKind | "anchor-consistency", Again>> = {
  receipt: (forger, _good, edited) => recordAgain(forger, edited, null),
  stream: (forger, _good, edited: StreamSegment) => ({ ...edited, records: runAgain(forger, edited.records) }),
  window: (forger, _good, edited: Window) =>
    edited.leaves === undefined ? windowAgain(forger, edited) : windowOver(forger, edited, edited.leaves),
  inclusion: (forger, _good, edited: Inclusion) => inclusionOf(forger, edited, edited.event_hash),
  checkpoint: (forger, _good, edited) => standaloneCheckpointAgain(forger, edited),
  consistency: consistencyAgain,
  "anchor-consistency": anchorConsistencyAgain,
  anchor: anchorAgain,
  fork: forkAgain,
  key: (forger, _good, edited: KeyEndorsement) => ({
    ...edited,
    seal: sealAgain(forger, "key", endorsementBody(edited), edited.seal),
  }),
  "portable-receipt": portableReceiptAgain,
  bundle: bundleAgain,
  envelope: (forger, _good, edited: Envelope) => envelopeAgain(forger, edited),
  "vault-attestation": (forger, _good, edited: VaultAttestation) => attestationAgain(forger, edited),
  "provenance-inclusion": (forger, _good, edited: ProvenanceInclusion | ShownInclusion) =>
    "inclusion" in edited ? shownInclusionAgain(forger, edited) : inclusionAgain(forger, edited),
  disclosure: disclosureAgain,
  "key-status": (forger, _good, edited: KeyStatus) => {
    const again = { ...edited, keyId: kidOf(forger.kernel, edited.publicKeyHex) };
    return { ...again, seal: sealAgain(forger, "key-status", keyStatusBody(again), edited.seal) };
  },
  "ivc-epoch": ivcEpochAgain,
};

/**
 * Returns an edited object that has the shape of its kind, made consistent again. `good` is the object before the edit.
 * If a stranger signs, its key travels with the object, if objects of the kind carry keys.
 */
export function forged(forger: Forger, kind: ForgedKind, good: Json, edited: Json): Json {
  const isOverAnchors = kind === "consistency" && isObject(good) && "from_anchor" in good;
  const again = AGAIN[isOverAnchors ? "anchor-consistency" : kind](
    forger,
    good as never,
    edited as never,
  ) as JsonObject;
  return forger.signs ? withHint(forger, kind, again) : again;
}

/** Returns the object with the stranger's key among those that travel with it, if its kind carries some. */
export function withHint({ kernel }: Pick<Forger, "kernel">, kind: JsonKind, object: JsonObject): JsonObject {
  if (!Object.hasOwn(schemaOf(kind, object).properties ?? {}, "key_hints")) return object;
  const { key_hints = [] } = object as { key_hints?: readonly Json[] };
  return { ...object, key_hints: [...key_hints, keyHint(kernel, UNTRUSTED_SIGNER.publicKeyHex)] };
}

/** Returns fork evidence with both sides forged, each by itself. */
function forkAgain(forger: Forger, good: JsonObject, edited: JsonObject): JsonObject {
  const again = (name: "left" | "right") => sideAgain(forger, good[name] ?? null, edited[name] ?? null);
  return { ...edited, left: again("left"), right: again("right") };
}

function sideAgain(forger: Forger, good: Json, edited: Json): Json {
  if (typeof edited === "string") {
    const head = parseTreeNote(edited);
    return head === null ? edited : noteAgain(forger, { ...head, rootHash: head.root }, edited);
  }
  if (!isObject(edited)) return edited;
  const kind = (["receipt", "window", "checkpoint", "anchor"] as const).find((_, index) =>
    Object.hasOwn(edited, ["stream_event_id", "window_id", "checkpoint_id", "anchor_epoch_id"][index] ?? ""),
  );
  return kind === undefined ? edited : (AGAIN[kind](forger, good as never, edited as never) as JsonObject);
}
