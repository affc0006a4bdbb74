/**
 * The kernel with which long evidence is written: the same bytes and hashes as any kernel's. It makes a long list to
 * text piece by piece. A text is one value of the heap, and a single value that exceeds the limit of a thread's heap
 * would end the whole process. The kernel is for issuing only; all verifying goes through a kernel itself.
 */
import { createHash } from "node:crypto";
import type { Json, JsonObject, Kernel } from "@svc/core";
import { issuingKernel } from "../issuing-kernel.ts";

/** So many values are made to text at once: some hundred KiB, since a checkpoint lists up to 1,024 windows. */
const VALUES_IN_PIECE = 16;

/** Returns a kernel that canonicalizes and hashes like `kernel`, faster, and long lists piece by piece. */
export function evidenceKernel(kernel: Kernel): Kernel {
  const issuing = issuingKernel(kernel);
  return {
    ...issuing,
    hasher: () => createHash("sha256"),
    canonicalize: (value) => {
      if (isLong(value)) return listOf(issuing, value);
      return isObject(value) && Object.values(value).some(isLong)
        ? objectOf(issuing, value)
        : issuing.canonicalize(value);
    },
  };
}

/** Returns J(list). */
function listOf(kernel: Kernel, list: readonly Json[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < list.length; from += VALUES_IN_PIECE) {
    const values = kernel.canonicalize(list.slice(from, from + VALUES_IN_PIECE));
    pieces.push(Buffer.from(from === 0 ? "[" : ","), values.subarray(1, -1));
  }
  return Buffer.concat([...pieces, Buffer.from("]")]);
}

/** Returns J(object) for an object with long lists as members. */
function objectOf(kernel: Kernel, object: JsonObject): Uint8Array {
  const pieces: Uint8Array[] = [];
  // Texts are sorted by UTF-16 code units, as RFC 8785 demands.
  for (const name of Object.keys(object).sort()) {
    const member = object[name] as Json;
    const text = isLong(member) ? listOf(kernel, member) : kernel.canonicalize(member);
    const before = pieces.length === 0 ? "{" : ",";
    pieces.push(Buffer.from(before), kernel.canonicalize(name), Buffer.from(":"), text);
  }
  return Buffer.concat([...pieces, Buffer.from("}")]);
}

function isLong(value: Json): value is readonly Json[] {
  return Array.isArray(value) && value.length > VALUES_IN_PIECE;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
