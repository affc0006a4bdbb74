/**
 * What of an object may change while it stays verified (protocol sections 4, 7, 9 to 14 and 16): what no seal covers and nothing else rests
 * on. One description of each kind says both what may be left out and which changed object is still within the bounds.
 */
import type { Json, JsonObject, Kernel } from "../kernel/kernel.ts";
import { type NoteLine, parseNote } from "../note/signed-note.ts";
import type { ForkKind } from "../objects/fork/schema.ts";
import { digest } from "../protocol.ts";
import type { Kind } from "../report/checks.ts";
import type { Kid, PublicKeyHex } from "../schema/atoms.ts";
import { pointerTo } from "../schema/pointer.ts";
import { kidOf } from "../seal.ts";
import { isObject, isSame, without } from "./places.ts";

/** What a change is held against. */
export interface Bounds {
  readonly kernel: Kernel;
  /** Every valid object that parts were taken from; the good one first. */
  readonly sources: readonly Json[];
}

/** Decides whether a value may stand where another one stood. */
type Accepts = (changed: Json, good: Json, bounds: Bounds) => boolean;

/** How far a value may change. */
export interface Leeway {
  /** Members that may be left out, those of one group together. */
  readonly omit?: readonly (readonly string[])[];
  /** Members that may change in themselves. */
  readonly inside?: Readonly<Record<string, Leeway>>;
  /** How far the elements of an array may change, which stays as long as it is. */
  readonly each?: Leeway;
  /** Decides in the place of all that. */
  readonly accepts?: Accepts;
}

const ANY: Leeway = { accepts: () => true };

/** Elements of the good array, in any order and number. */
const SELECTION: Leeway = {
  accepts: (changed, good) =>
    Array.isArray(changed) &&
    Array.isArray(good) &&
    changed.every((item) => good.some((one: Json) => isSame(one, item))),
};

/** Elements of the good array in their order, each at most once. */
const SUBSEQUENCE: Leeway = {
  accepts: (changed, good) => {
    if (!Array.isArray(changed) || !Array.isArray(good)) return false;
    let at = -1;
    return changed.every((item) => {
      at = good.findIndex((one: Json, index: number) => index > at && isSame(one, item));
      return at >= 0;
    });
  },
};

/** A run of the good array's elements, at least one, each within its own leeway. */
function run(each: Leeway): Leeway {
  const accepts: Accepts = (changed, good, bounds) => {
    if (!Array.isArray(changed) || !Array.isArray(good) || changed.length === 0) return false;
    const startsAt = (start: number) =>
      changed.every((item: Json, index: number) => isWithin(each, item, good[start + index], bounds));
    return good.some((_, start) => startsAt(start));
  };
  return { each, accepts };
}

/** Keys that travel with an object are a means of transport: any may come and go that has its own identifier. */
const HINTS: Leeway = {
  accepts: (changed, _good, { kernel }) =>
    Array.isArray(changed) &&
    changed.every(
      (hint: Json) =>
        isObject(hint) &&
        Object.keys(hint).length === 2 &&
        hint.kid === kidOf(kernel, String(hint.public_key_hex) as PublicKeyHex),
    ),
};

/** Endorsements are a set: of any source's, each any number of times, and of any whose endorser nobody knows. */
const ENDORSEMENTS: Leeway = {
  accepts: (changed, _good, { kernel, sources }) => {
    const there = sources.flatMap((source) => membersOf(source, "key_endorsements"));
    const known = new Set(JSON.stringify(sources).match(/ed25519-[0-9a-f]{16}/g) as Kid[] | null);
    return (
      Array.isArray(changed) &&
      changed.every((one: Json) => {
        if (there.some((other) => isSame(one, other))) return true;
        if (!isObject(one) || !isObject(one.seal)) return false;
        const ownKid = one.endorsed_kid === kidOf(kernel, String(one.public_key_hex) as PublicKeyHex);
        return ownKid && !known.has(one.seal.kid as Kid);
      })
    );
  },
};

/** The same text, under a line by the first signer; lines of unknown keys are ignored, and those of known ones must be whole. */
const NOTE: Leeway = { accepts: (changed, good) => hasOwnLine(changed, good) && hasGoodLines(changed, good) };

/** The same without the first signer's line: a side of fork evidence may rest on another one's. */
const SIDE_NOTE: Leeway = { accepts: hasGoodLines };

function hasOwnLine(changed: Json, good: Json): boolean {
  const [own] = linesOf(good);
  return own !== undefined && linesOf(changed).some((line) => isSameLine(line, own));
}

function hasGoodLines(changed: Json, good: Json): boolean {
  if (typeof changed !== "string" || typeof good !== "string") return false;
  if (parseNote(changed)?.text !== parseNote(good)?.text) return false;
  const there = linesOf(good);
  const lines = linesOf(changed);
  return (
    lines.length > 0 &&
    lines.every(
      (line) =>
        there.some((one) => isSameLine(line, one)) ||
        !there.some(({ name, keyId }) => line.name === name && line.keyId === keyId),
    )
  );
}

function linesOf(note: Json): readonly NoteLine[] {
  return (typeof note === "string" ? parseNote(note)?.lines : null) ?? [];
}

function isSameLine(a: NoteLine, b: NoteLine): boolean {
  return a.name === b.name && a.keyId === b.keyId && `${a.signature}` === `${b.signature}`;
}

/** Payloads of a bundle: those of any source under the same id. */
const PAYLOADS: Leeway = {
  accepts: (changed, _good, { sources }) =>
    isObject(changed) &&
    Object.entries(changed).every(([id, entry]) =>
      sources.some((source) => isObject(source) && isObject(source.payloads) && isSame(source.payloads[id], entry)),
    ),
};

const KEYS = { key_hints: HINTS, key_endorsements: ENDORSEMENTS };
const OMIT_KEYS = [["key_hints"], ["key_endorsements"]];

/** A payload and its salt go together, and come back only as they were recorded. */
const RECORD: Leeway = {
  omit: [["payload", "payload_salt"]],
  accepts: (changed, good, { kernel }) => {
    if (!isObject(changed) || !isObject(good)) return false;
    const [now, before] = [changed, good].map((record) => without(record, "payload", "payload_salt"));
    const { payload, payload_salt, payload_hash } = changed;
    if (!isSame(now, before) || (payload === undefined) !== (payload_salt === undefined)) return false;
    return payload === undefined || digest(kernel, "payload", { payload, salt: payload_salt ?? null }) === payload_hash;
  },
};
const WINDOW: Leeway = { omit: [["leaves"], ["inclusions"]], inside: { inclusions: SELECTION } };
const CHECKPOINT: Leeway = { omit: [["frontier"]], inside: { note: NOTE } };
/** Nothing covers the members of an anchor that stands alone, nor their ids. */
const ANCHOR: Leeway = {
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
const COVERING_ANCHOR: Leeway = { inside: { note: NOTE, members: SELECTION } };
const WITNESSES: Leeway = { inside: { statements: SUBSEQUENCE } };

const WITHOUT_ANCHOR = ["anchor"];
const WITHOUT_WITNESSES = ["witnesses", ...WITHOUT_ANCHOR];
const WITHOUT_CHECKPOINT = ["checkpoint_inclusion", "checkpoint", "last_window", ...WITHOUT_WITNESSES];
const WITHOUT_WINDOW = ["inclusion", "window", ...WITHOUT_CHECKPOINT];

/** A side of fork evidence, by what it is; or a whole side of another source's, since any two statements that exclude each other will do. */
const SIDE: Leeway = {
  accepts: (changed, good, bounds) => {
    const others = bounds.sources.slice(1).filter(isObject);
    if (others.some(({ left, right }) => isSame(changed, left) || isSame(changed, right))) return true;
    const own = typeof good === "string" ? SIDE_NOTE : sideLeeway(good);
    return isWithin(own, changed, good, bounds);
  },
};

/** Kinds of fork evidence of which two can be true of the same sides. */
const RELATED_KINDS: readonly (readonly ForkKind[])[] = [
  ["head", "checkpoint"],
  ["head", "window"],
  ["note", "witness"],
];
const FORK_KIND: Leeway = {
  accepts: (changed, good) =>
    RELATED_KINDS.some((kinds) => kinds.includes(changed as ForkKind) && kinds.includes(good as ForkKind)),
};

function sideLeeway(side: Json): Leeway {
  if (!isObject(side)) return {};
  if ("stream_event_id" in side) return RECORD;
  if ("window_id" in side) return WINDOW;
  return "checkpoint_id" in side ? CHECKPOINT : ANCHOR;
}

const LEEWAYS: Readonly<Record<Kind, Leeway>> = {
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
  // Who found it and when is under no signature.
  fork: {
    omit: OMIT_KEYS,
    inside: { fork_id: ANY, detected_at: ANY, kind: FORK_KIND, left: SIDE, right: SIDE, ...KEYS },
  },
  key: {},
  "portable-receipt": {
    omit: [WITHOUT_WINDOW, WITHOUT_CHECKPOINT, WITHOUT_WITNESSES, WITHOUT_ANCHOR, ...OMIT_KEYS],
    inside: {
      receipt: RECORD,
      window: WINDOW,
      checkpoint: CHECKPOINT,
      last_window: { inside: { window: WINDOW } },
      witnesses: WITNESSES,
      anchor: COVERING_ANCHOR,
      ...KEYS,
    },
  },
  bundle: { omit: [["payloads"]], inside: { payloads: PAYLOADS, ...KEYS } },
};

/** How far an object of a kind may change. */
export function leewayOf(kind: Kind): Leeway {
  return LEEWAYS[kind];
}

/** Whether a changed value is within the leeway around the good one. */
export function isWithin(leeway: Leeway, changed: Json | undefined, good: Json | undefined, bounds: Bounds): boolean {
  if (changed === undefined || good === undefined) return changed === good;
  if (isSame(changed, good)) return true;
  const { omit = [], inside = {}, accepts } = leeway;
  if (accepts !== undefined) return accepts(changed, good, bounds);
  if (!isObject(changed) || !isObject(good)) return false;
  const missing = Object.keys(good).filter((name) => !Object.hasOwn(changed, name));
  const groups = omit.map((group) => group.filter((name) => Object.hasOwn(good, name)));
  const left = new Set(groups.filter((group) => group.every((name) => missing.includes(name))).flat());
  if (missing.some((name) => !left.has(name))) return false;
  return Object.entries(changed).every(([name, member]) => {
    // A key that travels along may also come.
    if (!Object.hasOwn(good, name)) return name in KEYS && isWithin(inside[name] ?? {}, member, [], bounds);
    return isWithin(inside[name] ?? {}, member, good[name], bounds);
  });
}

/** The good value with each group of members left out that may be, at every place. */
export function* omissions(
  leeway: Leeway,
  good: Json | undefined,
  path = "",
): Generator<{ readonly path: string; readonly description: string; readonly value: Json }> {
  const { omit = [], inside = {}, each } = leeway;
  if (Array.isArray(good) && each !== undefined)
    for (const [index, item] of good.entries())
      for (const one of omissions(each, item, `${path}/${index}`))
        yield { ...one, value: good.with(index, one.value) as Json };
  if (!isObject(good)) return;
  for (const group of omit) {
    const names = group.filter((name) => Object.hasOwn(good, name));
    if (names.length > 0) yield { path, description: `without ${names.join(", ")}`, value: without(good, ...names) };
  }
  for (const [name, own] of Object.entries(inside))
    for (const one of omissions(own, good[name], pointerTo(path, name)))
      yield { ...one, value: { ...good, [name]: one.value } };
}

function membersOf(source: Json, name: string): readonly Json[] {
  const member: Json | undefined = isObject(source) ? source[name] : undefined;
  return Array.isArray(member) ? member : [];
}

function withoutId(member: Json): Json {
  return isObject(member) ? without(member as JsonObject, "checkpoint_id") : member;
}
