/**
 * The parts of an object that may change while it stays verified, kind by kind (protocol sections 4, 7, 9 to 14, 16 and
 * 32): no seal covers them, and nothing else rests on them.
 */
import type { Json } from "../../kernel/kernel.ts";
import type { ForkKind } from "../../objects/fork/schema.ts";
import { digest } from "../../protocol.ts";
import type { JsonKind } from "../../report/checks.ts";
import { isObject, isSame, without } from "../places.ts";
import { KEYS, OMIT_KEYS } from "./keys.ts";
import { isWithin, type Malleability, run, SELECTION, SUBSEQUENCE } from "./malleability.ts";
import { NOTE, SIDE_NOTE } from "./notes.ts";

const ANY: Malleability = { accepts: () => true };

/** The payloads of a bundle: those of any source under the same id. */
const PAYLOADS: Malleability = {
  accepts: (changed, _good, { sources }) =>
    isObject(changed) &&
    Object.entries(changed).every(([id, entry]) =>
      sources.some((source) => isObject(source) && isObject(source.payloads) && isSame(source.payloads[id], entry)),
    ),
};

/** A payload and its salt go together, and come back only with their recorded values. */
const RECORD: Malleability = {
  omit: [["payload", "payload_salt"]],
  accepts: (changed, good, { kernel }) => {
    if (!isObject(changed) || !isObject(good)) return false;
    const [now, before] = [changed, good].map((record) => without(record, "payload", "payload_salt"));
    const { payload, payload_salt, payload_hash } = changed;
    if (!isSame(now, before) || (payload === undefined) !== (payload_salt === undefined)) return false;
    return payload === undefined || digest(kernel, "payload", { payload, salt: payload_salt ?? null }) === payload_hash;
  },
};
const WINDOW: Malleability = { omit: [["leaves"], ["inclusions"]], inside: { inclusions: SELECTION } };
const CHECKPOINT: Malleability = { omit: [["frontier"]], inside: { note: NOTE } };
/** Nothing covers the members of an anchor that stands alone, nor their ids. */
const ANCHOR: Malleability = {
  inside: {
    note: NOTE,
    members: {
      accepts: (changed, good) =>
        Array.isArray(changed) &&
        Array.isArray(good) &&
        changed.every((member: Json) => good.some((one: Json) => isSame(withoutId(member), withoutId(one)))),
    },
  },
};
const COVERING_ANCHOR: Malleability = { inside: { note: NOTE, members: SELECTION } };
const WITNESSES: Malleability = { inside: { statements: SUBSEQUENCE } };

/** Every step of an epoch is needed, and the frontier before the first, unless no window comes before it. */
const STEPS: Malleability = {
  each: CHECKPOINT,
  accepts: (changed, good, bounds) =>
    Array.isArray(changed) &&
    Array.isArray(good) &&
    changed.length === good.length &&
    changed.every((step: Json, index: number) => {
      const isNeeded = index === 0 && isObject(step) && step.frontier === undefined && step.checkpoint_no !== 1;
      return isSame(step, good[index]) || (!isNeeded && isWithin(CHECKPOINT, step, good[index], bounds));
    }),
};

const WITHOUT_ANCHOR = ["anchor"];
const WITHOUT_WITNESSES = ["witnesses", ...WITHOUT_ANCHOR];
const WITHOUT_CHECKPOINT = ["checkpoint_inclusion", "checkpoint", "last_window", ...WITHOUT_WITNESSES];
const WITHOUT_WINDOW = ["inclusion", "window", ...WITHOUT_CHECKPOINT];

/**
 * A side of fork evidence, by its type; or a side of another source's, since any two statements that exclude each other
 * will do.
 */
const SIDE: Malleability = {
  accepts: (changed, good, bounds) => {
    const others = bounds.sources.slice(1).filter(isObject);
    if (others.some(({ left, right }) => isSame(changed, left) || isSame(changed, right))) return true;
    const own = typeof good === "string" ? SIDE_NOTE : sideMalleability(good);
    return isWithin(own, changed, good, bounds);
  },
};

/** Kinds of fork evidence of which two can be true of the same sides. */
const RELATED_KINDS: readonly (readonly ForkKind[])[] = [
  ["head", "checkpoint"],
  ["head", "window"],
  ["note", "witness"],
];
const FORK_KIND: Malleability = {
  accepts: (changed, good) =>
    RELATED_KINDS.some((kinds) => kinds.includes(changed as ForkKind) && kinds.includes(good as ForkKind)),
};

function sideMalleability(side: Json): Malleability {
  if (!isObject(side)) return {};
  if ("stream_event_id" in side) return RECORD;
  if ("window_id" in side) return WINDOW;
  return "checkpoint_id" in side ? CHECKPOINT : ANCHOR;
}

/** A portable receipt whose record may change so far. */
function portableReceipt(record: Malleability): Malleability {
  return {
    omit: [WITHOUT_WINDOW, WITHOUT_CHECKPOINT, WITHOUT_WITNESSES, WITHOUT_ANCHOR, ...OMIT_KEYS],
    inside: {
      receipt: record,
      window: WINDOW,
      checkpoint: CHECKPOINT,
      last_window: { inside: { window: WINDOW } },
      witnesses: WITNESSES,
      anchor: COVERING_ANCHOR,
      ...KEYS,
    },
  };
}

/** The contents of a bundle: any may be left out. */
const CONTENTS: Malleability = {
  accepts: (changed, _good, { sources }) =>
    isObject(changed) &&
    Object.entries(changed).every(([id, content]) =>
      sources.some((source) => isObject(source) && isObject(source.contents) && isSame(source.contents[id], content)),
    ),
};
/** The content is bound by its hash, and can be withheld. Alone, an envelope has nothing that checks a start seal. */
const ENVELOPE: Malleability = {
  omit: [["content"], ["content", "startSeal"]],
  inside: { startSeal: { accepts: () => true, absent: null } },
};
/** Evidence is bound by its hash, and can be withheld; so can the service's word. */
const ATTESTATION: Malleability = {
  inside: { record: { omit: [["evidence"]] }, result: { accepts: (changed) => changed === null } },
};
/** Only the whole bundle shows which checkpoints a range begins and ends with. */
const CHECKPOINT_IDS = { from_checkpoint_id: ANY, to_checkpoint_id: ANY };

const MAY_BE_NULL: Malleability = { accepts: (changed) => changed === null };
/** The parts of a disclosure that its seal does not cover. */
const BESIDE_DISCLOSURE: Readonly<Record<string, Malleability>> = {
  envelope: { omit: [["content"]], inside: { startSeal: { accepts: () => true, absent: null } } },
  receipt: {
    ...portableReceipt({}),
    accepts: (changed, good, bounds) => changed === null || isWithin(portableReceipt({}), changed, good, bounds),
  },
  keyStatus: MAY_BE_NULL,
  attestations: SELECTION,
};
/** Without its seal, a disclosure is what anybody could put together from one. */
const DISCLOSURE: Malleability = {
  inside: BESIDE_DISCLOSURE,
  accepts: (changed, good, bounds) => {
    const isSealed = isObject(changed) && changed.seal !== null;
    const unsealed = { disclosureId: ANY, disclosedAt: ANY, fields: SUBSEQUENCE };
    const reader = { seal: MAY_BE_NULL, audience: MAY_BE_NULL, nonce: MAY_BE_NULL };
    const inside = { ...BESIDE_DISCLOSURE, ...(isSealed ? {} : { ...unsealed, ...reader }) };
    return isWithin({ inside }, changed, good, bounds);
  },
};

const MALLEABILITIES: Readonly<Record<JsonKind, Malleability>> = {
  receipt: RECORD,
  stream: { omit: OMIT_KEYS, inside: { records: run(RECORD), ...KEYS } },
  window: WINDOW,
  inclusion: {},
  witness: {},
  checkpoint: CHECKPOINT,
  consistency: {
    omit: OMIT_KEYS,
    inside: {
      from_checkpoint: CHECKPOINT,
      to_checkpoint: CHECKPOINT,
      from_anchor: ANCHOR,
      to_anchor: ANCHOR,
      ...KEYS,
    },
  },
  anchor: ANCHOR,
  // No signature covers who found it and when.
  fork: {
    omit: OMIT_KEYS,
    inside: { fork_id: ANY, detected_at: ANY, kind: FORK_KIND, left: SIDE, right: SIDE, ...KEYS },
  },
  key: {},
  "portable-receipt": portableReceipt(RECORD),
  bundle: { omit: [["payloads"], ["contents"]], inside: { payloads: PAYLOADS, contents: CONTENTS, ...KEYS } },
  envelope: ENVELOPE,
  "vault-attestation": ATTESTATION,
  "key-status": {},
  "provenance-inclusion": {
    omit: OMIT_KEYS,
    inside: { ...CHECKPOINT_IDS, inclusion: { inside: CHECKPOINT_IDS }, ...KEYS },
  },
  disclosure: DISCLOSURE,
  "provider-result": {},
  "ivc-epoch": { omit: OMIT_KEYS, inside: { checkpoints: STEPS, ...KEYS } },
};

/** Returns the malleability of an object of a kind. */
export function malleabilityOf(kind: JsonKind): Malleability {
  return MALLEABILITIES[kind];
}

function withoutId(member: Json): Json {
  return isObject(member) ? without(member, "checkpoint_id") : member;
}
