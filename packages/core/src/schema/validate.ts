/**
 * Turns the errors of a validator into problems with codes: `unknown_member`, `missing_member`, `unsupported_object`
 * for another protocol or algorithm, `malformed` for everything else. It lists all of them.
 */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { MAX_PAYLOAD_DEPTH } from "../protocol.ts";
import type { Finding } from "../report/report.ts";
import type { SchemaError, Validator } from "./check.ts";
import { pointerOf, pointerTo } from "./pointer.ts";

/** Members whose only allowed value says which protocol an object follows. */
const NAMES_OF_VERSION = ["/protocol", "/alg", "/format", "/version", "/attestationKind", "/schema"];

/** The metadata of an envelope's content, wherever the content stands: any fault in it has a separate code. */
const METADATA = /(?:\/content|^\/contents\/[^/]+)\/metadata(?:\/|$)/;

/**
 * Returns every problem that a validator finds in a value, in the order in which it finds them; empty if the shape is
 * right.
 */
export function shapeProblems(validator: Validator, value: Json): Finding[] {
  const findings = validator(value).map(toFinding).map(inMetadata);
  const seen = new Set<string>();
  return findings.filter(({ code, path }) => {
    const key = `${code} ${path}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Only what the protocol names may leave a vault, so a fault in its metadata has a separate code. */
function inMetadata(finding: Finding): Finding {
  const isMissing = finding.code === "missing_member" && finding.path.endsWith("/metadata");
  return METADATA.test(finding.path) && !isMissing
    ? { ...finding, code: "provenance_metadata_not_permitted" }
    : finding;
}

/** Returns a problem for each payload that nests deeper than the protocol allows, under any member called `payload`. */
export function deepPayloads(value: Json): Finding[] {
  const message = `A payload nests deeper than ${MAX_PAYLOAD_DEPTH}.`;
  const findings: Finding[] = [];
  const path: (string | number)[] = [];
  const walk = (node: Json): void => {
    if (Array.isArray(node)) {
      for (const [index, item] of node.entries()) {
        path.push(index);
        walk(item);
        path.pop();
      }
    } else if (typeof node === "object" && node !== null) {
      for (const [name, member] of Object.entries(node)) {
        path.push(name);
        if (name !== "payload") walk(member);
        else if (depthOf(member, MAX_PAYLOAD_DEPTH + 1) > MAX_PAYLOAD_DEPTH)
          findings.push({ code: "too_deep", path: pointerOf(path), message });
        path.pop();
      }
    }
  };
  walk(value);
  return findings;
}

/** Returns how deep a value nests: 0 for a scalar, 1 for an empty object or array. It stops counting at `limit`. */
export function depthOf(value: Json, limit: number): number {
  if (typeof value !== "object" || value === null || limit === 0) return 0;
  let deepest = 0;
  for (const member of Object.values(value as JsonObject)) deepest = Math.max(deepest, depthOf(member, limit - 1));
  return deepest + 1;
}

function toFinding({ keyword, path, value, demand }: SchemaError): Finding {
  switch (keyword) {
    case "additionalProperties": {
      const message = `The protocol names no member ${JSON.stringify(demand)} here.`;
      return { code: "unknown_member", path: pointerTo(path, `${demand}`), message };
    }
    case "required":
    case "dependentRequired": {
      const message = `The member ${JSON.stringify(demand)} is missing.`;
      return { code: "missing_member", path: pointerTo(path, `${demand}`), message };
    }
    case "const": {
      const allowed = JSON.stringify(demand);
      const code = NAMES_OF_VERSION.some((name) => path.endsWith(name)) ? "unsupported_object" : "malformed";
      return { code, path, message: `Only ${allowed} is allowed here.`, expected: allowed, actual: shown(value) };
    }
    default: {
      const isOfVersion = keyword === "enum" && NAMES_OF_VERSION.some((name) => path.endsWith(name));
      const code = isOfVersion && typeof value === "string" ? "unsupported_object" : "malformed";
      return { code, path, message: malformedMessage(keyword, demand), actual: shown(value) };
    }
  }
}

function malformedMessage(keyword: string, demand: unknown): string {
  switch (keyword) {
    case "type":
      return `The value must be of type ${demand}.`;
    case "pattern":
      return `The value does not have the form ${demand}.`;
    case "format":
      return `The value is not a valid ${demand}.`;
    case "minimum":
      return `The number must be >= ${demand}.`;
    case "maximum":
      return `The number must be <= ${demand}.`;
    case "minItems":
      return `The list must hold at least ${demand}.`;
    case "maxItems":
      return `The list must hold at most ${demand}.`;
    case "enum":
      return `The value must be one of ${JSON.stringify(demand)}.`;
    default:
      return `The value does not have the form that the protocol demands (${keyword}).`;
  }
}

export const SHOWN_CHARACTERS = 100;

/** Returns a value as short JSON, for the report. */
function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const text = JSON.stringify(value) ?? "";
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
