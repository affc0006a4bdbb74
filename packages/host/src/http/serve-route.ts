/**
 * The steps of a request at its route, in the same order for every route: its actor, the Idempotency-Key, the query,
 * the body and its shape; then the route's own work, and its answer.
 */
import type { IncomingMessage } from "node:http";
import { type Access, type Contract, isIdentified } from "@svc/api";
import { BYTES_OF_A_KEY_REQUEST, BYTES_OF_A_REQUEST, MS_OF_A_REQUEST } from "@svc/api/limits";
import type { Json, Kernel } from "@svc/core";
import { ServiceError } from "../errors.ts";
import { failpoint } from "../failpoint.ts";
import { equalHashes, type KeyedHash } from "../keyed-hash.ts";
import { actionsOf, mayDo, type Principal } from "../principal.ts";
import { askerOf } from "./asker.ts";
import { parseBody, parseForm, readBytes, requireFit, statedBytes } from "./body.ts";
import type { Exchange } from "./exchange.ts";
import type { LargeBodies } from "./large-bodies.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { ReadingLane } from "./reading-lane.ts";
import { headersReader, readIdempotencyKey, readQuery } from "./requests.ts";
import { sendPieces, sendText } from "./responses.ts";
import type { Answer, Call, Route } from "./route.ts";
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
  /** Notes that a key was refused, since it does not have the action of the route. */
  readonly refused: (found: FoundKey, route: Contract) => void;
  readonly limits: Limits;
  readonly lane: ReadingLane;
  /** Returns the address that sent a request; the claim of a proxy that is not trusted does not count. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** The token that routes of the metrics demand; null if they demand none. */
  readonly metricsToken: string | null;
}

/** The rates at which requests are served. */
export interface Limits {
  readonly byKey: RateLimit;
  readonly byAddress: RateLimit;
}

/** A route with its steps. */
export interface ServedRoute {
  readonly contract: Contract;
  readonly isDirect: boolean;
  /**
   * Answers a request. `path`: the values in its path; `query`: its parameters as text. Rejects with the refusal, of
   * which nothing has been answered yet.
   */
  readonly serve: (
    exchange: Exchange,
    path: Readonly<Record<string, string>>,
    query: Readonly<Record<string, unknown>>,
  ) => Promise<void>;
}

/** Returns a route with its steps. `largeBodies`: the permits and turns of large bodies, which routes share. */
export function servedRoute(
  { contract, handle, precheck, memory, room, isDirect = false }: Route,
  readers: Readers,
  largeBodies: LargeBodies,
): ServedRoute {
  const { kernel, limits, lane } = readers;
  // Routes that show whether the service is up wait for nobody.
  const isReading = contract.method === "GET" && contract.chapter !== "service";
  const isChecked = contract.body !== null && contract.body.unparsed !== true;
  const check = isChecked && contract.body !== null ? shape(contract.body.schema) : (value: Json) => value;
  const parse = (bytes: Uint8Array): Json =>
    contract.body?.form === true ? parseForm(bytes) : parseBody(bytes, kernel);
  const readDeclared = headersReader(contract.headers);
  const serve: ServedRoute["serve"] = async ({ request, response }, path, given) => {
    const address = readers.addressOf(request);
    const found = await keyOf(contract, request, address, readers);
    const principal = found?.principal ?? null;
    const asker = principal?.id ?? askerOf(address);
    const idempotencyKey =
      contract.idempotencyKey === "none" ? "" : readIdempotencyKey(request, contract.idempotencyKey);
    // Echoed so that a pipelining client can match answers to requests.
    if (idempotencyKey !== "") response.setHeader("Idempotency-Key", idempotencyKey);
    const query = readQuery(given, contract.query);
    const headers = readDeclared(request);
    // A body that is stated to be too large must not wait for a permit first.
    if (contract.body !== null) requireFit(request, contract.body.maxBytes);
    const large = contract.body?.large;
    const admitted = large === undefined ? null : await largeBodies.admit(large, statedBytes(request), asker);
    await room?.();
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
      const bytes =
        contract.body === null
          ? NO_BYTES
          : await readBytes(request, {
              maxBytes: contract.body.maxBytes,
              isForm: contract.body.form === true,
              minBytesPerSecond: contract.body.minBytesPerSecond,
              arrived,
              signal: held?.signal,
            });
      if (found !== null && statedBytes(request) === null) limits.byKey.charge(found.keyId, costOf(bytes.length));
      await admitted?.turn(bytes.length);
      const value = isChecked ? parse(bytes) : null;
      precheck?.(value);
      const call = {
        path,
        query,
        principal,
        body: check(value),
        value,
        bytes,
        idempotencyKey,
        headers,
        address,
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
      const status = answer.isPart === true ? 206 : statusOf(contract, answer);
      if ("text" in answer) sendText(response, status, answer.text, mediaType);
      else await sendPieces(response, status, answer.pieces, mediaType);
    } finally {
      admitted?.release();
      held?.release();
    }
  };
  return { contract, isDirect, serve };
}

/** Returns the status of an answer. Throws Error for one that the contract does not declare. */
function statusOf({ method, path, answer: { status, others = {} } }: Contract, answer: Answer): number {
  if (answer.status === undefined || answer.status === status) return status;
  if (Object.hasOwn(others, answer.status)) return answer.status;
  throw new Error(`${method} ${path} answers ${answer.status}, which its contract does not declare`);
}

/**
 * Resolves to the key of a request; null for a route that serves anybody. The request counts against its key, or
 * against its address if there is no valid key. Rejects with `rate_limited`, `unauthorized` or `action_forbidden`.
 */
async function keyOf(
  contract: Contract,
  request: IncomingMessage,
  sender: string,
  { keyedHash, authenticate, unauthorized, refused, limits, metricsToken }: Readers,
): Promise<FoundKey | null> {
  const { access, action, body, chapter } = contract;
  const stated = statedBytes(request) ?? 0;
  // Bytes count before they are read; a body that is too large is not read.
  const bytes = body !== null && stated <= body.maxBytes ? stated : 0;
  if (access.includes("metrics")) {
    if (metricsToken === null || isBearer(keyedHash, request.headers.authorization, metricsToken)) return null;
    limits.byAddress.count(askerOf(sender));
    throw new ServiceError(
      "unauthorized",
      'This route needs the token of SVC_METRICS_TOKEN: send "Authorization: Bearer <token>".',
    );
  }
  const found = access.some(takesKey) ? await authenticate(request.headers.authorization) : null;
  if (found === null && access.every(isIdentified)) {
    limits.byAddress.count(askerOf(sender));
    throw unauthorized();
  }
  if (found === null) {
    const address = askerOf(sender);
    // A debt of the address for verification must not make the service look as if it were down, so routes about the
    // service count apart.
    const counted = chapter === "service" ? `service ${address}` : address;
    limits.byAddress.count(counted, 1 + bytes / BYTES_OF_A_REQUEST);
    return null;
  }
  limits.byKey.count(found.keyId, 1 + costOf(bytes));
  if (!mayDo(found.principal, action)) {
    refused(found, contract);
    throw new ServiceError(
      "action_forbidden",
      `This key may ${actionsOf(found.principal).join(", ")}, and this route needs ${action}. Use another key, or ` +
        `ask the operator for one.`,
      { action },
    );
  }
  return found;
}

/** Returns whether a system key opens routes of a kind of access. */
function takesKey(access: Access): boolean {
  return access === "system" || access === "tenant";
}

/** Returns the number of further requests that a body counts as, against a key: small ones as none. */
const costOf = (bytes: number): number => Math.floor(bytes / BYTES_OF_A_KEY_REQUEST);

/** Returns whether the header shows this token; takes the same time for every wrong token. */
function isBearer(keyedHash: Readers["keyedHash"], authorization: string | undefined, token: string): boolean {
  const [, shown = ""] = /^bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return equalHashes(keyedHash.hash("credential", shown), keyedHash.hash("credential", token));
}

/** The parameters of a request without a query. */
export const NO_QUERY = {};

const NO_ABORT = new AbortController();

const NO_BYTES = new Uint8Array();
