/**
 * The client of a service: streams, events, evidence, audit packs and exports. What comes back is verified by nobody here; use `verify`.
 */
import type {
  Bundle,
  Checkpoint,
  Consistency,
  JsonObject,
  KeyEndorsement,
  Kid,
  PublicKeyHex,
  ReceiptRecord,
  RedactedRecord,
  Report,
  Window,
  WitnessPolicy,
} from "@svc/core";
import { EventLogClient } from "./event-log.ts";
import { ExportsClient } from "./exports.ts";
import { type Page, type PageRequest, withQuery } from "./pages.ts";
import { StreamClient } from "./stream.ts";
import { parseAnswer, Transport, type TransportOptions, type WriteOptions } from "./transport.ts";

/** What a stream is created from. */
export interface StreamInput {
  readonly system_id: string;
  readonly use_case: string;
  readonly policy_id: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** What every answer about a stream says. */
interface StreamFacts {
  readonly stream_id: string;
  readonly class: "legacy" | "provenance" | "lifecycle";
  readonly use_case: string;
  readonly policy_id: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
}

/** A stream that was made. */
export interface StreamInfo extends StreamFacts {
  readonly system_id: string;
  readonly created: boolean;
  /** What the service advises in place of a stream of this class; missing where it advises nothing. */
  readonly compatibilityWarning?: string;
}

/** A stream as lists show it. */
export interface ListedStream extends StreamFacts {
  /** Null for a lifecycle stream: it is the tenant's. */
  readonly system_id: string | null;
  /** When it stopped to take events for good; null for a stream that goes on. */
  readonly closed_at: string | null;
  /** The number of its newest event; 0 where it has none. */
  readonly head_seq_no: number;
}

/** Which streams a list shows. */
export interface StreamFilter extends PageRequest {
  readonly use_case?: string;
  readonly class?: StreamFacts["class"];
}

/** A range of which a bundle is asked for. */
export interface AuditPackInput {
  readonly stream_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  readonly payloads?: "included" | "redacted";
}

/** The service's keys as it states them: compare a fingerprint with one that you got another way before you pin any. */
export interface ServiceKeys {
  readonly origin: string;
  readonly keys: readonly ServiceKey[];
  readonly endorsements: readonly KeyEndorsement[];
}

/** One of the service's keys. */
export interface ServiceKey {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  /** The C2SP verification key under the service's origin. */
  readonly vkey: string;
  readonly status: "current" | "past";
  readonly valid_from: string;
  /** When a past key was retired; null for the current one. */
  readonly valid_to: string | null;
  /** The key as a JSON Web Key (RFC 8037). */
  readonly jwk: Ed25519Jwk;
}

/** An Ed25519 public key as RFC 8037 has it. */
export interface Ed25519Jwk {
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  /** The 32 bytes in base64url, without padding. */
  readonly x: string;
  readonly kid: Kid;
  readonly use: "sig";
  readonly alg: "EdDSA";
}

export class SvcClient {
  /** The event log of the key's system. */
  readonly log: EventLogClient;
  readonly #transport: Transport;
  /** Truth packages. */
  readonly exports: ExportsClient;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
    this.log = new EventLogClient(this.#transport);
    this.exports = new ExportsClient(this.#transport);
  }

  /** One stream; asks the service nothing yet. */
  stream(streamId: string): StreamClient {
    return new StreamClient(this.#transport, streamId);
  }

  /** Makes a stream; one, however often the request is repeated. */
  createStream(input: StreamInput, options: WriteOptions = {}): Promise<StreamInfo> {
    return this.#transport.write("/v2/streams", { metadata: {}, ...input }, options);
  }

  /** A page of the streams that the key may see, in the order in which they were made. */
  streams(filter: StreamFilter = {}, signal?: AbortSignal): Promise<Page<ListedStream>> {
    return this.#get(withQuery("/v2/streams", { ...filter }), signal);
  }

  /** A stored receipt record, with payload and salt; without both where they have been erased. */
  receipt(eventId: string, signal?: AbortSignal): Promise<ReceiptRecord | RedactedRecord> {
    return this.#get(`/v2/receipts/${encodeURIComponent(eventId)}`, signal);
  }

  window(windowId: string, signal?: AbortSignal): Promise<Window> {
    return this.#get(`/v2/windows/${encodeURIComponent(windowId)}`, signal);
  }

  checkpoint(checkpointId: string, signal?: AbortSignal): Promise<Checkpoint> {
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}`, signal);
  }

  /** Proof that a checkpoint extends an earlier one. */
  consistency(checkpointId: string, fromCheckpointId: string, signal?: AbortSignal): Promise<Consistency> {
    const from = encodeURIComponent(fromCheckpointId);
    return this.#get(`/v2/checkpoints/${encodeURIComponent(checkpointId)}/consistency?from=${from}`, signal);
  }

  witnessPolicy(policyId: string, signal?: AbortSignal): Promise<WitnessPolicy> {
    return this.#get(`/v2/witness/policies/${encodeURIComponent(policyId)}`, signal);
  }

  /** The bundle over a range, as the exact bytes that the service sent: save these. */
  auditPackBytes(input: AuditPackInput, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#transport.send({ method: "POST", path: "/v2/audit/packs", body: input, signal });
  }

  /** The bundle over a range. */
  async auditPack(input: AuditPackInput, signal?: AbortSignal): Promise<Bundle> {
    return parseAnswer<Bundle>("/v2/audit/packs", await this.auditPackBytes(input, signal));
  }

  /** The service's own verdict on an object, under its own keys. `verify` gives yours. */
  verifyOnline(object: JsonObject, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v2/verify", body: object, signal });
  }

  keys(signal?: AbortSignal): Promise<ServiceKeys> {
    return this.#get("/v2/keys", signal);
  }

  health(signal?: AbortSignal): Promise<{ readonly status: string; readonly version: string }> {
    return this.#get("/health", signal);
  }

  #get<T>(path: string, signal?: AbortSignal): Promise<T> {
    return this.#transport.json({ method: "GET", path, signal });
  }
}
