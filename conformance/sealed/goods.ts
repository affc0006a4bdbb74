/** The fixtures, the good ones among them, and what their members and those of all fixtures ever hold, by name. */
import { readdirSync, readFileSync } from "node:fs";
import type { Json, JsonObject } from "@svc/core";
import { type ForgedKind, isObject, places } from "@svc/core/tamper";
import { bytesOf } from "../../fixtures/case.ts";

/** A fixture whose input is an object. */
export interface Input {
  /** Its file. */
  readonly name: string;
  readonly kind: string;
  readonly object: JsonObject;
  readonly trust: JsonObject;
  readonly links?: readonly Json[];
}

/** One that is verified, in a kind that a forger can make consistent again. */
export interface Good extends Input {
  readonly kind: ForgedKind;
}

/** A truth package that is verified. */
export interface GoodPackage extends Omit<Good, "kind" | "object"> {
  readonly bytes: Uint8Array;
}

/** All of that. `seen`: values by the name of their member, as text once each. */
export interface Goods {
  readonly inputs: readonly Input[];
  readonly byKind: ReadonlyMap<ForgedKind, readonly Good[]>;
  readonly packages: readonly GoodPackage[];
  readonly seen: ReadonlyMap<string, readonly Json[]>;
}

const CASES = new URL("../../fixtures/cases/", import.meta.url);
/** Larger ones take long, and have no other members. */
const MAX_OBJECT_BYTES = 60_000;
const MAX_VALUE_CHARACTERS = 4_000;
/** So many values of one name are kept. */
const MAX_VALUES = 60;
/** Nobody computes or signs anything in them. */
const UNSEALED = ["witness", "provider-result"];

/** Reads the fixtures. */
export function readGoods(): Goods {
  const inputs: Input[] = [];
  const goods: Good[] = [];
  const packages: GoodPackage[] = [];
  const texts = new Map<string, Set<string>>();
  const files = readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  for (const file of files.sort()) {
    const fixture = JSON.parse(readFileSync(new URL(file, CASES), "utf8"));
    const { kind, trust, links } = fixture;
    const handedIn = { trust, ...(links === undefined ? {} : { links }) };
    if (kind === "truth-package") {
      if (fixture.verdict === "verified") packages.push({ name: file, bytes: bytesOf(fixture), ...handedIn });
      continue;
    }
    const object = objectOf(bytesOf(fixture));
    if (object === null) continue;
    for (const { path, value } of [...places(object), ...places({ trust: fixture.trust })]) gather(texts, path, value);
    inputs.push({ name: file, kind, object, ...handedIn });
    if (fixture.verdict !== "verified" || UNSEALED.includes(kind)) continue;
    goods.push({ name: file, kind, object, ...handedIn });
  }
  const parsed = ([name, own]: [string, Set<string>]) =>
    [name, [...own].map((text): Json => JSON.parse(text))] as const;
  return { inputs, byKind: Map.groupBy(goods, ({ kind }) => kind), packages, seen: new Map([...texts].map(parsed)) };
}

/** Returns the name of the member that a value is, or is an element of. `path`: JSON Pointer. */
export function nameOf(path: string): string {
  return path.split("/").findLast((part) => !/^(\d+|sev_\w{26})?$/.test(part)) ?? "";
}

function objectOf(bytes: Uint8Array): JsonObject | null {
  if (bytes.length > MAX_OBJECT_BYTES) return null;
  try {
    const value: Json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isObject(value) ? value : null;
  } catch {
    // Fixtures of what is no JSON.
    return null;
  }
}

function gather(texts: Map<string, Set<string>>, path: string, value: Json): void {
  const text = JSON.stringify(value);
  const own = texts.get(nameOf(path)) ?? new Set();
  if (text.length <= MAX_VALUE_CHARACTERS && own.size < MAX_VALUES) texts.set(nameOf(path), own.add(text));
}
