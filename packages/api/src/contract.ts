/**
 * A route's promises as one value: its input, its answer, its refusals, and who may ask. The mounted route, the OpenAPI
 * document and the page of routes are all made from it, so that none of them can promise what another does not keep. It
 * does not say how the answer is made.
 */
import type { TSchema } from "typebox";
import type { ErrorCode } from "./errors.ts";
import type { OwnError } from "./own-errors.ts";
import type { Parameter } from "./parameters.ts";
import { type Action, ruleOf } from "./permissions.ts";

/**
 * Who may ask.
 *
 * - `public`: anybody. `entry`: anybody who is about to sign in.
 * - `signature`, `ticket`: the signer of the body, and the holder of a ticket; the route checks that.
 * - `system`: a system with its key. `session`: a person who is signed in. `tenant`: either of them, whose key or role
 *   has the action of the route.
 * - `installation`, `auditor`: an enrolled installation, and an invited auditor. `developer`: one of the marketplace.
 * - `metrics`: the holder of the metrics' token, if the deployment has one.
 */
export type Access =
  | "public"
  | "entry"
  | "signature"
  | "ticket"
  | "system"
  | "session"
  | "tenant"
  | "installation"
  | "auditor"
  | "developer"
  | "metrics";

/** The kinds of access whose caller is known to the route. */
export type IdentifiedAccess = "system" | "session" | "tenant" | "installation" | "auditor" | "developer";

/** A web origin of the service: no page of one may act on another. */
export type Face = "api" | "dashboard" | "audit" | "status" | "marketplace";

/** The statuses of a route that succeeds. */
export type SuccessStatus = 200 | 201 | 202 | 303;

/** Query parameters by their names. */
export type QueryRules = Readonly<Record<string, Parameter<unknown>>>;

/** A header that only some routes read. */
export interface HeaderRule {
  readonly description: string;
  /** The form of the whole text, for headers that restrict it: a regular expression, and the form in words. */
  readonly form?: { readonly pattern: string; readonly words: string };
}

/** Headers by their names. A call has the headers that its route declares, and no other name compiles. */
export type HeaderRules = Readonly<Record<string, HeaderRule>>;

/** How many large bodies one system sends at a time. Contracts that name the same rule share it. */
export interface LargeBodyRule {
  /** A larger body is large, and so is a body of unknown size. */
  readonly overBytes: number;
  readonly atOnce: number;
  /** How long another one waits before it is refused (`key_busy`). */
  readonly waitMs: number;
}

/** The body that a route takes. */
export interface BodyRule<Schema extends TSchema> {
  readonly schema: Schema;
  /** Checked before the rest of the body is read. */
  readonly maxBytes: number;
  /** The route gets the bytes, not a checked value: it parses them itself, and says more about a fault. */
  readonly unparsed?: true;
  /** The body is a form (`application/x-www-form-urlencoded`), whose fields are texts; JSON otherwise. */
  readonly form?: true;
  /** How fast the body must come after its first seconds; at any pace by default. */
  readonly minBytesPerSecond?: number;
  /** Any number at a time by default. */
  readonly large?: LargeBodyRule;
}

/** The answer of a route that succeeds. */
export interface AnswerRule {
  readonly status: SuccessStatus;
  readonly description: string;
  /** Other statuses of success, with the meaning of each; their answers have the same schema. */
  readonly others?: Readonly<Partial<Record<SuccessStatus, string>>>;
  readonly schema: TSchema;
  /** JSON by default. */
  readonly mediaType?: "text/plain" | "text/plain; version=0.0.4" | "text/html" | "application/zip";
  /** The meaning of a partial answer, if the route has one. Such a request has an effect, so HEAD is refused. */
  readonly partial?: string;
}

/** The promises of a route. `Contract` without arguments is the type of any route's contract. */
export interface Contract<
  Path extends string = string,
  RouteAccess extends Access = Access,
  Query extends QueryRules = QueryRules,
  Body extends TSchema = TSchema,
  Headers extends HeaderRules = HeaderRules,
> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path, with the names of its parameters in braces: `/v2/streams/{streamId}/head`. */
  readonly path: Path;
  /** The chapter of the page of routes. */
  readonly chapter: "log" | "streams" | "exports" | "evidence" | "verify" | "service";
  readonly summary: string;
  /** More details, in Markdown. */
  readonly description?: string;
  /** The kinds of access; a request needs one of them. */
  readonly access: readonly RouteAccess[];
  /** The action that the key or the role of the caller must have, if the route knows its caller. */
  readonly action: Action;
  /** The faces that serve the route; null for those of its access (`facesOf`). */
  readonly face: Face | null;
  readonly query: Query;
  readonly headers: Headers;
  readonly idempotencyKey: "required" | "optional" | "none";
  readonly body: BodyRule<Body> | null;
  readonly answer: AnswerRule;
  /** The codes of the route's own work; `errorsOf` adds those of its declarations. */
  readonly errors: readonly ErrorCode[];
  /** The errors of its own work that are no rows of the thin server's table. */
  readonly ownErrors: readonly OwnError[];
}

/** A contract before defaults are filled in. */
interface Stated<
  Path extends string,
  RouteAccess extends Access,
  Query extends QueryRules,
  Body extends TSchema,
  Headers extends HeaderRules,
> extends Pick<Contract, "method" | "chapter" | "summary" | "description" | "answer"> {
  readonly path: Path;
  readonly access: RouteAccess | readonly RouteAccess[];
  /** `read` by default. */
  readonly action?: Action;
  readonly face?: Face;
  readonly query?: Query;
  readonly headers?: Headers;
  /** `none` by default. */
  readonly idempotencyKey?: Contract["idempotencyKey"];
  readonly body?: BodyRule<Body>;
  readonly errors?: readonly ErrorCode[];
  readonly ownErrors?: readonly OwnError[];
}

/**
 * Returns a contract, whose type keeps its path and declarations, so that the handler of its route gets no other names.
 */
export function contract<
  const Path extends string,
  const RouteAccess extends Access,
  Query extends QueryRules = Readonly<Record<never, Parameter<unknown>>>,
  Body extends TSchema = TSchema,
  Headers extends HeaderRules = Readonly<Record<never, HeaderRule>>,
>(stated: Stated<Path, RouteAccess, Query, Body, Headers>): Contract<Path, RouteAccess, Query, Body, Headers> {
  return {
    action: "read",
    idempotencyKey: "none",
    errors: [],
    ownErrors: [],
    face: null,
    ...stated,
    access: typeof stated.access === "string" ? [stated.access] : stated.access,
    // A contract without queries has the type without queries.
    query: stated.query ?? ({} as Query),
    headers: stated.headers ?? ({} as Headers),
    body: stated.body ?? null,
  };
}

/** Returns who may ask, as a sentence in Markdown: for the document, the page of routes and the API by example. */
export function credentialOf({ access, action }: Pick<Contract, "access" | "action">): string {
  if (access.includes("public")) return "Anybody may ask.";
  if (access.includes("ticket")) return "Needs a ticket, and no key.";
  if (access.includes("metrics")) return "Needs the token of `SVC_METRICS_TOKEN`, where one is set.";
  const granted = ruleOf(action).key === "usual" ? "" : ", which it must be granted by name";
  return `Needs a system key that may \`${action}\`${granted}.`;
}

/** The faces of routes by their access. */
const FACES: Readonly<Record<Access, readonly Face[]>> = {
  public: ["api", "dashboard", "audit", "status", "marketplace"],
  entry: ["dashboard"],
  signature: ["api"],
  ticket: ["api", "dashboard"],
  system: ["api"],
  session: ["dashboard"],
  tenant: ["api", "dashboard"],
  installation: ["api"],
  auditor: ["audit"],
  developer: ["marketplace"],
  metrics: ["api"],
};

/** Returns the faces that serve a route. */
export function facesOf({ access, face }: Pick<Contract, "access" | "face">): readonly Face[] {
  return face === null ? [...new Set(access.flatMap((kind) => FACES[kind]))] : [face];
}

/** Returns whether a route knows its caller under a kind of access. */
export function isIdentified(access: Access): access is IdentifiedAccess {
  return ["system", "session", "tenant", "installation", "auditor", "developer"].includes(access);
}

/** Returns every code of the thin server's table that a route can answer, in the order of its document. */
export function errorsOf({ path, access, body, idempotencyKey, errors }: Contract): ReadonlySet<ErrorCode> {
  return new Set<ErrorCode>([
    ...(body === null ? [] : OF_BODIES),
    ...(body?.minBytesPerSecond === undefined ? [] : (["request_timeout"] as const)),
    ...(idempotencyKey === "required" ? (["idempotency_key_required"] as const) : []),
    ...(idempotencyKey === "none" ? [] : (["idempotency_key_invalid", "idempotency_conflict"] as const)),
    ...(access.includes("metrics") ? (["unauthorized"] as const) : []),
    ...(access.some(isIdentified) ? (["unauthorized", "action_forbidden"] as const) : []),
    // A percent-encoding in the path can be invalid.
    ...(path.includes("{") ? (["route_not_found"] as const) : []),
    ...errors,
    // An unknown query parameter gets this code too.
    "invalid_request",
    "rate_limited",
    "internal_error",
    "store_unavailable",
    "store_uncertain",
    "store_full",
  ]);
}

/** The errors of routes whose answers have payloads in them. */
export const OF_ARCHIVE = ["archive_unavailable", "archive_damaged"] as const satisfies readonly ErrorCode[];

const OF_BODIES = [
  "json_malformed",
  "duplicate_name",
  "lossy_number",
  "invalid_unicode",
  "too_deep",
  "body_too_large",
  "unsupported_media_type",
] as const;
