/** A route: its contract, and what answers. A handler gets what its contract declares, and no other name compiles. */
import type { Access, Contract, HeaderRules, Parameter, QueryRules } from "@svc/api";
import type { Json } from "@svc/core";
import type { Static, TSchema } from "typebox";
import type { Principal } from "../principal.ts";
import type { BodyMemory } from "./body-memory.ts";

/** The names of the parameters in a path such as `/v2/streams/{streamId}/head`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** A request that has passed everything that its contract declares. */
export interface Call<
  Path extends string = string,
  RouteAccess extends Access = Access,
  Query extends QueryRules = QueryRules,
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

/**
 * What is sent: JSON text, or text of the media type that the contract declares; as a whole, or in pieces that are made
 * while it is sent.
 */
export type Answer = ({ readonly text: string } | { readonly pieces: AsyncIterable<Uint8Array> }) & {
  /** Headers beside those that every answer has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it is the part that was asked for, and not the whole: status 206. */
  readonly isPart?: boolean;
};

/** What happens with a body before the handler gets it, and is not for a contract to say. */
export interface BodyHandling {
  /** Looks at the parsed body before its shape is checked. Throws ServiceError. */
  readonly precheck?: (value: Json) => void;
  /** Bounds how much of such bodies is in memory at a time. */
  readonly memory?: BodyMemory;
}

/** A contract, and what keeps it. */
export interface Route extends BodyHandling {
  readonly contract: Contract;
  readonly handle: (call: Call) => Promise<Answer> | Answer;
}

/** Makes the route of a contract; the types of the call come from what the contract declares. */
export function bind<
  Path extends string,
  RouteAccess extends Access,
  Query extends QueryRules,
  Body extends TSchema,
  Headers extends HeaderRules,
>(
  contract: Contract<Path, RouteAccess, Query, Body, Headers>,
  handle: (call: Call<Path, RouteAccess, Query, Body, Headers>) => Promise<Answer> | Answer,
  handling: BodyHandling = {},
): Route {
  // It is called with what was read by the contract beside it (mount.ts).
  return { ...handling, contract, handle: handle as Route["handle"] };
}

/** A value as the answer. */
export function json(value: unknown): Answer {
  return { text: JSON.stringify(value) };
}
