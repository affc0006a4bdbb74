/**
 * Answers one request of the conformance protocol (docs/conformance.md). No I/O. Any request, and any failure of a
 * kernel, gets an answer.
 */
import type { Json, Kernel } from "@svc/core";
import { ARCHIVE_OPERATIONS } from "./archive.ts";
import { DIGEST_OPERATIONS } from "./digest.ts";
import { ED25519_OPERATIONS } from "./ed25519.ts";
import { helloOperations } from "./hello.ts";
import { JSON_OPERATIONS } from "./json.ts";
import { closedObject, isObject, objectWith, textMember } from "./members.ts";
import { MERKLE_OPERATIONS } from "./merkle.ts";
import { NOTE_OPERATIONS } from "./note.ts";
import { type Operation, type Operations, type Outcome, RequestFault } from "./operation.ts";
import { PRODUCER_OPERATIONS } from "./producers.ts";
import { TLOG_POLICY_OPERATIONS } from "./tlog-policy.ts";
import { VERIFY_OPERATIONS } from "./verify.ts";

/**
 * An answer: the request's id unchanged (null if it has none that can be read), whether the case holds, and the members
 * of the operation.
 */
export interface Answer extends Outcome {
  readonly id: Json;
}

const FAMILIES: readonly Operations[] = [
  JSON_OPERATIONS,
  DIGEST_OPERATIONS,
  ED25519_OPERATIONS,
  MERKLE_OPERATIONS,
  NOTE_OPERATIONS,
  TLOG_POLICY_OPERATIONS,
  ARCHIVE_OPERATIONS,
  VERIFY_OPERATIONS,
  PRODUCER_OPERATIONS,
];
const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  [helloOperations(FAMILIES.flatMap(Object.keys)), ...FAMILIES].flatMap(Object.entries<Operation>),
);

/** The names of all operations. */
export const OPERATION_NAMES: readonly string[] = [...OPERATIONS.keys()];

/**
 * Answers the bytes of one line. Bytes that are not JSON by protocol section 2 get the parser's code and offset, with a
 * null id: an id out of a text that cannot be parsed as a whole would be a guess. Never throws.
 */
export function answerBytes(bytes: Uint8Array, kernel: Kernel): Answer {
  try {
    const parsed = kernel.parseJson(bytes);
    if (parsed.ok) return answer(parsed.value, kernel);
    const { code, offset } = parsed;
    const message = "The line is not JSON as svc reads it. Send one JSON object a line.";
    return { id: null, ok: false, code, offset, message };
  } catch (error) {
    return { id: null, ...internalError(error) };
  }
}

/** Answers one request. Never throws. */
export function answer(request: Json, kernel: Kernel): Answer {
  const id = idOf(request);
  try {
    return { id, ...outcomeOf(request, kernel) };
  } catch (error) {
    if (!(error instanceof RequestFault)) return { id, ...internalError(error) };
    const { code, message } = error;
    // `malformed` is a verdict on the case, like every code of an operation, and so comes without words.
    return { id, ok: false, code, ...(code === "malformed_request" ? { message } : {}) };
  }
}

function outcomeOf(request: Json, kernel: Kernel): Outcome {
  const what = "The request";
  const operation = OPERATIONS.get(textMember(objectWith(request, what, ["id", "op"]), "op"));
  if (operation === undefined) return { ok: false, code: "unsupported_op" };
  const { required, optional } = operation;
  return operation.run(closedObject(request, what, ["id", "op", ...required], optional), kernel);
}

function idOf(request: Json): Json {
  return isObject(request) && Object.hasOwn(request, "id") ? (request.id ?? null) : null;
}

/** A kernel under test may fail in any way. The reader of the answers must see that too, and it ends nothing. */
function internalError(error: unknown): Outcome {
  const text = error instanceof Error ? error.message : String(error);
  return { ok: false, code: "internal_error", message: `svc failed on this request: ${text.toWellFormed()}` };
}
