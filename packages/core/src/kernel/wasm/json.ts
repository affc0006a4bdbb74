/**
 * JSON by the compiled kernel. The kernel checks the bytes. Then the runtime's own JSON.parse builds the value, where
 * it reads an accepted text as the same value.
 */
import { type KernelExport, type KernelInstance, KernelStopped, REFUSED } from "@svc/wasm";
import { areEqual, copyBytes } from "../../encoding/bytes.ts";
import { encodeUtf8, parseUtf8 } from "../../encoding/utf8.ts";
import { requireJson } from "../json-value.ts";
import type { Json, JsonErrorCode, ParsedJson } from "../kernel.ts";
import { canonicalize as canonicalOf } from "../reference/canonical.ts";
import { parseJson as buildJson } from "../reference/json.ts";

/** The numbers of the errors, from 1 (crates/glue/src/documents.rs). */
const ERRORS: readonly (JsonErrorCode | undefined)[] = [
  undefined,
  "json_malformed",
  "duplicate_name",
  "lossy_number",
  "invalid_unicode",
  "too_deep",
];
const CANONICAL = 0x100;
const NEGATIVE_ZERO = 0x200;
const ESCAPED_NAME = 0x400;
const DEPTH_SHIFT = 16;

/** The answer of the compiled kernel to a text that it accepts. */
export interface AcceptedJson {
  readonly ok: true;
  readonly isCanonical: boolean;
  readonly hasNegativeZero: boolean;
  readonly hasEscapedName: boolean;
  /** The number of arrays and objects that are open at the deepest place. */
  readonly depth: number;
}

/** The answer of the compiled kernel to a text. */
export type CheckedJson = AcceptedJson | { readonly ok: false; readonly code: JsonErrorCode; readonly offset: number };

/** Checks a text by one of the exports for that. */
export function checkJson(
  kernel: KernelInstance,
  name: Extract<KernelExport, "json_check" | "json_canonicalize" | "document_open">,
  bytes: Uint8Array,
): CheckedJson {
  const status = kernel.call(name, bytes.length, (input) => copyBytes(input, bytes, 0));
  const code = ERRORS[status & 0xff];
  if (code !== undefined) return { ok: false, code, offset: kernel.errorOffset() };
  if ((status & 0xff) !== 0 || status === REFUSED) throw new RangeError("a JSON text of 4 GiB or more");
  return {
    ok: true,
    isCanonical: (status & CANONICAL) !== 0,
    hasNegativeZero: (status & NEGATIVE_ZERO) !== 0,
    hasEscapedName: (status & ESCAPED_NAME) !== 0,
    depth: status >>> DEPTH_SHIFT,
  };
}

/** Parses a text strictly. */
export function parseJson(kernel: KernelInstance, bytes: Uint8Array): ParsedJson {
  const checked = checkJson(kernel, "json_check", bytes);
  kernel.release();
  return checked.ok
    ? { ok: true, value: parseAccepted(bytes, checked, () => canonicalOfText(kernel, bytes)) }
    : checked;
}

/** Returns the value of a text that the kernel accepts. `canonical` returns the kernel's canonical bytes of it. */
export function parseAccepted(
  bytes: Uint8Array,
  { hasEscapedName, hasNegativeZero }: AcceptedJson,
  canonical: () => Uint8Array,
): Json {
  // The reference builds these values piece by piece. V8 13 and 14 read a name with an escape as another name that they
  // have met before (nodejs/node#63785). JSON.parse keeps the sign of a zero. A text longer than the longest string
  // cannot be passed to it.
  if (hasEscapedName || hasNegativeZero) return buildAlike(bytes, canonical());
  const text = parseUtf8(bytes);
  return text === null ? build(bytes) : JSON.parse(text);
}

/**
 * Builds an accepted value by the reference. Its reading must be this kernel's, so the canonical bytes of both are
 * compared.
 */
function buildAlike(bytes: Uint8Array, canonical: Uint8Array): Json {
  const value = build(bytes);
  const expected = canonicalOf(value);
  if (!areEqual(canonical, expected))
    throw new KernelStopped("The compiled kernel and the reference read a text as different values.");
  return value;
}

/** Builds an accepted value by the reference. */
function build(bytes: Uint8Array): Json {
  const built = buildJson(bytes);
  if (built.ok) return built.value;
  throw new KernelStopped(`The compiled kernel accepts what the reference refuses: ${built.code} at ${built.offset}.`);
}

/** Returns the canonical bytes of a JSON value. Throws TypeError for a value that is not JSON. */
export function canonicalize(kernel: KernelInstance, value: Json): Uint8Array {
  requireJson(value);
  return canonicalOfText(kernel, encodeUtf8(JSON.stringify(value)));
}

/** Returns the canonical bytes of a text that the kernel accepts. */
function canonicalOfText(kernel: KernelInstance, bytes: Uint8Array): Uint8Array {
  const checked = checkJson(kernel, "json_canonicalize", bytes);
  if (!checked.ok) throw new Error(`JSON.stringify wrote ${checked.code}`);
  const canonical = checked.isCanonical ? bytes : kernel.output();
  kernel.release();
  return canonical;
}
