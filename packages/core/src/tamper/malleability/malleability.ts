/**
 * Malleability: how far a value may change while the object around it stays verified. This file decides whether a
 * changed value is within the bounds, and what may be left out. kinds.ts holds the bounds of each kind.
 */
import type { Json, Kernel } from "../../kernel/kernel.ts";
import { pointerTo } from "../../schema/pointer.ts";
import { isObject, isSame, without } from "../places.ts";

/** The context of a change. */
export interface Bounds {
  readonly kernel: Kernel;
  /** Every valid object that parts were taken from; the good one first. */
  readonly sources: readonly Json[];
}

/** Decides whether a value may stand where another one stood. */
export type Accepts = (changed: Json, good: Json, bounds: Bounds) => boolean;

/** How far a value may change. */
export interface Malleability {
  /** Groups of members that may be left out together. */
  readonly omit?: readonly (readonly string[])[];
  /** Members that may change inside. */
  readonly inside?: Readonly<Record<string, Malleability>>;
  /** How far each element of an array may change. */
  readonly each?: Malleability;
  /** Decides instead of all that. */
  readonly accepts?: Accepts;
  /** For a member that may also be added: the value that a missing one stands for. */
  readonly absent?: Json;
}

/** Elements of the good array, in any order and number. */
export const SELECTION: Malleability = {
  accepts: (changed, good) =>
    Array.isArray(changed) &&
    Array.isArray(good) &&
    changed.every((item) => good.some((one: Json) => isSame(one, item))),
};

/** Elements of the good array in their order, each at most once. */
export const SUBSEQUENCE: Malleability = {
  accepts: (changed, good) => {
    if (!Array.isArray(changed) || !Array.isArray(good)) return false;
    let at = -1;
    return changed.every((item) => {
      at = good.findIndex((one: Json, index: number) => index > at && isSame(one, item));
      return at >= 0;
    });
  },
};

/** Accepts a run of the good array's elements, at least one, each within its own malleability. */
export function run(each: Malleability): Malleability {
  const accepts: Accepts = (changed, good, bounds) => {
    if (!Array.isArray(changed) || !Array.isArray(good) || changed.length === 0) return false;
    const startsAt = (start: number) =>
      changed.every((item: Json, index: number) => isWithin(each, item, good[start + index], bounds));
    return good.some((_, start) => startsAt(start));
  };
  return { each, accepts };
}

/** Says whether a changed value is within the malleability around the good one. */
export function isWithin(
  malleability: Malleability,
  changed: Json | undefined,
  good: Json | undefined,
  bounds: Bounds,
): boolean {
  if (changed === undefined || good === undefined) return changed === good;
  if (isSame(changed, good)) return true;
  const { omit = [], inside = {}, accepts } = malleability;
  if (accepts !== undefined) return accepts(changed, good, bounds);
  if (!isObject(changed) || !isObject(good)) return false;
  const missing = Object.keys(good).filter((name) => !Object.hasOwn(changed, name));
  const groups = omit.map((group) => group.filter((name) => Object.hasOwn(good, name)));
  const left = new Set(groups.filter((group) => group.every((name) => missing.includes(name))).flat());
  if (missing.some((name) => !left.has(name))) return false;
  return Object.entries(changed).every(([name, member]) => {
    const own = inside[name] ?? {};
    return isWithin(own, member, Object.hasOwn(good, name) ? good[name] : own.absent, bounds);
  });
}

/** Yields the good value without each group of members that may be left out, at every place. */
export function* omissions(
  malleability: Malleability,
  good: Json | undefined,
  path = "",
): Generator<{ readonly path: string; readonly description: string; readonly value: Json }> {
  const { omit = [], inside = {}, each } = malleability;
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
