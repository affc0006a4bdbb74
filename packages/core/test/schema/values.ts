/** Values to check: those in the fixtures and in the vectors of others, and the same after small and rough changes. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listVectors, vectorCases } from "@svc/testkit/vectors";
import { contentOf, type Json, type JsonObject, MANIFEST_PATH, openArchive, referenceKernel } from "../../src/index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/cases/", import.meta.url));

/** A case in the form of fixtures and vectors. */
export interface Case {
  readonly trust: Json;
  readonly links?: readonly Json[];
  readonly verdict: string;
  readonly input?: string;
  readonly input_base64?: string;
}

/** Returns all fixtures. */
export function fixtures(): Case[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(FIXTURES + file, "utf8")) as Case);
}

/** Returns all cases of the independent implementation. */
export function casesOfOthers(): Case[] {
  return listVectors("proofstream/cases", ".jsonl").flatMap((file) => vectorCases<Case>(file));
}

/**
 * Returns the values of a case: the object (for a package its manifest), the trust policy, the links. An input that is
 * neither brings no object.
 */
export function valuesOf({ input, input_base64 = "", trust, links = [] }: Case): Json[] {
  return [...parsed(input ?? manifestIn(Buffer.from(input_base64, "base64"))), trust, ...links];
}

function manifestIn(bytes: Uint8Array): string {
  const opened = openArchive(bytes);
  const entry = opened.ok ? opened.entries.find(({ path }) => path === MANIFEST_PATH) : undefined;
  const content = entry === undefined ? null : contentOf(referenceKernel, entry);
  return content?.ok ? new TextDecoder().decode(content.bytes) : "";
}

function parsed(text: string): Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

/** Yields all objects in a value, the value itself first. */
export function* partsOf(value: Json): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const member of Object.values(value)) yield* partsOf(member);
}

/** Returns the value at a JSON Pointer (RFC 6901). */
export function valueAt(root: Json, pointer: string): Json | undefined {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<Json | undefined>((node, name) => (node as JsonObject | undefined)?.[name], root);
}

/** Values of every type, at the edges of the schemas' demands, and with names that objects inherit. */
const ODD: readonly Json[] = [
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 53 - 1,
  2 ** 53,
  "",
  "x",
  "\u{1f600}".repeat(300),
  [],
  [null],
  {},
  JSON.parse('{"__proto__":{"seal":1},"constructor":0,"toString":0,"a/b~c":[{}]}') as Json,
];

/**
 * Yields the value with each part of it replaced by each odd value, one after the other, and with each odd value as one
 * more member.
 */
export function* replacements(root: Json): Generator<Json> {
  yield* ODD;
  if (typeof root !== "object" || root === null) return;
  for (const [name, member] of Object.entries(root)) {
    for (const changed of replacements(member)) yield withMember(root, name, changed);
  }
  if (Array.isArray(root)) return;
  for (const name of ["__proto__", "constructor", "a/b~c"]) yield withMember(root, name, { payload: null });
}

/** Returns a copy with one more own member, of any name. */
function withMember(object: object, name: string, value: Json): Json {
  const copy = Array.isArray(object) ? [...object] : { ...object };
  return Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true }) as Json;
}
