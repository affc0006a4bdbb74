/**
 * Writes that may be repeated. A request with a key that its principal has used on the same route gets the first
 * answer, made again from recorded values, if it is the same request in canonical form; any other request is refused.
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
  findIdempotencyRecords,
  type IdempotencyRow,
  insertIdempotencyRecords,
  type MadeEvent,
  recordOfEvent,
  replaceRequestMac,
} from "./store.ts";

/** A request, with the members that decide whether two requests are the same. */
export interface RepeatableRequest {
  readonly principal: Principal;
  /** Method and path template. */
  readonly route: string;
  /** The Idempotency-Key; empty for a request that has none, which is never a repetition. */
  readonly key: string;
  /** The object that the path names. */
  readonly target: string;
  /** The whole parsed body; null for a request whose hash is given. */
  readonly body: Json;
  /** The hash of route, target and body (`hashOf`), if it is known already. */
  readonly hash?: string;
  /** Returns J(body) of a request whose hash is given: it is hashed again after a rotation of the pepper. */
  readonly canonicalBody?: () => string;
  /** Returns the body without payloads, if it has any: it is compared once one of them has been erased. */
  readonly fingerprint?: () => Json;
  /**
   * Resolves to whether its payloads are those of the events that a request has made, as far as these are not erased.
   */
  readonly hasPayloadsOf?: (reader: Reader, made: Made) => Promise<boolean>;
}

/**
 * The prefix of the stored fingerprint of a request with an erased payload. The word is an earlier one for fingerprint;
 * it is in databases.
 */
export const KEPT_FINGERPRINT = "outline:";
/** The form of the stored hash of a request. */
export const KEPT_MAC = /^(?:outline:)?[0-9a-f]{64}$/;

/** The result of a request. */
export interface Made {
  readonly streamId: string;
  /** The range of its events; 0 and 0 if it has none. */
  readonly fromSeqNo: number;
  readonly toSeqNo: number;
  /** The other values from which the answer is made. Never a payload: erasure could not reach it here. */
  readonly result: JsonObject | null;
}

/** The records of some keys, by the hashes of their scopes; a key without one is known not to have been used. */
export type KnownKeys = ReadonlyMap<string, IdempotencyRow>;

/** A request with its result. */
export interface StoredRequest {
  readonly request: RepeatableRequest;
  readonly made: Made;
  /** If it made events, the time at which they were received. */
  readonly at: string;
}

/** Recognises repeated requests. */
export class Idempotency {
  readonly #context: Pick<Context, "issuing" | "keyedHash">;

  constructor(context: Pick<Context, "issuing" | "keyedHash">) {
    this.#context = context;
  }

  /**
   * Resolves to the result of the same request, so that its answer can be repeated; null for a new request. Rejects
   * with `idempotency_conflict` if the key was used for another request.
   */
  async replay(reader: Reader, request: RepeatableRequest): Promise<Made | null> {
    return this.replayKnown(reader, request, await this.known(reader, [request]));
  }

  /** Resolves to the records of the keys of requests. */
  known(reader: Reader, requests: readonly RepeatableRequest[]): Promise<KnownKeys> {
    return findIdempotencyRecords(reader, requests.filter(({ key }) => key !== "").map(scopeOf));
  }

  /** Does the same as `replay` for a request whose key is among the known ones. */
  async replayKnown(reader: Reader, request: RepeatableRequest, known: KnownKeys): Promise<Made | null> {
    const used = known.get(scopeName(request));
    if (used === undefined || request.key === "") return null;
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

  /** Returns the stream in which any request with this key, a known one, was recorded, or null. */
  streamOf(request: RepeatableRequest, known: KnownKeys): string | null {
    return known.get(scopeName(request))?.stream_id ?? null;
  }

  /** Throws `idempotency_conflict`, with details, unless a request is the same as an earlier one with its key. */
  requireSame(earlier: RepeatableRequest, request: RepeatableRequest, details: { readonly stream_id: string }): void {
    if (!this.isSame(this.#macOf(earlier), request)) throw conflict(request, details);
  }

  /**
   * Stores the result of a request. `now`: if it made events, the time at which they were received. Rejects with
   * WriteConflict if another writer has used the key meanwhile.
   */
  keep(writer: Writer, request: RepeatableRequest, made: Made, now: string): Promise<void> {
    return this.keepAll(writer, [{ request, made, at: now }]);
  }

  /** Stores the results of requests with different keys. Rejects as `keep` does. */
  async keepAll(writer: Writer, kept: readonly StoredRequest[]): Promise<void> {
    const records = kept
      .filter(({ request }) => request.key !== "")
      .map(({ request, made, at }) => ({
        scope: scopeOf(request),
        request_mac: this.#macOf(request),
        stream_id: made.streamId,
        from_seq_no: made.fromSeqNo,
        to_seq_no: made.toSeqNo,
        result: made.result === null ? null : JSON.stringify(made.result),
        created_at: at,
      }));
    if (records.length === 0) return;
    if ((await insertIdempotencyRecords(writer, records)) !== records.length)
      throw new WriteConflict("an Idempotency-Key");
  }

  /**
   * Replaces the stored hash of the request that made an event by one without payloads. `fingerprintOf` resolves to the
   * request's target and fingerprint.
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

  /**
   * Returns the hash of a request whose body is in canonical form already: it is that of J([route, target, body]).
   * `canonicalBody`: J(body).
   */
  hashOf(route: string, target: string, canonicalBody: string): string {
    return this.#context.keyedHash.hash("request", canonicalRequest(route, target, canonicalBody));
  }

  /**
   * Returns whether the stored hash is that of this request: of all of it, or, after an erasure, of everything except
   * the payloads. It can be under the pepper of before a rotation.
   */
  isSame(mac: string, request: Omit<RepeatableRequest, "principal" | "key">): boolean {
    if (!mac.startsWith(KEPT_FINGERPRINT)) return this.#isMacOf(mac, request);
    const { route, target, fingerprint } = request;
    if (fingerprint === undefined) return false;
    return this.#isMacOf(mac.slice(KEPT_FINGERPRINT.length), { route, target, body: fingerprint() });
  }

  #isMacOf(mac: string, request: Hashed): boolean {
    if (equalHashes(mac, this.#macOf(request))) return true;
    const { issuing, keyedHash } = this.#context;
    if (keyedHash.earlier === null) return false;
    const { route, target, body, canonicalBody } = request;
    const text =
      canonicalBody === undefined
        ? issuing.canonicalize([route, target, body])
        : canonicalRequest(route, target, canonicalBody());
    return equalHashes(mac, keyedHash.earlier.hash("request", text));
  }

  /**
   * Resolves to whether a request is the stored one. After an erasure the other payloads are compared by the salted
   * hashes of their events; nothing is left of the erased one with which a guess could be compared.
   */
  async #isSameAsKept(reader: Reader, mac: string, request: RepeatableRequest, made: Made): Promise<boolean> {
    if (!this.isSame(mac, request)) return false;
    return !mac.startsWith(KEPT_FINGERPRINT) || (await request.hasPayloadsOf?.(reader, made)) === true;
  }

  #macOf({ route, target, body, hash }: Hashed): string {
    const { issuing, keyedHash } = this.#context;
    return hash ?? keyedHash.hash("request", issuing.canonicalize([route, target, body]));
  }
}

/** The members of a request that are hashed. */
type Hashed = Pick<RepeatableRequest, "route" | "target" | "body" | "hash" | "canonicalBody">;

/** Returns J([route, target, body]). */
function canonicalRequest(route: string, target: string, canonicalBody: string): string {
  return `[${JSON.stringify(route)},${JSON.stringify(target)},${canonicalBody}]`;
}

/** Returns a name for the scope of a request's key that no other scope has. */
export function scopeName(request: RepeatableRequest): string {
  return scopeHash(scopeOf(request));
}

/** Returns the refusal. A key that is limited to other streams does not learn where the request was recorded. */
function conflict(
  { key, principal }: RepeatableRequest,
  details: JsonObject & { readonly stream_id: string },
): ServiceError {
  return new ServiceError(
    "idempotency_conflict",
    `The Idempotency-Key ${JSON.stringify(key)} has been used with another request. Repeat that request ` +
      `unchanged, or use a new key for a new one.`,
    principal.limits?.streams?.includes(details.stream_id) === false ? {} : details,
  );
}

function scopeOf(request: RepeatableRequest): IdempotencyScope {
  const known = scopes.get(request);
  if (known !== undefined) return known;
  const { principal, route, key } = request;
  const scope = { tenantId: principal.tenantId, principalId: principal.id, route, key };
  scopes.set(request, scope);
  return scope;
}

/** The scope of a request is made once, so that its hash is computed once. */
const scopes = new WeakMap<RepeatableRequest, IdempotencyScope>();

/** The idempotency of a deployment. */
export const idempotencyOf = perContext((context: Pick<Context, "issuing" | "keyedHash">) => new Idempotency(context));
