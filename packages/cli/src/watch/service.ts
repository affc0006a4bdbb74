/**
 * The service that is watched, as it answers. Its answers are its word: look.ts verifies them. An answer that is no
 * answer is named (66), and says nothing about the stream.
 */
import type { Json, JsonObject, Kernel } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";
import type { ExchangeLimits } from "../online/exchange.ts";
import { reasonOf } from "../online/no-answer.ts";

/** Half a minute, and 64 MiB: a page of full checkpoints has some. */
const LIMITS: ExchangeLimits = { timeoutMs: 30_000, maxBytes: 64 * 1024 ** 2 };
/** Checkpoints in one page. */
const PAGE_ITEMS = 100;

/** An answer of the service that is not a plain failure: what was asked for, or its refusal. */
export type Said =
  | { readonly ok: true; readonly bytes: Uint8Array; readonly value: Json }
  | { readonly ok: false; readonly status: number; readonly code: string };

/** A service that is asked about one stream. */
export class WatchedService {
  readonly url: string;
  readonly streamId: string;
  readonly #kernel: Kernel;
  readonly #apiKey: string;

  /** `apiKey`: a key that may read the stream; empty for none. */
  constructor(kernel: Kernel, url: string, streamId: string, apiKey: string) {
    this.#kernel = kernel;
    this.url = url;
    this.streamId = streamId;
    this.#apiKey = apiKey;
  }

  /** Resolves to the id of the newest checkpoint that the service shows; null if it shows none. */
  async newestCheckpointId(): Promise<string | null> {
    const path = `/v2/streams/${this.streamId}/proof-state`;
    const { value } = this.#required(path, await this.ask(path));
    const { stream_id, latest_checkpoint_id: id } = membersOf(value);
    if (stream_id !== this.streamId || (id !== null && typeof id !== "string"))
      throw this.#bad(path, "it answered with something else than the proof state of the stream.");
    return id;
  }

  /** Resolves to a checkpoint; null if the service says that it has no such checkpoint. */
  async checkpoint(checkpointId: string): Promise<Extract<Said, { ok: true }> | null> {
    const path = `/v2/checkpoints/${encodeURIComponent(checkpointId)}`;
    const said = await this.ask(path);
    return !said.ok && said.code === "checkpoint_not_found" ? null : this.#required(path, said);
  }

  /** Resolves to what the service says of the way from one checkpoint to another. */
  consistency(checkpointId: string, earlierId: string): Promise<Said> {
    return this.ask(
      `/v2/checkpoints/${encodeURIComponent(checkpointId)}/consistency?from=${encodeURIComponent(earlierId)}`,
    );
  }

  /** Yields the checkpoints that the service lists, in its order, as values of any form. */
  async *checkpoints(): AsyncGenerator<Json> {
    for (let cursor = ""; ; ) {
      const path = `/v2/streams/${this.streamId}/checkpoints?limit=${PAGE_ITEMS}${cursor}`;
      const { items, next_cursor: next } = membersOf(this.#required(path, await this.ask(path)).value);
      if (!Array.isArray(items)) throw this.#bad(path, "it answered with something else than a list of checkpoints.");
      yield* items as readonly Json[];
      // A list without an end would be walked for ever.
      if (typeof next !== "string" || items.length === 0) return;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
  }

  /**
   * Resolves to the portable receipt of the event that the service has at a number; null if it shows no such event, or
   * no receipt of it.
   */
  async portableReceipt(seqNo: number): Promise<Extract<Said, { ok: true }> | null> {
    const path = `/v2/streams/${this.streamId}/events?limit=1&from_seq_no=${seqNo}`;
    const { items } = membersOf(this.#required(path, await this.ask(path)).value);
    const [event] = Array.isArray(items) ? (items as readonly Json[]) : [];
    const { stream_event_id: id, seq_no } = membersOf(event ?? null);
    if (typeof id !== "string" || seq_no !== seqNo) return null;
    const said = await this.ask(`/v2/receipts/${encodeURIComponent(id)}?portable=true`);
    return said.ok ? said : null;
  }

  /** Asks for JSON. Refuses an answer that is not JSON (66), and a key that is refused (66). */
  async ask(path: string): Promise<Said> {
    const { getJson } = await import("../online/exchange.ts");
    const answer = await getJson(this.url + path, LIMITS, this.#apiKey);
    if (!answer.ok) {
      const [reason, action] = reasonOf(answer, LIMITS);
      throw this.#bad(path, reason, action);
    }
    const parsed = this.#kernel.parseJson(answer.bytes);
    if (answer.status === 200 && parsed.ok) return { ok: true, bytes: answer.bytes, value: parsed.value as Json };
    if (answer.status === 200)
      throw this.#bad(
        path,
        `it answered with something else than JSON as svc reads it: ${parsed.ok ? "" : parsed.code}.`,
      );
    const { detail } = membersOf(parsed.ok ? (parsed.value as Json) : null);
    const { code, message } = membersOf(detail ?? null);
    if (typeof code !== "string") throw this.#bad(path, `it answered ${answer.status}.`);
    if (answer.status === 401 || answer.status === 403)
      throw this.#bad(
        path,
        `it refuses the key: ${code}.`,
        "Set SVC_API_KEY to a key of the service that may read the stream.",
      );
    if (answer.status !== 404 && answer.status !== 422)
      throw this.#bad(path, `it answered ${answer.status}: ${code}. ${String(message)}`, "Try again later.");
    return { ok: false, status: answer.status, code };
  }

  #required(path: string, said: Said): Extract<Said, { ok: true }> {
    if (said.ok) return said;
    throw this.#bad(path, `it answered ${said.status}: ${said.code}.`, "Check the stream's id, and the key.");
  }

  #bad(path: string, reason: string, action = "Check the address."): Refusal {
    const [asked] = path.split("?");
    return new Refusal(EXIT.input, `${this.url} did not tell ${asked}: ${reason}`, action);
  }
}

function membersOf(value: Json): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
