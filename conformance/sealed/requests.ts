/**
 * The seeded requests that programs are held to core with: mutants that are sealed again, values of another type at any
 * place, notes and other texts that are changed, and what the producers make of good objects.
 */
import type { Json, JsonObject } from "@svc/core";
import { isObject, places } from "@svc/core/tamper";
import { changedMembers } from "../src/mutants/changed-members.ts";
import { mutate } from "../src/mutants/mutate.ts";
import { type Random, randomOfMutant } from "../src/mutants/random.ts";
import type { Bases } from "./bases.ts";
import type { Input } from "./goods.ts";
import { sealedMutant } from "./mutants.ts";

/** A request, and where it comes from. */
export interface Made {
  /** The family, and the file of the fixture or the name of the case. */
  readonly name: string;
  readonly request: JsonObject;
}

type Make = (bases: Bases, random: Random) => Made | null;

const MAX_CHANGES = 3;
/** Values that a reader may take for something else. */
const HOSTILE: readonly Json[] = [
  ...[null, true, false, 0, -0.5, -1, 1, 2 ** 53, "", "0", "toString", "\u0000", [], [[]], [0], {}],
  ...[{ toString: 1 }, { length: 1 }, { "0": 1 }, { constructor: {} }, [{ toString: 1 }]],
  ...[JSON.parse('{"__proto__":{"kid":1}}'), { toJSON: 1, valueOf: 1 }],
];

/** Every family, with its share of the requests. */
const FAMILIES: readonly (readonly [share: number, make: Make])[] = [
  [12, ({ goods }, random) => sealedMutant(goods, random)],
  [3, otherType],
  [3, changedCase],
  [1, redaction],
  [1, cutReceipt],
  [2, foundFork],
];
const TURNS = FAMILIES.flatMap(([share, make]) => Array.from({ length: share }, () => make));

/** A lone surrogate in JSON as it is written: no line of the protocol may hold one. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

/** Returns some requests of a seed, from the `from`-th on, without those that cannot be made or sent. */
export function requestsOf(bases: Bases, seed: number, from: number, count: number): Made[] {
  return Array.from({ length: count }, (_, index) => {
    const random = randomOfMutant(seed, from + index);
    const made = random.pick(TURNS)(bases, random);
    return made === null || LONE_SURROGATE.test(JSON.stringify(made.request))
      ? []
      : [{ ...made, name: `s${seed}-${from + index} ${made.name}` }];
  }).flat();
}

/** Puts a value of another type at a place of an object or of its trust policy. */
function otherType({ goods }: Bases, random: Random): Made {
  const { name, kind, object, trust, links } = random.pick(goods.inputs);
  const whole = { object, trust };
  // Any place in the object or the policy, and the object itself.
  const inside = [...places(whole)].filter(({ path }) => path !== "" && path !== "/trust");
  const changed = random.pick(inside).replaced(random.pick(HOSTILE)) as typeof whole;
  const bytes = Buffer.from(JSON.stringify(changed.object)).toString("base64");
  const named = random.below(2) === 0 ? { kind } : {};
  return { name: `type ${name}`, request: verifying({ bytes, ...named, trust: changed.trust }, links) };
}

function verifying(request: JsonObject, links: readonly Json[] | undefined): JsonObject {
  return { op: "verify", ...request, ...(links === undefined ? {} : { links }) };
}

/** Changes a request of another operation than `verify`: notes, cosignatures, policies, archives, JSON, producers. */
function changedCase({ cases }: Bases, random: Random): Made {
  const base = random.pick(random.pick(cases));
  const changed = (bytes: string) => `${mutate({ op: "verify", bytes }, random).bytes}`;
  let { request } = base;
  for (let left = 1 + random.below(MAX_CHANGES); left > 0; left--)
    request = changedMembers(request, random.pick(random.pick(cases)).request, random, changed);
  return { name: `case ${base.name}`, request };
}

function redaction({ goods }: Bases, random: Random): Made {
  const { name, object } = random.pick(goods.inputs);
  const seq_nos = Array.from({ length: random.below(4) }, () => random.below(12));
  return { name: `redact ${name}`, request: { op: "redact", bytes: base64(object), seq_nos } };
}

function cutReceipt({ goods }: Bases, random: Random): Made {
  const { name, object } = random.pick(goods.inputs.filter(({ kind }) => kind === "bundle"));
  return { name: `cut ${name}`, request: { op: "portable-receipt", bytes: base64(object), seq_no: random.below(12) } };
}

/** Looks for a fork between two objects, most often of one kind, or between their parts. */
function foundFork({ goods }: Bases, random: Random): Made {
  const one = random.pick(goods.inputs);
  const others = random.below(2) === 0 ? goods.inputs : goods.inputs.filter(({ kind }) => kind === one.kind);
  const other = random.pick(others);
  const [left, right] = [sideOf(one, random), sideOf(other, random)];
  return { name: `fork ${one.name} ${other.name}`, request: { op: "fork.find", left, right } };
}

/** Returns an object, or one in it: a side of fork evidence is an object with a note, a note, or a part of a bundle. */
function sideOf({ object }: Input, random: Random): string {
  if (random.below(3) === 0) return base64(object);
  const inside = [...places(object)].flatMap(({ value }) => {
    const isNote = typeof value === "string" && value.includes("\n\n\u2014");
    return isNote || (isObject(value) && Object.keys(value).length > 4) ? [value] : [];
  });
  const side = inside.length === 0 ? object : random.pick(inside);
  return typeof side === "string" ? Buffer.from(side).toString("base64") : base64(side);
}

function base64(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}
