/**
 * `redact`, `portable-receipt` and `fork.find`: what anybody can make of evidence without a key (protocol sections 7,
 * 11, 13 and 14). As with the commands, nothing is handed out that does not hold, whichever key signed it.
 */
import {
  type Bundle,
  decode,
  detectKind,
  encodeBase64,
  findFork,
  formats,
  type Json,
  type JsonKind,
  type Kernel,
  parseNote,
  portableReceiptOf,
  type Redactable,
  redact,
  verify,
} from "@svc/core";
import { bytesMember, sizeListMember, sizeMember, textMember } from "./members.ts";
import { type Operations, type Outcome, RequestFault } from "./operation.ts";

const REDACTABLE: readonly JsonKind[] = ["bundle", "portable-receipt", "stream", "receipt"];
/** The kinds with parts that can contradict each other. */
const COMPARABLE: readonly JsonKind[] = [...REDACTABLE, "window", "checkpoint", "consistency", "anchor"];
/** Fork evidence has an id and a time, which nobody could compare if each implementation drew its own. */
const FORK_ID = `frk_${"0".repeat(26)}`;
const FORK_ID_FORM = /^frk_[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const DETECTED_AT = "1970-01-01T00:00:00.000Z";

export const PRODUCER_OPERATIONS: Operations = {
  redact: {
    required: ["bytes", "seq_nos"],
    run(request, kernel) {
      const bytes = bytesMember(request, "bytes");
      const seqNos = sizeListMember(request, "seq_nos");
      const given = formed(kernel, bytes, REDACTABLE);
      return given.ok ? redacted(kernel, given, seqNos) : given;
    },
  },
  "portable-receipt": {
    required: ["bytes", "seq_no"],
    run(request, kernel) {
      const bytes = bytesMember(request, "bytes");
      const seqNo = sizeMember(request, "seq_no");
      const given = formed(kernel, bytes, ["bundle"]);
      if (!given.ok) return given;
      const bundle = given.value as unknown as Bundle;
      const isThere = bundle.artifacts["receipts.json"].some(({ seq_no }) => seq_no === seqNo);
      return isThere ? cut(kernel, bundle, seqNo) : { ok: false, code: "event_missing" };
    },
  },
  "fork.find": {
    required: ["left", "right"],
    optional: ["fork_id", "detected_at"],
    run(request, kernel) {
      const fork_id = Object.hasOwn(request, "fork_id") ? textMember(request, "fork_id") : FORK_ID;
      const detected_at = Object.hasOwn(request, "detected_at") ? textMember(request, "detected_at") : DETECTED_AT;
      if (!FORK_ID_FORM.test(fork_id)) throw new RequestFault('"fork_id" must be frk_ and a ULID in lowercase.');
      if (formats["service-time"]?.(detected_at) !== true)
        throw new RequestFault('"detected_at" must be a time such as 2026-03-01T00:00:00.000Z.');
      const sides: Json[] = [];
      for (const name of ["left", "right"]) {
        const side = sideOf(kernel, bytesMember(request, name));
        if (!side.ok) return side;
        sides.push(side.value);
      }
      const [left = null, right = null] = sides;
      const found = findFork(left, right, { fork_id, detected_at, kernel });
      return { ok: true, result: found === null ? null : encodeBase64(kernel.canonicalize(found)) };
    },
  },
};

type Formed = { readonly ok: true; readonly kind: JsonKind; readonly value: Json };
type Refused = { readonly ok: false; readonly code: string };

/** Returns an object of one of these kinds that has the form of its kind. */
function formed(kernel: Kernel, bytes: Uint8Array, kinds: readonly JsonKind[]): Formed | Refused {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) return { ok: false, code: parsed.code };
  const kind = detectKind(parsed.value);
  if (kind === null || !kinds.includes(kind)) return { ok: false, code: "unsupported_object" };
  const decoded = decode(kernel, bytes);
  return decoded.ok ? decoded : { ok: false, code: "malformed" };
}

/** Returns an object with parts, or the text of a signed note, which is no JSON. */
function sideOf(kernel: Kernel, bytes: Uint8Array): { readonly ok: true; readonly value: Json } | Refused {
  const note = kernel.parseJson(bytes).ok ? null : noteOf(bytes);
  return note === null ? formed(kernel, bytes, COMPARABLE) : { ok: true, value: note };
}

function noteOf(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return parseNote(text) === null ? null : text;
  } catch {
    return null;
  }
}

/** Returns the answer with an object, unless a verifier that trusts nobody rejects it. */
function held(kernel: Kernel, kind: JsonKind, object: Json): Outcome {
  const bytes = kernel.canonicalize(object);
  if (verify(bytes, { kind, kernel }).verdict === "rejected") return { ok: false, code: "rejected" };
  return { ok: true, result: encodeBase64(bytes) };
}

/** Leaves payloads out. Core refuses an object that has its form only as a bundle of vaults, or for a wrong number. */
function redacted(kernel: Kernel, { kind, value }: Formed, seqNos: readonly number[]): Outcome {
  try {
    return held(kernel, kind, redact(value as Redactable, seqNos) as Json);
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, code: "unsupported_object" };
    if (error instanceof RangeError) return { ok: false, code: "event_missing" };
    throw error;
  }
}

/** Cuts the receipt of an event that is there. Core refuses then only parts that do not fit together. */
function cut(kernel: Kernel, bundle: Bundle, seqNo: number): Outcome {
  try {
    return held(kernel, "portable-receipt", portableReceiptOf(kernel, bundle, seqNo));
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, code: "rejected" };
    throw error;
  }
}
