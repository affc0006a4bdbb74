/**
 * Request bodies: raw bytes within a limit, then the kernel's strict parser (protocol section 2), never a lenient one
 * first. The route checks shapes.
 */
import type { IncomingMessage } from "node:http";
import { BODY_GRACE_MS } from "@svc/api/limits";
import type { Json, JsonErrorCode, Kernel } from "@svc/core";
import { ServiceError } from "../errors.ts";

const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset="?utf-8"? *)?$/i;
/** A timer that is later than this shows that the process itself stood still. */
const STOOD_STILL_MS = 1000;
const DECIMAL = /^\d{1,15}$/;

/** Parses a body. Throws the parser's own code for one that is not JSON. */
export function parseBody(bytes: Uint8Array, kernel: Kernel): Json {
  const parsed = kernel.parseJson(bytes);
  if (!parsed.ok) throw malformed(parsed);
  return parsed.value;
}

/** The reason why bytes are not JSON, and the offset at which it shows. */
export interface JsonFault {
  readonly code: JsonErrorCode;
  readonly offset: number;
}

/** Returns the refusal of a body that is not JSON. */
export function malformed({ code, offset }: JsonFault): ServiceError {
  return new ServiceError(code, `The body is refused at byte ${offset}: ${REASONS[code]}`, { offset });
}

/** Returns whether a code is one of the strict parser's refusals. */
export function isJsonErrorCode(code: string): code is JsonErrorCode {
  return Object.hasOwn(REASONS, code);
}

/** The words of each refusal of the strict parser, for the sender of the text. */
export const REASONS = {
  json_malformed: "it is not JSON there. Send one JSON value, UTF-8, and nothing else.",
  duplicate_name: "a member name appears a second time in its object. Send each name once.",
  lossy_number: "the number cannot be carried exactly. Send it as a string.",
  invalid_unicode: "it is not well-formed Unicode. Send UTF-8 without lone surrogates.",
  too_deep: "it nests deeper than 64. Send a flatter value.",
} as const;

/**
 * Parses a form: its fields as texts, by name. Throws `invalid_unicode` for one that is not UTF-8, and `duplicate_name`
 * for a field that comes twice.
 */
export function parseForm(bytes: Uint8Array): Readonly<Record<string, string>> {
  let fields: [string, string][];
  try {
    // The percent-encoding is read by hand: URLSearchParams puts U+FFFD in place of what is not UTF-8.
    fields = Buffer.from(bytes)
      .toString("latin1")
      .split("&")
      .filter((field) => field !== "")
      .map((field) => {
        const [name = "", ...value] = field.split("=");
        return [decoded(name), decoded(value.join("="))];
      });
  } catch {
    throw new ServiceError("invalid_unicode", "The form is not UTF-8 in percent-encoding. Send it as a browser does.");
  }
  const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) < index);
  if (twice !== undefined)
    throw new ServiceError("duplicate_name", `The form has the field ${JSON.stringify(twice[0])} twice. Send it once.`);
  return Object.fromEntries(fields);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns a part of a form as text. Throws TypeError or URIError for one that is not UTF-8 in percent-encoding. */
function decoded(part: string): string {
  return decodeURIComponent(UTF8.decode(Buffer.from(part.replaceAll("+", " "), "latin1")));
}

function requireType(request: IncomingMessage, isForm: boolean): void {
  const type = request.headers["content-type"];
  if (type === undefined || !(isForm ? FORM_TYPE : JSON_TYPE).test(type))
    throw new ServiceError(
      "unsupported_media_type",
      `The body is sent as ${JSON.stringify(type ?? "nothing")}. Send "Content-Type: ` +
        `${isForm ? "application/x-www-form-urlencoded" : "application/json"}", in UTF-8.`,
    );
  const encoding = request.headers["content-encoding"];
  if (encoding !== undefined && encoding !== "identity")
    throw new ServiceError(
      "unsupported_media_type",
      `The body has the Content-Encoding ${JSON.stringify(encoding)}. Send it uncompressed.`,
    );
}

/** Returns the Content-Length in bytes; null if it is missing or malformed. */
export function statedBytes({ headers }: IncomingMessage): number | null {
  const stated = headers["content-length"];
  return stated !== undefined && DECIMAL.test(stated) ? Number(stated) : null;
}

/** Throws `body_too_large` for a Content-Length above `maxBytes`, and for a malformed one. */
export function requireFit({ headers }: IncomingMessage, maxBytes: number): void {
  const stated = headers["content-length"];
  if (stated !== undefined && (!DECIMAL.test(stated) || Number(stated) > maxBytes)) throw tooLarge(maxBytes);
}

/** The rules under which a body is read. */
export interface BodyReading {
  readonly maxBytes: number;
  /** Whether it is a form; JSON otherwise. */
  readonly isForm?: boolean;
  /** The slowest pace after the first seconds; without it, any pace is accepted. */
  readonly minBytesPerSecond?: number | undefined;
  /**
   * Called with the number of bytes of each chunk. If it returns a promise, no more is read before that resolves; if
   * the promise rejects, reading ends with its reason.
   */
  readonly arrived?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /** Ends the reading; the body rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads a body that is sent as JSON, or as a form; resolves to its bytes. Rejects with `unsupported_media_type` or
 * `body_too_large`, with `request_timeout` for a body slower than its pace, with the reason of the signal, and with
 * Error for a connection that ends first.
 */
export async function readBytes(
  request: IncomingMessage,
  { maxBytes, isForm = false, minBytesPerSecond, arrived, signal }: BodyReading,
): Promise<Uint8Array> {
  requireType(request, isForm);
  requireFit(request, maxBytes);
  // A request that was destroyed before emits no more events: without this check its permit would be held for ever.
  if (request.destroyed) throw cutOff();
  const startedAt = performance.now();
  const pace =
    minBytesPerSecond === undefined ? null : { minBytesPerSecond, startedAt, dueAt: startedAt + BODY_GRACE_MS };
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isOver = false;
    let timer = pace === null ? undefined : setTimeout(tooSlow, BODY_GRACE_MS);

    function leave(): void {
      isOver = true;
      clearTimeout(timer);
      // The rest of the body is read and dropped.
      request.resume();
      request.off("data", take).off("end", finish).off("error", fail).off("close", leftAlone);
      signal?.removeEventListener("abort", giveWay);
    }
    function fail(error: unknown): void {
      leave();
      reject(error);
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      if (size > maxBytes) {
        fail(tooLarge(maxBytes));
        return;
      }
      chunks.push(chunk);
      clearTimeout(timer);
      const entered = arrived?.(chunk.length);
      if (entered === undefined) {
        expectMore();
        return;
      }
      // The body has had to give way meanwhile, and the rest is dropped: if it were paused, its connection would never
      // end.
      if (isOver) {
        entered.catch(() => undefined);
        return;
      }
      const pausedAt = performance.now();
      request.pause();
      entered.then(() => {
        // A sender is not slow while the server makes it wait.
        if (pace !== null) pace.startedAt += performance.now() - pausedAt;
        if (isOver) return;
        expectMore();
        request.resume();
      }, fail);
    }
    function expectMore(): void {
      // A body that has just had to give way expects nothing more.
      if (pace === null || isOver) return;
      pace.dueAt = pace.startedAt + BODY_GRACE_MS + (1000 * size) / pace.minBytesPerSecond;
      timer = setTimeout(tooSlow, Math.max(0, pace.dueAt - performance.now()));
    }
    function tooSlow(): void {
      const lateMs = pace === null ? 0 : performance.now() - pace.dueAt;
      // This process itself stood still, and has not read the bytes that arrived meanwhile: the sender gets all the
      // lost time back.
      if (pace !== null && lateMs > STOOD_STILL_MS) {
        pace.startedAt += lateMs;
        expectMore();
        return;
      }
      fail(new ServiceError("request_timeout", "The body comes too slowly, and others wait. Send it again, faster."));
    }
    function giveWay(): void {
      chunks.length = 0;
      fail(signal?.reason);
    }
    function leftAlone(): void {
      fail(cutOff());
    }
    function finish(): void {
      leave();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    }
    signal?.addEventListener("abort", giveWay);
    request.on("data", take).on("end", finish).on("error", fail).on("close", leftAlone);
  });
}

function cutOff(): Error {
  return new Error("the connection was closed before the body was whole");
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("body_too_large", `The body is larger than the ${maxBytes} bytes that this route takes.`, {
    max_bytes: maxBytes,
  });
}
