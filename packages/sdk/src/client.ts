/**
 * The client of a service: streams, events, evidence, audit packs and exports. It returns receipts only if they hold
 * (receipts/receipts.ts), and all other evidence unchecked: `verify` checks that. It imports nothing of core: the parts
 * that need core are loaded with the first answer.
 */
import type { AuditPackInput, ListedStream, ServiceKeys, StreamBody, StreamInfo } from "@svc/api";
import type {
  Bundle,
  Checkpoint,
  Consistency,
  JsonObject,
  ReceiptRecord,
  RedactedRecord,
  Report,
  Window,
  WitnessPolicy,
} from "@svc/core";
import { VerificationError } from "./error.ts";
import { EventLogClient } from "./event-log.ts";
import { ExportsClient } from "./exports.ts";
import { jsonOf } from "./json-of.ts";
import { type List, listOf, type PageRequest } from "./pages.ts";
import { type ReceiptOptions, Receipts } from "./receipts/receipts.ts";
import { StreamClient } from "./stream.ts";
import { parseAnswer, Transport, type TransportOptions, type WriteOptions } from "./transport.ts";

/** The settings of a new stream. */
export interface StreamInput extends Omit<StreamBody, "metadata"> {
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Narrows a list of streams. */
export interface StreamFilter extends PageRequest {
  readonly use_case?: string;
  readonly class?: ListedStream["class"];
}

/** A pack holds up to 128 MiB of payloads, and up to 100,000 records. */
export const MAX_PACK_BYTES = 512 * 2 ** 20;

/** How a client reaches a service, and whom it trusts. */
export interface ClientOptions extends TransportOptions, ReceiptOptions {}

/**
 * A client of one service. Keep a system key in trusted processes: everybody who reads it can record in your name, so a
 * page must not hold one.
 *
 * Every call rejects with SvcError. Each can fail with `no_answer`, `unexpected_answer`, `answer_too_large`,
 * `invalid_request`, `rate_limited`, `internal_error`, `store_unavailable`, `store_uncertain` and `store_full`; a call
 * that needs a key also with `unauthorized` and `action_forbidden`; a call that sends values also with
 * `payload_not_json`. Each method names its further codes. `signal` ends a call, which rejects with the signal's
 * reason.
 *
 * @example
 * const trust = pinKeys(await loadKernel(), [parsePublicKeyHex(process.env.SVC_PUBLIC_KEY)]);
 * const client = new SvcClient({ baseUrl: process.env.SVC_URL ?? "", apiKey: process.env.SVC_API_KEY, trust });
 * console.log(client.receiptVerdict); // verified
 */
export class SvcClient {
  /** The event log of the key's system. */
  readonly log: EventLogClient;
  readonly #transport: Transport;
  readonly #receipts: Receipts;
  /** Truth packages. */
  readonly exports: ExportsClient;

  /**
   * `options`: see ClientOptions. Throws TypeError for a `baseUrl` or `apiKey` that could never be sent, and RangeError
   * for a number out of its range. A trust policy that is not well formed is refused at the first receipt.
   */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#receipts = new Receipts(this.#transport, options);
    this.log = new EventLogClient(this.#transport, this.#receipts);
    this.exports = new ExportsClient(this.#transport, this.#receipts);
  }

  /**
   * The verdict of the receipts that this client returns: `verified` under its trust policy, `untrusted` without one.
   * An `untrusted` receipt says what was sent, and agrees with itself and with everything that the client saw; its
   * signer is unknown.
   */
  get receiptVerdict(): "verified" | "untrusted" {
    return this.#receipts.verdict;
  }

  /**
   * Returns one stream, and asks the service nothing yet. Every client of a stream from this SvcClient shares what it
   * learns of the stream. `streamId`: the stream's `stream_id`. `head`: the newest receipt that you kept; the stream
   * must continue behind it. Throws TypeError for an empty `streamId`, and for a head of another stream.
   *
   * @example
   * const stream = client.stream(process.env.SVC_STREAM ?? "");
   * console.log((await stream.head()).seq_no); // 3
   */
  stream(streamId: string, { head }: { readonly head?: ReceiptRecord } = {}): StreamClient {
    if (!streamId)
      throw new TypeError("the stream has no name: give its stream_id, as createStream or svc-server init told it");
    if (head !== undefined && head.stream_id !== streamId) throw new TypeError(`the head is of ${head.stream_id}`);
    if (head !== undefined) this.#receipts.of(streamId).note([head]);
    return new StreamClient(this.#transport, this.#receipts, streamId);
  }

  /**
   * Makes a stream, and only one if the request is repeated. `input`: system, use case, policy, and optional metadata.
   * `options.idempotencyKey`: under the same key you get the same stream. Resolves to the stream's id and settings.
   * Codes: `system_forbidden`, `legacy_stream_creation_disabled`, `idempotency_conflict`.
   *
   * @example
   * const { stream_id } = await client.createStream({ system_id, use_case: "loans", policy_id: "default" });
   * console.log((await client.stream(stream_id).append(event)).seq_no); // 1
   */
  async createStream(input: StreamInput, options: WriteOptions = {}): Promise<StreamInfo> {
    const whole = input.metadata === undefined ? { ...input, metadata: {} } : input;
    const made = await this.#transport.write<StreamInfo>("/v2/streams", whole, options);
    // Under a key of the caller's the stream may be old, and have events.
    if (made.created && options.idempotencyKey === undefined) this.#receipts.of(made.stream_id).isNew();
    return made;
  }

  /**
   * Lists the streams that the key may see, in the order in which they were made. `filter`: only streams of a
   * `use_case` or a `class`.
   *
   * @example
   * for await (const { use_case } of client.streams({ use_case: "loans" })) console.log(use_case); // loans
   */
  streams(filter: StreamFilter = {}, signal?: AbortSignal): List<ListedStream> {
    return listOf(this.#transport, "/v2/streams", { ...filter }, signal);
  }

  /**
   * Resolves to a stored receipt record, with payload and salt; without both if they have been erased. `eventId`: the
   * `stream_event_id` of the event. Codes: `receipt_not_found`, `stream_forbidden`, `evidence_missing`; rejects with
   * VerificationError for a record that does not hold, and `receipt_mismatch` for the record of another event.
   *
   * @example
   * const again = await client.receipt(receipt.stream_event_id);
   * console.log(again.event_hash === receipt.event_hash); // true
   */
  async receipt(eventId: string, signal?: AbortSignal): Promise<ReceiptRecord | RedactedRecord> {
    const answer = await this.#get<ReceiptRecord>(`/v2/receipts/${encodeURIComponent(eventId)}`, signal);
    await this.#receipts.check([answer], {}, answer, signal);
    if (answer.stream_event_id === eventId) return answer;
    const message = `${eventId} was asked for, and the receipt of ${answer.stream_event_id} came.`;
    throw new VerificationError({ code: "receipt_mismatch", message }, answer);
  }

  /**
   * Resolves to a window (protocol section 8), unchecked. `windowId`: its `window_id`. Needs no key of yours. Codes:
   * `window_not_found`.
   *
   * @example
   * for (const { window_id } of bundle.artifacts["windows.json"])
   *   console.log((await client.window(window_id)).to_seq_no); // 3
   */
  window(windowId: string, signal?: AbortSignal): Promise<Window> {
    return this.#get(`/v2/windows/${encodeURIComponent(windowId)}`, signal);
  }

  /**
   * Resolves to a checkpoint (protocol section 9), unchecked. `checkpointId`: its `checkpoint_id`. Needs no key of
   * yours. Codes: `checkpoint_not_found`.
   *
   * @example
   * for await (const { checkpoint_id } of stream.checkpoints())
   *   console.log((await client.checkpoint(checkpoint_id)).window_count); // 1
   */
  checkpoint(checkpointId: string, signal?: AbortSignal): Promise<Checkpoint> {
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}`, signal);
  }

  /**
   * Resolves to proof that a checkpoint extends an earlier one (protocol section 12), unchecked. `checkpointId` names
   * the later one, `fromCheckpointId` the earlier one. Needs no key of yours. Codes: `checkpoint_not_found`,
   * `checkpoint_not_earlier`.
   *
   * @example
   * await stream.append(event);
   * await client.auditPackBytes({ stream_id: stream.streamId, from_seq_no: 1, to_seq_no: 4 });
   * const [first, second] = (await stream.checkpoints()).items.map(({ checkpoint_id }) => checkpoint_id);
   * const proof = await client.consistency(second ?? "", first ?? "");
   * console.log((await client.verifyOnline(proof)).verdict); // verified
   */
  consistency(checkpointId: string, fromCheckpointId: string, signal?: AbortSignal): Promise<Consistency> {
    const from = encodeURIComponent(fromCheckpointId);
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}/consistency?from=${from}`, signal);
  }

  /**
   * Resolves to a witness policy (protocol section 6), unchecked. `policyId`: its `policy_id`. `digest`: the
   * `witness_policy_digest` of a window or checkpoint. It finds a declared policy; a built-in policy needs none, nor
   * does any policy of a service with one tenant. Needs no key of yours. Codes: `policy_not_found`.
   *
   * @example
   * console.log((await client.witnessPolicy("default")).threshold); // 1
   */
  witnessPolicy(
    policyId: string,
    { digest, signal }: { readonly digest?: string; readonly signal?: AbortSignal } = {},
  ): Promise<WitnessPolicy> {
    const query = digest === undefined ? "" : `?digest=${encodeURIComponent(digest)}`;
    return this.#get(`/v2/witness/policies/${encodeURIComponent(policyId)}${query}`, signal);
  }

  /**
   * Resolves to the bundle over a range, as the exact bytes that the service sent: save these. `input`: the stream, and
   * the numbers of the first and the last event. The service seals the events that are not sealed yet. Codes:
   * `stream_forbidden`, `stream_not_found`, `evidence_missing`, `range_too_large`, `key_busy`, `idempotency_conflict`.
   *
   * @example
   * const pack = await client.auditPackBytes({ stream_id: stream.streamId, from_seq_no: 1, to_seq_no: 3 });
   * await writeFile("pack.json", pack); // as it came
   * console.log(verify(pack, { trust }).verdict); // verified
   */
  async auditPackBytes(input: AuditPackInput, options: WriteOptions = {}): Promise<Uint8Array> {
    const answer = { maxAnswerBytes: MAX_PACK_BYTES };
    return this.#transport.writeBytes("/v2/audit/packs", jsonOf(input, { mayLack: true }), options, answer);
  }

  /**
   * Resolves to the bundle over a range, as a value; parameters and codes as in `auditPackBytes`. Save the bytes, not
   * this value.
   *
   * @example
   * const { artifacts } = await client.auditPack({ stream_id: stream.streamId, from_seq_no: 1, to_seq_no: 3 });
   * console.log(artifacts["windows.json"].length); // 1
   */
  async auditPack(input: AuditPackInput, options: WriteOptions = {}): Promise<Bundle> {
    return parseAnswer<Bundle>("/v2/audit/packs", await this.auditPackBytes(input, options));
  }

  /**
   * Resolves to the service's own verdict on an object of any kind, under its own keys; `verify` gives yours. Needs no
   * key of yours. Codes: `unsupported_object`, `object_too_complex`, `verifier_busy`, `body_too_large`.
   *
   * @example
   * console.log((await client.verifyOnline(bundle)).verdict); // verified
   */
  async verifyOnline(object: JsonObject, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v2/verify", body: jsonOf(object), signal });
  }

  /**
   * Resolves to the service's keys and endorsements, as it states them, unchecked: compare a fingerprint before you pin
   * one. Needs no key of yours.
   *
   * @example
   * for (const { status } of (await client.keys()).keys) console.log(status); // current
   */
  keys(signal?: AbortSignal): Promise<ServiceKeys> {
    return this.#get("/v2/keys", signal);
  }

  /**
   * Resolves to the service's status and version, if it answers. Needs no key of yours.
   *
   * @example
   * console.log((await client.health()).status); // ok
   */
  health(signal?: AbortSignal): Promise<{ readonly status: string; readonly version: string }> {
    return this.#get("/health", signal);
  }

  #get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path, signal });
  }
}
