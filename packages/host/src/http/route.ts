/**
 * A route: its contract and its handler. A handler gets only the values that its contract declares, and no other name
 * compiles.
 */
import type { Access, Contract, HeaderRules, IdentifiedAccess, Parameter, QueryRules, SuccessStatus } from "@svc/api";
import type { Json } from "@svc/core";
import type { Static, TSchema } from "typebox";
import type { Principal } from "../principal.ts";
import type { BodyMemory } from "./body-memory.ts";

/** The names of the parameters in a path such as `/v2/streams/{streamId}/head`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** A request that has passed every check that its contract declares. */
export interface Call<
  Path extends string = string,
  RouteAccess extends Access = Access,
  Query extends QueryRules = QueryRules,
  Body extends TSchema = TSchema,
  Headers extends HeaderRules = HeaderRules,
> {
  readonly path: Readonly<Record<PathNames<Path>, string>>;
  readonly query: { readonly [Name in keyof Query]: Query[Name] extends Parameter<infer Value> ? Value : never };
  /** The actor; null under a kind of access whose caller is not known. */
  readonly principal: RouteAccess extends IdentifiedAccess ? Principal : null;
  /** The body, typed by its schema. */
  readonly body: Static<Body>;
  /** The body as it was parsed, and as it was sent; null and empty if the route takes none. */
  readonly value: Json;
  readonly bytes: Uint8Array;
  /** Empty if the route takes none, or the request has none. */
  readonly idempotencyKey: string;
  /** The headers that the route declares, by name; null for a missing one. */
  readonly headers: { readonly [Name in keyof Headers]: string | null };
  /** The address that sent the request; the claim of an untrusted proxy does not count. */
  readonly address: string;
  /** The owner of the request's limits: the system, or the address of anybody else. */
  readonly asker: string;
  /** Aborted when nobody waits for the answer any more, or the body has to give way. */
  readonly signal: AbortSignal;
  /** Reports how many milliseconds a thread has worked for the request, so that the asker is charged for them. */
  readonly used: (milliseconds: number) => void;
}

/**
 * An answer: JSON text, or text of the media type that the contract declares; as a whole, or in pieces that are made
 * while it is sent. A text that is always the same is given as its bytes, which all connections share.
 */
export type Answer = ({ readonly text: string | Uint8Array } | { readonly pieces: AsyncIterable<Uint8Array> }) & {
  /** Headers in addition to those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the answer is the requested part instead of the whole: status 206. */
  readonly isPart?: boolean;
  /** One of the other statuses that the contract declares. */
  readonly status?: SuccessStatus;
};

/** The way to a route, and the handling of a body before the handler gets it: neither is part of a contract. */
export interface Handling {
  /** Whether plain requests are answered before the framework's chain; for routes that many requests a second ask. */
  readonly isDirect?: boolean;
  /** Checks the parsed body before its shape is checked. Throws ServiceError. */
  readonly precheck?: (value: Json) => void;
  /** Bounds the memory of such bodies. */
  readonly memory?: BodyMemory;
  /** Resolves when the route has room for another request, whose body waits unread until then. */
  readonly room?: () => Promise<void>;
}

/** A contract, and the handler that fulfils it. */
export interface Route extends Handling {
  readonly contract: Contract;
  readonly handle: (call: Call) => Promise<Answer> | Answer;
}

/** Returns the route of a contract; the types of the call come from the contract's declarations. */
export function bind<
  Path extends string,
  RouteAccess extends Access,
  Query extends QueryRules,
  Body extends TSchema,
  Headers extends HeaderRules,
>(
  contract: Contract<Path, RouteAccess, Query, Body, Headers>,
  handle: (call: Call<Path, RouteAccess, Query, Body, Headers>) => Promise<Answer> | Answer,
  handling: Handling = {},
): Route {
  // serve-route.ts calls it with values that were read by this contract.
  return { ...handling, contract, handle: handle as Route["handle"] };
}

/** Returns an answer with a value as JSON text. */
export function json(value: unknown): Answer {
  return { text: JSON.stringify(value) };
}
