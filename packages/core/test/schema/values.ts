/** Values to check: what stands in the fixtures and in the shared vectors, and what small and rough changes make of it. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { listVectors, readVectorJson } from "@svc/testkit/vectors";
import { contentOf, type Json, type JsonObject, MANIFEST_PATH, openArchive } from "../../src/index.ts";

const FIXTURES = fileURLToPath(new URL("../../../../fixtures/cases/", import.meta.url));

/** A case as fixtures and shared vectors have it. */
export interface Case {
  readonly trust: Json;
  readonly links?: readonly Json[];
  readonly verdict: string;
  readonly input?: string;
  readonly input_base64?: string;
}

/** All fixtures. */
export function fixtures(): Case[] {
  return readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(FIXTURES + file, "utf8")) as Case);
}

/** All shared cases; they must be there. */
export function sharedCases(): Case[] {
  return listVectors("proofstream/cases", ".json").map((file) => readVectorJson(file) as Case);
}

/** What a case brings: the object (of a package its manifest), the trust policy, the links. An input that is neither brings no object. */
export function valuesOf({ input, input_base64 = "", trust, links = [] }: Case): Json[] {
  return [...parsed(input ?? manifestIn(Buffer.from(input_base64, "base64"))), trust, ...links];
}

function manifestIn(bytes: Uint8Array): string {
  const opened = openArchive(bytes);
  const entry = opened.ok ? opened.entries.find(({ path }) => path === MANIFEST_PATH) : undefined;
  const content = entry === undefined ? null : contentOf(entry);
  return content?.ok ? new TextDecoder().decode(content.bytes) : "";
}

function parsed(text: string): Json[] {
  try {
    return [JSON.parse(text) as Json];
  } catch {
    return [];
  }
}

/** All objects in a value, itself the first. */
export function* partsOf(value: Json): Generator<Json> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const member of Object.values(value)) yield* partsOf(member);
}

/** What stands at a JSON Pointer (RFC 6901). */
export function valueAt(root: Json, pointer: string): Json | undefined {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<Json | undefined>((node, name) => (node as JsonObject | undefined)?.[name], root);
}

/** Values of every type, at the edges of what schemas demand, and with names that objects inherit. */
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

/** The value with each part of it, one after the other, replaced by each odd value, and with each odd value as one more member. */
export function* replacements(root: Json): Generator<Json> {
  yield* ODD;
  if (typeof root !== "object" || root === null) return;
  for (const [name, member] of Object.entries(root)) {
    for (const changed of replacements(member)) yield withMember(root, name, changed);
  }
  if (Array.isArray(root)) return;
  for (const name of ["__proto__", "constructor", "a/b~c"]) yield withMember(root, name, { payload: null });
}

/** A copy in which a member is own, whatever its name. */
function withMember(object: object, name: string, value: Json): Json {
  const copy = Array.isArray(object) ? [...object] : { ...object };
  return Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true }) as Json;
}
