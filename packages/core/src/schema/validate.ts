/**
 * Turns what a compiled validator says into problems with codes: `unknown_member`, `missing_member`, `unsupported_object` for
 * another protocol or algorithm, `malformed` for everything else. All of them are listed.
 */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { MAX_PAYLOAD_DEPTH } from "../protocol.ts";
import type { Finding } from "../report/report.ts";

/** A validator as the schema compiler writes it. */
export interface Validator {
  (value: unknown): boolean;
  errors?: readonly ValidatorError[] | null;
}

interface ValidatorError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The names whose only allowed value says which protocol an object is of. */
const NAMES_OF_VERSION = ["/protocol", "/alg", "/format", "/version"];

/** Every problem that a validator finds in a value, in the order in which it finds them; empty where the shape is right. */
export function shapeProblems(validator: Validator, value: Json): Finding[] {
  if (validator(value)) return [];
  const findings = (validator.errors ?? []).map((error) => toFinding(error, value));
  const seen = new Set<string>();
  return findings.filter(({ code, path }) => {
    const key = `${code} ${path}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Where a payload nests deeper than the protocol allows: paths of all such payloads under any member called `payload`. */
export function deepPayloads(value: Json): Finding[] {
  const findings: Finding[] = [];
  const walk = (node: Json, path: string): void => {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) walk(item, `${path}/${index}`);
    } else if (typeof node === "object" && node !== null) {
      for (const [name, member] of Object.entries(node)) {
        const at = `${path}/${escapePointer(name)}`;
        if (name !== "payload") walk(member, at);
        else if (depthOf(member, MAX_PAYLOAD_DEPTH + 1) > MAX_PAYLOAD_DEPTH)
          findings.push({ code: "too_deep", path: at, message: `A payload nests deeper than ${MAX_PAYLOAD_DEPTH}.` });
      }
    }
  };
  walk(value, "");
  return findings;
}

/** How deep a value nests: 0 for a scalar, 1 for an empty object or array. Stops counting at `limit`. */
export function depthOf(value: Json, limit: number): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  let deepest = 0;
  for (const member of Object.values(value as JsonObject)) deepest = Math.max(deepest, depthOf(member, limit - 1));
  return deepest + 1;
}

function toFinding({ keyword, instancePath: path, params }: ValidatorError, value: Json): Finding {
  switch (keyword) {
    case "additionalProperties": {
      const name = String(params.additionalProperty);
      return {
        code: "unknown_member",
        path: `${path}/${escapePointer(name)}`,
        message: `The protocol names no member ${JSON.stringify(name)} here.`,
      };
    }
    case "required":
    case "dependentRequired": {
      const name = String(params.missingProperty);
      return {
        code: "missing_member",
        path: `${path}/${escapePointer(name)}`,
        message: `The member ${JSON.stringify(name)} is missing.`,
      };
    }
    case "const": {
      const allowed = JSON.stringify(params.allowedValue);
      const code = NAMES_OF_VERSION.some((name) => path.endsWith(name)) ? "unsupported_object" : "malformed";
      return { code, path, message: `Only ${allowed} may stand here.`, expected: allowed, actual: shown(value, path) };
    }
    default:
      return { code: "malformed", path, message: malformedMessage(keyword, params), actual: shown(value, path) };
  }
}

function malformedMessage(keyword: string, params: ValidatorError["params"]): string {
  switch (keyword) {
    case "type":
      return `The value must be of type ${String(params.type)}.`;
    case "pattern":
      return `The value does not have the form ${String(params.pattern)}.`;
    case "format":
      return `The value is not a valid ${String(params.format)}.`;
    case "minimum":
    case "maximum":
      return `The number must be ${String(params.comparison)} ${String(params.limit)}.`;
    case "minItems":
    case "maxItems":
      return `The list must hold ${keyword === "minItems" ? "at least" : "at most"} ${String(params.limit)}.`;
    case "enum":
      return `The value must be one of ${JSON.stringify(params.allowedValues)}.`;
    default:
      return `The value does not have the form that the protocol demands (${keyword}).`;
  }
}

const SHOWN_CHARACTERS = 100;

/** The value at a JSON Pointer as short JSON, for the report. */
function shown(value: Json, path: string): string {
  let node: Json | undefined = value;
  for (const part of path.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof node !== "object" || node === null || !Object.hasOwn(node, name)) return "";
    node = (node as JsonObject)[name];
  }
  if (typeof node === "object" && node !== null) return Array.isArray(node) ? "a list" : "an object";
  const text = JSON.stringify(node) ?? "";
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

/** A member name as a part of a JSON Pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
