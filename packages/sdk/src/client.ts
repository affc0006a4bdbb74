/**
 * The client of a service: streams, events, evidence, audit packs and exports. Receipts are handed out if they hold (receipts/receipts.ts); all
 * other evidence as it comes: `verify` takes it. Imports nothing of core: what needs it is loaded with the first answer.
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

/** What a stream is created from. */
export interface StreamInput extends Omit<StreamBody, "metadata"> {
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Which streams a list shows. */
export interface StreamFilter extends PageRequest {
  readonly use_case?: string;
  readonly class?: ListedStream["class"];
}

/** A pack holds up to 128 MiB of payloads, and up to 100,000 records. */
const MAX_PACK_BYTES = 512 * 2 ** 20;

/** How a client reaches a service, and whom it believes. */
export interface ClientOptions extends TransportOptions, ReceiptOptions {}

/**
 * A client of one service. A system key belongs into trusted processes: whoever reads it can record in your name, so a page must not hold one.
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

  /** Throws TypeError for what could never be sent, and RangeError for a number that is out of its range. A trust policy that is not well formed is refused at the first receipt. */
  constructor(options: ClientOptions) {
    this.#transport = new Transport(options);
    this.#receipts = new Receipts(this.#transport, options);
    this.log = new EventLogClient(this.#transport, this.#receipts);
    this.exports = new ExportsClient(this.#transport, this.#receipts);
  }

  /**
   * The verdict under which this client hands out receipts: `verified` under its trust policy, and `untrusted` without one. What `untrusted` ones
   * say is what was sent, and agrees with itself and with what the client saw; who signed it is not known.
   */
  get receiptVerdict(): "verified" | "untrusted" {
    return this.#receipts.verdict;
  }

  /**
   * One stream; asks the service nothing yet. What is learned of it is kept for all that this client does with it. `head`: the newest receipt that
   * you kept, which what comes next must follow.
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
   * Makes a stream; one, however often the request is repeated.
   *
   * @example
   * const { stream_id } = await client.createStream({ system_id, use_case: "loans", policy_id: "default" });
   * console.log((await client.stream(stream_id).append(event)).seq_no); // 1
   */
  async createStream(input: StreamInput, options: WriteOptions = {}): Promise<StreamInfo> {
    const whole = input.metadata === undefined ? { ...input, metadata: {} } : input;
    const made = await this.#transport.write<StreamInfo>("/v2/streams", whole, options);
    // Under a key of the caller's it may have been made, and written to, long ago.
    if (made.created && options.idempotencyKey === undefined) this.#receipts.of(made.stream_id).isNew();
    return made;
  }

  /**
   * The streams that the key may see, in the order in which they were made.
   *
   * @example
   * for await (const { use_case } of client.streams({ use_case: "loans" })) console.log(use_case); // loans
   */
  streams(filter: StreamFilter = {}, signal?: AbortSignal): List<ListedStream> {
    return listOf(this.#transport, "/v2/streams", { ...filter }, signal);
  }

  /**
   * A stored receipt record, with payload and salt; without both where they have been erased. Throws VerificationError for one that does not hold,
   * or is another than the one that was asked for.
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

  /** A window (protocol section 8), as it comes. */
  window(windowId: string, signal?: AbortSignal): Promise<Window> {
    return this.#get(`/v2/windows/${encodeURIComponent(windowId)}`, signal);
  }

  /** A checkpoint (protocol section 9), as it comes. */
  checkpoint(checkpointId: string, signal?: AbortSignal): Promise<Checkpoint> {
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}`, signal);
  }

  /** Proof that a checkpoint extends an earlier one. */
  consistency(checkpointId: string, fromCheckpointId: string, signal?: AbortSignal): Promise<Consistency> {
    const from = encodeURIComponent(fromCheckpointId);
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}/consistency?from=${from}`, signal);
  }

  /**
   * A witness policy (protocol section 6), as it comes. `digest`: the `witness_policy_digest` of a window or checkpoint, by which a declared policy is
   * found; a built-in one needs none, nor does any where the service has one tenant.
   */
  witnessPolicy(
    policyId: string,
    { digest, signal }: { readonly digest?: string; readonly signal?: AbortSignal } = {},
  ): Promise<WitnessPolicy> {
    const query = digest === undefined ? "" : `?digest=${encodeURIComponent(digest)}`;
    return this.#get(`/v2/witness/policies/${encodeURIComponent(policyId)}${query}`, signal);
  }

  /**
   * The bundle over a range, as the exact bytes that the service sent: save these.
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

  /** The bundle over a range. */
  async auditPack(input: AuditPackInput, options: WriteOptions = {}): Promise<Bundle> {
    return parseAnswer<Bundle>("/v2/audit/packs", await this.auditPackBytes(input, options));
  }

  /** The service's own verdict on an object, under its own keys. `verify` gives yours. */
  async verifyOnline(object: JsonObject, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v2/verify", body: jsonOf(object), signal });
  }

  /** The service's keys, as it states them. Needs no key of yours. */
  keys(signal?: AbortSignal): Promise<ServiceKeys> {
    return this.#get("/v2/keys", signal);
  }

  /** Whether the service answers, and its version. Needs no key of yours. */
  health(signal?: AbortSignal): Promise<{ readonly status: string; readonly version: string }> {
    return this.#get("/health", signal);
  }

  #get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path, signal });
  }
}
