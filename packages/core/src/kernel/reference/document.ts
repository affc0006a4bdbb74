/** Documents of the reference kernel. It finds the parts of the canonical bytes by serializing each value again. */
import { areEqual } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import {
  type JsonDocument,
  type MemberPath,
  type MemberSpans,
  RECORD_BATCH,
  type RecordRecipe,
  requirePart,
  requireRecipe,
} from "../document.ts";
import type { Json, JsonObject, OpenedJson } from "../kernel.ts";
import { canonicalize } from "./canonical.ts";
import { sha256Of } from "./digest.ts";
import { parseJson } from "./json.ts";
import { readRecords } from "./records.ts";

/** Parses a text and keeps its value and its canonical bytes. */
export function openJson(bytes: Uint8Array): OpenedJson {
  const parsed = parseJson(bytes);
  return parsed.ok ? { ok: true, document: openValue(bytes, parsed.value) } : parsed;
}

function openValue(bytes: Uint8Array, value: Json): JsonDocument {
  const written = canonicalize(value);
  const isCanonical = areEqual(written, bytes);
  const canonical = isCanonical ? bytes : written;
  return {
    isCanonical,
    canonicalBytes: () => canonical,
    value: () => value,
    depth: depthOf(value),
    members: (path) => membersAt(value, path),
    hashPart(prefix, { start, end }) {
      requirePart({ start, end }, canonical.length);
      return sha256Of(prefix, canonical.subarray(start, end));
    },
    records(path: MemberPath, recipe: RecordRecipe) {
      requireRecipe(recipe);
      const found = valueAt(value, path);
      return isContainer(found) ? readInBatches(entries(found), !Array.isArray(found), recipe) : null;
    },
    close: () => {},
  };
}

function* readInBatches(records: readonly [string, Json][], areNamed: boolean, recipe: RecordRecipe) {
  let from = 0;
  do {
    const batch = records.slice(from, from + RECORD_BATCH);
    const names = areNamed ? batch.map(([name]) => name) : [];
    const values = batch.map(([, record]) => record);
    yield readRecords(names, values, recipe);
    from += RECORD_BATCH;
  } while (from < records.length);
}

/** Returns the value at a path; undefined without one. */
function valueAt(value: Json, path: MemberPath): Json | undefined {
  let found: Json | undefined = value;
  for (const step of path) {
    if (!isContainer(found)) return undefined;
    found = entries(found).find(([name]) => name === step)?.[1];
  }
  return found;
}

function depthOf(value: Json): number {
  if (!isContainer(value)) return 0;
  return 1 + entries(value).reduce((deepest, [, member]) => Math.max(deepest, depthOf(member)), 0);
}

function membersAt(root: Json, path: MemberPath): MemberSpans | null {
  let start = 0;
  let value = root;
  for (const step of path) {
    if (!isContainer(value)) return null;
    const spans = spansOf(value, start);
    const index = entries(value).findIndex(([name]) => name === step);
    const next = entries(value)[index]?.[1];
    if (next === undefined) return null;
    start = spans.values[2 * index] ?? 0;
    value = next;
  }
  return isContainer(value) ? spansOf(value, start) : null;
}

/** Returns the parts of an array or object whose own canonical bytes begin at `start`. */
function spansOf(container: readonly Json[] | JsonObject, start: number): MemberSpans {
  const members = entries(container);
  const names = new Uint32Array(2 * members.length);
  const values = new Uint32Array(2 * members.length);
  let at = start + 1;
  for (const [index, [name, value]] of members.entries()) {
    const nameEnd = Array.isArray(container) ? at : at + encodeUtf8(JSON.stringify(name)).length;
    const valueStart = Array.isArray(container) ? at : nameEnd + 1;
    const end = valueStart + canonicalize(value).length;
    names.set([at, nameEnd], 2 * index);
    values.set([valueStart, end], 2 * index);
    at = end + 1;
  }
  return { count: members.length, names, values };
}

/** Returns names or element numbers with their values, in canonical order. */
function entries(container: readonly Json[] | JsonObject): [string, Json][] {
  if (Array.isArray(container)) return container.map((value: Json, index) => [`${index}`, value]);
  // Strings compare by UTF-16 code units, as RFC 8785 section 3.2.3 orders names.
  return Object.entries(container as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
}

function isContainer(value: Json | undefined): value is readonly Json[] | JsonObject {
  return typeof value === "object" && value !== null;
}
