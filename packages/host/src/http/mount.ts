/**
 * Mounts routes in Express. Every request passes the same steps in the same order: its actor, the Idempotency-Key, the
 * query, the body and its shape; then the route's own work.
 */
import { type Contract, USUAL_ACTIONS } from "@svc/api";
import { BYTES_OF_A_REQUEST, MS_OF_A_REQUEST } from "@svc/api/limits";
import type { Json, Kernel } from "@svc/core";
import { type Request, type RequestHandler, Router } from "express";
import { ServiceError } from "../errors.ts";
import { failpoint } from "../failpoint.ts";
import { equalHashes, type KeyedHash } from "../keyed-hash.ts";
import { countAs } from "../metrics/request-metrics.ts";
import type { Principal } from "../principal.ts";
import { askerOf } from "./asker.ts";
import { type BodyReading, type JsonBody, readBytes, readJson, requireFit, statedBytes } from "./body.ts";
import { LargeBodies } from "./large-bodies.ts";
import { onlyMethods } from "./methods.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { ReadingLane } from "./reading-lane.ts";
import { REQUEST_ID_HEADER } from "./request-log.ts";
import { readHeaders, readIdempotencyKey, readQuery } from "./requests.ts";
import { sendPieces, sendText } from "./responses.ts";
import type { Call, Route } from "./route.ts";
import { shape } from "./shapes.ts";

/**
 * Finds the key of an Authorization header, and the actor behind it. Resolves to null for every fault of the header,
 * after the same work, so that the time of a refusal tells nothing.
 */
export type Authenticate = (authorization: string | undefined) => Promise<FoundKey | null>;

/** A valid key. */
export interface FoundKey {
  readonly keyId: string;
  readonly principal: Principal;
}

/** The capabilities with which requests are read. */
export interface Readers {
  readonly kernel: Kernel;
  readonly keyedHash: Pick<KeyedHash<"credential">, "hash">;
  readonly authenticate: Authenticate;
  /** Returns the refusal of a request without a valid credential. */
  readonly unauthorized: () => ServiceError;
  readonly limits: Limits;
  readonly lane: ReadingLane;
  /** The token that routes of the metrics demand; null if they demand none. */
  readonly metricsToken: string | null;
}

/** The rates at which requests are served. */
export interface Limits {
  readonly byKey: RateLimit;
  readonly byAddress: RateLimit;
}

/** Returns a router of all routes. Each path refuses the methods that it lacks. */
export function mount(routes: readonly Route[], readers: Readers): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const largeBodies = new LargeBodies();
  for (const [path, ofPath] of Map.groupBy(routes, ({ contract }) => contract.path)) {
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    mounted.all(countAs(path));
    const isPublic = ofPath.every(({ contract }) => contract.access === "public");
    if (isPublic) mounted.all(openToPages).options(answerPreflight);
    const refuse = onlyMethods(...ofPath.map(({ contract }) => contract.method));
    // Express answers HEAD as it does GET.
    if (ofPath.some(({ contract }) => contract.answer.partial !== undefined)) mounted.head(refuse);
    for (const one of ofPath) mounted[METHODS[one.contract.method]](handler(one, readers, largeBodies));
    mounted.all(refuse);
  }
  return router;
}

const METHODS = { GET: "get", POST: "post", DELETE: "delete" } as const;

function handler(
  { contract, handle, precheck, memory }: Route,
  readers: Readers,
  largeBodies: LargeBodies,
): RequestHandler {
  const { kernel, limits, lane } = readers;
  // Routes that show whether the service is up wait for nobody.
  const isReading = contract.method === "GET" && contract.chapter !== "service";
  const isChecked = contract.body !== null && contract.body.unparsed !== true;
  const check = isChecked && contract.body !== null ? shape(contract.body.schema) : (value: Json) => value;
  return async (request, response) => {
    const principal = await principalOf(contract, request, readers);
    const asker = principal?.id ?? askerOf(request.ip ?? "");
    const idempotencyKey =
      contract.idempotencyKey === "none" ? "" : readIdempotencyKey(request, contract.idempotencyKey);
    // Echoed so that a pipelining client can match answers to requests.
    if (idempotencyKey !== "") response.setHeader("Idempotency-Key", idempotencyKey);
    const query = readQuery(request, contract.query);
    const headers = readHeaders(request, contract.headers);
    // A body that is stated to be too large must not wait for a permit first.
    if (contract.body !== null) requireFit(request, contract.body.maxBytes);
    const large = contract.body?.large;
    const release = large && (await largeBodies.admit(large, statedBytes(request), asker));
    const held = memory?.hold(asker) ?? null;
    if (held !== null) response.once("close", () => held.abort(new Error("nobody waits for the answer any more")));
    const charge = (cost: number) => {
      if (principal === null) limits.byAddress.charge(asker, cost);
    };
    const arrived = (bytes: number) => {
      // A stated size has been counted before the first byte was read.
      if (statedBytes(request) === null) charge(bytes / BYTES_OF_A_REQUEST);
      return held?.grow(bytes);
    };
    try {
      const { bytes, value } = await readBody(request, contract.body, kernel, { arrived, signal: held?.signal });
      precheck?.(value);
      const call = {
        path: request.params,
        query,
        principal,
        body: check(value),
        value,
        bytes,
        idempotencyKey,
        headers,
        address: request.ip ?? "",
        asker,
        signal: held?.signal ?? NO_ABORT.signal,
        used: (milliseconds: number) => charge(milliseconds / MS_OF_A_REQUEST),
      } as Call;
      const answer = await (isReading
        ? lane.run(
            asker,
            () => handle(call),
            () => !response.destroyed,
          )
        : handle(call));
      failpoint("answer: made");
      for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
      const { mediaType } = contract.answer;
      const status = answer.isPart === true ? 206 : contract.answer.status;
      if ("text" in answer) sendText(response, status, answer.text, mediaType);
      else await sendPieces(response, status, answer.pieces, mediaType);
    } finally {
      release?.();
      held?.release();
    }
  };
}

/** Any page may ask for public data. No credential is read here, so a page can misuse none. */
const openToPages: RequestHandler = (_request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", `${REQUEST_ID_HEADER}, Retry-After`);
  next();
};

const answerPreflight: RequestHandler = (_request, response) => {
  response.setHeader("Access-Control-Allow-Methods", "GET, POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type");
  response.setHeader("Access-Control-Max-Age", "86400");
  response.status(204).end();
};

/**
 * Resolves to the actor behind a request; null unless it is a system. The request counts against its key, or against
 * its address if there is no valid key. Rejects with `rate_limited`, `unauthorized` or `action_forbidden`.
 */
async function principalOf(
  { access, action, body, chapter }: Contract,
  request: Request,
  { keyedHash, authenticate, unauthorized, limits, metricsToken }: Readers,
): Promise<Principal | null> {
  const address = askerOf(request.ip ?? "");
  if (access === "public" || access === "ticket") {
    const bytes = statedBytes(request) ?? 0;
    // Bytes count before they are read; a body that is too large is not read.
    const isRead = body !== null && bytes <= body.maxBytes;
    // A debt of the address for verification must not make the service look as if it were down, so routes about the
    // service count apart.
    const counted = chapter === "service" ? `service ${address}` : address;
    limits.byAddress.count(counted, isRead ? 1 + bytes / BYTES_OF_A_REQUEST : 1);
    return null;
  }
  if (access === "metrics") {
    if (metricsToken === null || isBearer(keyedHash, request.headers.authorization, metricsToken)) return null;
    limits.byAddress.count(address);
    throw new ServiceError(
      "unauthorized",
      'This route needs the token of SVC_METRICS_TOKEN: send "Authorization: Bearer <token>".',
    );
  }
  const found = await authenticate(request.headers.authorization);
  if (found === null) {
    limits.byAddress.count(address);
    throw unauthorized();
  }
  limits.byKey.count(found.keyId);
  const actions = found.principal.limits?.actions ?? USUAL_ACTIONS;
  if (!actions.includes(action))
    throw new ServiceError(
      "action_forbidden",
      `This key may ${actions.join(", ")}, and this route needs ${action}. Use another key, or ask the operator for one.`,
      { action },
    );
  return found.principal;
}

/** Returns whether the header shows this token; takes the same time for every wrong token. */
function isBearer(keyedHash: Readers["keyedHash"], authorization: string | undefined, token: string): boolean {
  const [, shown = ""] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return equalHashes(keyedHash.hash("credential", shown), keyedHash.hash("credential", token));
}

async function readBody(
  request: Request,
  rule: Contract["body"],
  kernel: Kernel,
  watched: Pick<BodyReading, "arrived" | "signal">,
): Promise<JsonBody> {
  if (rule === null) return NO_BODY;
  const reading = { maxBytes: rule.maxBytes, minBytesPerSecond: rule.minBytesPerSecond, ...watched };
  if (rule.unparsed === true) return { bytes: await readBytes(request, reading), value: null };
  return readJson(request, kernel, reading);
}

const NO_ABORT = new AbortController();

const NO_BODY = { bytes: new Uint8Array(), value: null };
