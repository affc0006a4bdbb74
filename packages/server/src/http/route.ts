/**
 * A route as one value: what it takes, what it answers, and what answers. The mounted handler, the OpenAPI document and the page of routes
 * are all made from it, so that none of them can promise what another does not keep.
 */

import type { ErrorCode } from "@svc/api";
import { type KeyAction, USUAL_ACTIONS } from "@svc/api";
import type { Json } from "@svc/core";
import type { Static, TSchema } from "typebox";
import type { Principal } from "../tenancy/principal.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { Parameter } from "./parameters.ts";

/** Who may ask: anybody, a system with its key, whoever has a ticket (which the route looks at), or the token of the metrics, where there is one. */
export type Access = "public" | "system" | "ticket" | "metrics";

/** The names of the parameters in a path such as `/v2/streams/{streamId}/head`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** A request that has passed everything that its route declares. */
export interface Call<
  Path extends string = string,
  RouteAccess extends Access = Access,
  Query extends Readonly<Record<string, Parameter<unknown>>> = Readonly<Record<string, Parameter<unknown>>>,
  Body extends TSchema = TSchema,
  Headers extends HeaderRules = HeaderRules,
> {
  readonly path: Readonly<Record<PathNames<Path>, string>>;
  readonly query: { readonly [Name in keyof Query]: Query[Name] extends Parameter<infer Value> ? Value : never };
  /** Null but for a system. */
  readonly principal: RouteAccess extends "system" ? Principal : null;
  /** The body as its schema has it. */
  readonly body: Static<Body>;
  /** The body as it was parsed, and as it was sent; null and empty where the route takes none. */
  readonly value: Json;
  readonly bytes: Uint8Array;
  /** Empty where the route takes none, or the request has none. */
  readonly idempotencyKey: string;
  /** The headers that the route declares, by name; null where one is not there. */
  readonly headers: { readonly [Name in keyof Headers]: string | null };
  /** Where the request came from; what a proxy that is not trusted says of it does not count. */
  readonly address: string;
  /** Whose requests share what there is of it: the system, or the address of anybody else. */
  readonly asker: string;
  /** Aborted where nobody waits for the answer any more, or its body has to give way. */
  readonly signal: AbortSignal;
  /** Tells how many milliseconds a thread has worked for it, so that the asker is charged for them. */
  readonly used: (milliseconds: number) => void;
}

/** What is sent: JSON text, or text of the media type that the route declares; as a whole, or in pieces that are made while it is sent. */
export type Answer = ({ readonly text: string } | { readonly pieces: AsyncIterable<Uint8Array> }) & {
  /** Headers beside those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is the part that was asked for, and not the whole: status 206. */
  readonly isPart?: boolean;
};

/** What a route takes as its body. */
export interface BodyRule<Schema extends TSchema> {
  readonly schema: Schema;
  /** Checked before the rest of the body is read. */
  readonly maxBytes: number;
  /** Looks at the parsed body before its shape is checked. Throws ServiceError. */
  readonly precheck?: (value: Json) => void;
  /** The handler gets the bytes, and neither a value nor a checked body: it parses and says more about what is wrong. */
  readonly unparsed?: true;
  /** How fast the body must come after its first seconds; at any pace where it is not given. */
  readonly minBytesPerSecond?: number;
  /** Bounds how much of such bodies is in memory at a time. */
  readonly memory?: BodyMemory;
  /** Waits until a body of so many bytes may be read, null for an unknown size; answers with what is called after the answer was made. */
  readonly admit?: (bytes: number | null, principal: Principal | null) => Promise<() => void>;
}

/** What a route answers where all is well. */
export interface AnswerRule {
  readonly status: 200 | 201;
  readonly description: string;
  readonly schema: TSchema;
  /** JSON where it is not given. */
  readonly mediaType?: "text/plain" | "text/plain; version=0.0.4" | "text/html" | "application/zip";
  /** What a part of it is, where one can be asked for. Asking does something, so that HEAD is refused. */
  readonly partial?: string;
}

/** A header that only some routes read. */
export interface HeaderRule {
  readonly description: string;
  /** Of the whole text, where not every text will do: a regular expression, and its words. */
  readonly form?: { readonly pattern: string; readonly words: string };
}

/** Headers by their names. A call has those that its route declares, and no other name compiles. */
export type HeaderRules = Readonly<Record<string, HeaderRule>>;

/** A route. `Route` without arguments is any of them. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  /** The chapter of the page of routes. */
  readonly chapter: "log" | "streams" | "exports" | "evidence" | "verify" | "service";
  readonly summary: string;
  /** More than the summary says, in Markdown. */
  readonly description?: string;
  readonly access: Access;
  /** What a key must be allowed, where one is needed. */
  readonly action: KeyAction;
  readonly query: Readonly<Record<string, Parameter<unknown>>>;
  readonly headers: HeaderRules;
  readonly idempotencyKey: "required" | "optional" | "none";
  readonly body: BodyRule<TSchema> | null;
  readonly answer: AnswerRule;
  /** The codes that its own work can answer; those of what it declares are added by `errorsOf`. */
  readonly errors: readonly ErrorCode[];
  readonly handle: (call: Call) => Promise<Answer> | Answer;
}

/** Makes a route; the types of the call come from what is declared. */
export function route<
  const Path extends string,
  const RouteAccess extends Access,
  Query extends Readonly<Record<string, Parameter<unknown>>>,
  Body extends TSchema,
  Headers extends HeaderRules = Readonly<Record<never, HeaderRule>>,
>(
  definition: Pick<Route, "method" | "chapter" | "summary" | "description" | "answer"> & {
    readonly path: Path;
    readonly access: RouteAccess;
    /** `read` where it is not given. */
    readonly action?: KeyAction;
    readonly query?: Query;
    readonly headers?: Headers;
    readonly idempotencyKey?: Route["idempotencyKey"];
    readonly body?: BodyRule<Body>;
    readonly errors?: readonly ErrorCode[];
    readonly handle: (call: Call<Path, RouteAccess, Query, Body, Headers>) => Promise<Answer> | Answer;
  },
): Route {
  return {
    action: "read",
    query: {},
    headers: {},
    idempotencyKey: "none",
    errors: [],
    ...definition,
    body: definition.body ?? null,
    handle: definition.handle as unknown as Route["handle"],
  };
}

/** A value as the answer. */
export function json(value: unknown): Answer {
  return { text: JSON.stringify(value) };
}

/** Who may ask, in a sentence in Markdown: for the document, the page of routes and the API by example. */
export function credentialOf({ access, action }: Pick<Route, "access" | "action">): string {
  if (access === "public") return "Anybody may ask.";
  if (access === "ticket") return "Needs a ticket, and no key.";
  if (access === "metrics") return "Needs the token of `SVC_METRICS_TOKEN`, where one is set.";
  const granted = USUAL_ACTIONS.includes(action) ? "" : ", which it must be granted by name";
  return `Needs a system key that may \`${action}\`${granted}.`;
}

/** Every code that a route can answer, in the order of the table. */
export function errorsOf({ path, access, body, idempotencyKey, errors }: Route): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...(body === null ? [] : OF_BODIES),
    ...(body?.minBytesPerSecond === undefined ? [] : (["request_timeout"] as const)),
    ...(idempotencyKey === "required" ? (["idempotency_key_required"] as const) : []),
    ...(idempotencyKey === "none" ? [] : (["idempotency_key_invalid", "idempotency_conflict"] as const)),
    ...(access === "metrics" ? (["unauthorized"] as const) : []),
    ...(access === "system" ? (["unauthorized", "action_forbidden"] as const) : []),
    // A percent-encoding in the path that encodes nothing.
    ...(path.includes("{") ? (["route_not_found"] as const) : []),
    ...errors,
    // Also of a query parameter that the route does not have.
    "invalid_request",
    "rate_limited",
    "internal_error",
    "store_unavailable",
    "store_uncertain",
    "store_full",
  ]);
}

const OF_BODIES = [
  "json_malformed",
  "duplicate_name",
  "lossy_number",
  "invalid_unicode",
  "too_deep",
  "body_too_large",
  "unsupported_media_type",
] as const;
