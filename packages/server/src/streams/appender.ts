/**
 * Appends events to streams, in a transaction of the caller: the only way in which events enter a stream (protocol
 * section 7). It numbers, hashes and chains them one after another, signs them as one list, and stores them together.
 * The caller checks permissions.
 */
import { type SignatureHex, ZERO_HASH } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { failpoint } from "@svc/host/failpoint";
import type { Principal } from "@svc/host/principal";
import { randomBytes } from "@svc/host/random";
import type { Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import type { CurrentKey } from "../keys/signing-key.ts";
import { newestPolicy, type PolicyVersion } from "../policies/policies-store.ts";
import { type EventRow, insertEvent } from "./events-store.ts";
import { headOf, placeRow, receiptBytes, type UnsignedRow } from "./issue-event.ts";
import type { PreparedEvent } from "./prepare-events.ts";
import { requireKnownHead } from "./require-chain.ts";
import { moveHead, type StreamRow } from "./streams-store.ts";

const SALT_BYTES = 16;
const SIGNATURE_BYTES = 64;

type Needs = Pick<Context, "signingKey" | "clock">;

/**
 * The appenders of all streams that grow in one transaction. Values that hold for the transaction are read once, and
 * all events are signed as one list, in one stream or in many.
 */
export class Appenders {
  readonly #writer: Writer;
  readonly #context: Needs;
  readonly #appenders: Appender[] = [];
  readonly #policies = new Map<string, PolicyVersion | null>();
  #signer: CurrentKey | null = null;

  constructor(writer: Writer, context: Needs) {
    this.#writer = writer;
    this.#context = context;
  }

  /**
   * Returns the appender of a stream. Rejects with `stream_closed`, and with Error if the database does not hold the
   * head that the stream's row names.
   */
  async open(stream: StreamRow): Promise<Appender> {
    if (stream.closed_at !== null)
      throw new ServiceError(
        "stream_closed",
        `Stream ${stream.stream_id} was closed at ${stream.closed_at}, after its database had lost events. Make a new stream and append to that.`,
        { stream_id: stream.stream_id, closed_at: stream.closed_at },
      );
    await requireKnownHead(this.#writer, stream);
    const signer = this.#signer ?? (await this.#context.signingKey.current(this.#writer));
    this.#signer = signer;
    const policy = await this.#policyOf(stream);
    // The time is never before that of anything that the stream and its receipts rest on, even if the clock has been
    // set back since.
    const now = latest(
      serviceTime(this.#context.clock()),
      signer.validFrom,
      stream.last_received_at,
      stream.last_sealed_at,
      stream.created_at,
      policy?.witnessPolicy.declared_at,
    );
    const appender = new Appender(stream, now, policy?.policy.window_max_events ?? Number.POSITIVE_INFINITY);
    this.#appenders.push(appender);
    return appender;
  }

  /**
   * Signs the placed events, stores them and moves the streams' heads. Resolves to the rows in order, by appender. The
   * receipts hold once the transaction is committed.
   */
  async store(): Promise<Map<Appender, EventRow[]>> {
    const unsigned = this.#appenders.flatMap((appender) => appender.unsigned);
    if (this.#signer === null) return new Map();
    const { kid, signAll } = this.#signer;
    // All messages form one list: to send each by itself takes long compared with its signature.
    const signatures = await signAll(unsigned.map((row) => receiptBytes(row, kid)));
    failpoint("append: signed");
    const stored = new Map<Appender, EventRow[]>();
    let at = 0;
    for (const appender of this.#appenders) {
      const rows = appender.unsigned.map((row) => ({
        ...row,
        receipt_kid: kid,
        receipt_signature: hexOf(signatures[at++]),
      }));
      await appender.store(this.#writer, rows);
      stored.set(appender, rows);
    }
    return stored;
  }

  /** Whether any stream now has as many unwindowed events as its policy puts in one window. */
  get isWindowFull(): boolean {
    return this.#appenders.some((appender) => appender.isWindowFull);
  }

  async #policyOf({ tenant_id, policy_id }: StreamRow): Promise<PolicyVersion | null> {
    const name = `${tenant_id} ${policy_id}`;
    const known = this.#policies.get(name);
    if (known !== undefined) return known;
    const policy = await newestPolicy(this.#writer, tenant_id, policy_id);
    this.#policies.set(name, policy);
    return policy;
  }
}

/** An event with its place, without a signature. */
interface Placed {
  readonly row: UnsignedRow;
  readonly event: PreparedEvent;
  readonly actor: Principal;
}

/** The end of one stream. `Appenders` makes it and stores its events. */
export class Appender {
  /** The stream as it was before. */
  readonly stream: StreamRow;
  readonly #now: string;
  readonly #windowMaxEvents: number;
  readonly #placed: Placed[] = [];
  #head: Pick<StreamRow, "head_seq_no" | "head_event_hash">;

  constructor(stream: StreamRow, now: string, windowMaxEvents: number) {
    this.stream = stream;
    this.#now = now;
    this.#windowMaxEvents = windowMaxEvents;
    this.#head = stream;
  }

  /** The number of the last placed event; 0 for none. */
  get seqNo(): number {
    return this.#head.head_seq_no;
  }

  /** The head of the stream after the placed events: 64 zeros for a stream without events. */
  get headHash(): string {
    const { head_seq_no, head_event_hash } = this.#head;
    return head_seq_no === 0 ? ZERO_HASH : headOf(this.stream.stream_id, head_seq_no, head_event_hash);
  }

  /** Whether the stream now has as many unwindowed events as its policy puts in one window. */
  get isWindowFull(): boolean {
    return this.seqNo - this.stream.windowed_to_seq_no >= this.#windowMaxEvents;
  }

  /** Places events behind all others. */
  place(events: readonly PreparedEvent[], actor: Principal): void {
    for (const event of events) {
      const place = {
        stream_id: this.stream.stream_id,
        stream_event_id: newId("sev"),
        seq_no: this.#head.head_seq_no + 1,
        previous_event_hash: this.#head.head_event_hash,
        received_at: this.#now,
        payload_salt: Buffer.from(randomBytes(SALT_BYTES)).toString("hex"),
      };
      const row = placeRow(event, place, event.payloadText);
      this.#placed.push({ row, event, actor });
      this.#head = { head_seq_no: row.seq_no, head_event_hash: row.event_hash };
    }
  }

  /** The placed events, in order. */
  get unsigned(): UnsignedRow[] {
    return this.#placed.map(({ row }) => row);
  }

  /** Stores the signed rows, and moves the stream's head. Rejects with WriteConflict if the head has moved. */
  async store(writer: Writer, rows: readonly EventRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { event_log_no: eventLogNo } = this.stream;
    for (const [index, row] of rows.entries()) {
      const { actor, event } = this.#placed[index] as Placed;
      await insertEvent(writer, row, {
        tenantId: this.stream.tenant_id,
        actor,
        occurredAtUtc: event.occurredAtUtc,
        sourceTimezone: this.stream.source_timezone,
        eventLogNo,
        status: event.status,
      });
    }
    const { head_seq_no: seqNo, head_event_hash: eventHash } = this.#head;
    failpoint("append: inserted");
    await moveHead(writer, this.stream, { seqNo, eventHash, receivedAt: this.#now, firstReceivedAt: this.#now });
  }
}

function hexOf(signature: Uint8Array | undefined): SignatureHex {
  if (signature?.length !== SIGNATURE_BYTES) throw new Error("an event has no signature");
  return Buffer.from(signature).toString("hex") as SignatureHex;
}
