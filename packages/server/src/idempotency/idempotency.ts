/**
 * Writes that may be repeated. A request with a key that its principal has used on the same route gets the first answer, made again from what
 * was recorded, if it is the same request in canonical form; any other is refused.
 */
import type { Json, JsonObject } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { equalHashes } from "@svc/host/keyed-hash";
import { perContext } from "@svc/host/per-context";
import type { Principal } from "@svc/host/principal";
import { type Reader, WriteConflict, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { type IdempotencyScope, scopeHash } from "./scope.ts";
import {
  findIdempotencyRecord,
  insertIdempotencyRecord,
  type MadeEvent,
  recordOfEvent,
  replaceRequestMac,
} from "./store.ts";

/** A request, as far as it decides what is the same one. */
export interface RepeatableRequest {
  readonly principal: Principal;
  /** Method and path template. */
  readonly route: string;
  /** The Idempotency-Key; empty for a request that has none, which is never a repetition. */
  readonly key: string;
  /** What the path names. */
  readonly target: string;
  /** The whole parsed body. */
  readonly body: Json;
  /** J(body), where it can be put together from parts that are canonical already. */
  readonly canonicalBody?: () => string;
  /** The body without payloads, where it has any: it is compared once one of them has been erased. */
  readonly fingerprint?: () => Json;
  /** Whether its payloads are those of the events that a request has made, as far as these have not been erased. */
  readonly hasPayloadsOf?: (reader: Reader, made: Made) => Promise<boolean>;
}

/** Stands in the database before the fingerprint of a request of which a payload has been erased; an earlier word for it. */
export const KEPT_FINGERPRINT = "outline:";
/** The form of what is kept of a request. */
export const KEPT_MAC = /^(?:outline:)?[0-9a-f]{64}$/;

/** What a request made. */
export interface Made {
  readonly streamId: string;
  /** The events; 0 and 0 where there are none. */
  readonly fromSeqNo: number;
  readonly toSeqNo: number;
  /** What else the answer is made from. Never a payload: erasure could not reach it here. */
  readonly result: JsonObject | null;
}

export class Idempotency {
  readonly #context: Pick<Context, "issuing" | "keyedHash">;

  constructor(context: Pick<Context, "issuing" | "keyedHash">) {
    this.#context = context;
  }

  /** Resolves to what the same request has made, so that its answer can be given again; null where it is new. Throws `idempotency_conflict` where the key was used for another. */
  async replay(reader: Reader, request: RepeatableRequest): Promise<Made | null> {
    if (request.key === "") return null;
    const used = await findIdempotencyRecord(reader, scopeOf(request));
    if (used === null) return null;
    const { stream_id, from_seq_no, to_seq_no, result } = used;
    const made = {
      streamId: stream_id,
      fromSeqNo: from_seq_no,
      toSeqNo: to_seq_no,
      result: result === null ? null : (JSON.parse(result) as JsonObject),
    };
    if (!(await this.#isSameAsKept(reader, used.request_mac, request, made)))
      throw conflict(request, from_seq_no === 0 ? { stream_id } : { stream_id, from_seq_no, to_seq_no });
    return made;
  }

  /** The stream in which a request with this key was recorded, whatever request it was; null where none was. */
  async streamOf(reader: Reader, request: RepeatableRequest): Promise<string | null> {
    return (await findIdempotencyRecord(reader, scopeOf(request)))?.stream_id ?? null;
  }

  /** Throws `idempotency_conflict`, with details, unless a request is the same as an earlier one with its key. */
  requireSame(earlier: RepeatableRequest, request: RepeatableRequest, details: { readonly stream_id: string }): void {
    if (!this.isSame(this.#macOf(earlier), request)) throw conflict(request, details);
  }

  /** Keeps what a request made; `now` is when its events were received, if it made some. Throws WriteConflict where another writer has used the key meanwhile. */
  async keep(writer: Writer, request: RepeatableRequest, made: Made, now: string): Promise<void> {
    if (request.key === "") return;
    const row = {
      request_mac: this.#macOf(request),
      stream_id: made.streamId,
      from_seq_no: made.fromSeqNo,
      to_seq_no: made.toSeqNo,
      result: made.result === null ? null : JSON.stringify(made.result),
    };
    if ((await insertIdempotencyRecord(writer, scopeOf(request), row, now)) === 0)
      throw new WriteConflict("the Idempotency-Key");
  }

  /**
   * Makes what is kept of the request that made an event say nothing of its payloads any more. `fingerprintOf` gives what its path named and its
   * fingerprint.
   */
  async forgetPayloads(
    writer: Writer,
    event: MadeEvent,
    fingerprintOf: (made: {
      readonly route: string;
      readonly fromSeqNo: number;
      readonly toSeqNo: number;
    }) => Promise<{ readonly target: string; readonly fingerprint: Json }>,
  ): Promise<void> {
    const used = await recordOfEvent(writer, event);
    if (used === null) return;
    const { route, from_seq_no, to_seq_no } = used;
    const { target, fingerprint } = await fingerprintOf({ route, fromSeqNo: from_seq_no, toSeqNo: to_seq_no });
    await replaceRequestMac(writer, used, `${KEPT_FINGERPRINT}${this.#macOf({ route, target, body: fingerprint })}`);
  }

  /** Whether what is kept of a request is what would be kept of this one: all of it, or of one that lost a payload, all but the payloads. */
  isSame(mac: string, request: Omit<RepeatableRequest, "principal" | "key">): boolean {
    if (!mac.startsWith(KEPT_FINGERPRINT)) return equalHashes(mac, this.#macOf(request));
    const { route, target, fingerprint } = request;
    if (fingerprint === undefined) return false;
    return equalHashes(mac.slice(KEPT_FINGERPRINT.length), this.#macOf({ route, target, body: fingerprint() }));
  }

  /** Where a payload has been erased, the others are compared by the salted hashes of their events: of the erased one nothing is left to guess by. */
  async #isSameAsKept(reader: Reader, mac: string, request: RepeatableRequest, made: Made): Promise<boolean> {
    if (!this.isSame(mac, request)) return false;
    return !mac.startsWith(KEPT_FINGERPRINT) || (await request.hasPayloadsOf?.(reader, made)) === true;
  }

  #macOf(request: Pick<RepeatableRequest, "route" | "target" | "body" | "canonicalBody">): string {
    const { route, target, body, canonicalBody } = request;
    const { issuing, keyedHash } = this.#context;
    if (canonicalBody === undefined) return keyedHash.hash("request", issuing.canonicalize([route, target, body]));
    return keyedHash.hash("request", `[${JSON.stringify(route)},${JSON.stringify(target)},${canonicalBody()}]`);
  }
}

/** Tells the scope of a request's key from every other. */
export function scopeName(request: RepeatableRequest): string {
  return scopeHash(scopeOf(request));
}

/** A key that is kept to other streams is not told where the request was recorded. */
function conflict(
  { key, principal }: RepeatableRequest,
  details: JsonObject & { readonly stream_id: string },
): ServiceError {
  return new ServiceError(
    "idempotency_conflict",
    `The Idempotency-Key ${JSON.stringify(key)} has been used with another request. Repeat that request unchanged, or use a new key for a new one.`,
    principal.limits?.streams?.includes(details.stream_id) === false ? {} : details,
  );
}

function scopeOf({ principal, route, key }: RepeatableRequest): IdempotencyScope {
  return { tenantId: principal.tenantId, principalId: principal.id, route, key };
}

/** What recognises repeated requests. */
export const idempotencyOf = perContext((context: Context) => new Idempotency(context));
