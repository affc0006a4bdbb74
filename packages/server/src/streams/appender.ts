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
import { together, type Writer } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { newestPoliciesOf, type PolicyVersion } from "../policies/policies-store.ts";
import type { CurrentKey } from "../signing/signing-key.ts";
import { type EventContext, type EventRow, insertEvents } from "./events-store.ts";
import { headOf, placeRow, receiptBytes, type UnsignedRow } from "./issue-event.ts";
import type { PreparedEvent } from "./prepare-events.ts";
import { knownHeads } from "./require-chain.ts";
import { type MovedHead, moveHeads, type StreamRow } from "./streams-store.ts";

const SALT_BYTES = 16;
const SIGNATURE_BYTES = 64;

type Needs = Pick<Context, "signingKey" | "clock">;

/** The values on which appending rests, as they are in a transaction. */
interface Grounds {
  readonly requireHead: (stream: StreamRow) => void;
  readonly policies: ReadonlyMap<StreamRow, PolicyVersion | null>;
  /** A key that is not here is an error only where something is sealed. */
  readonly signer: PromiseSettledResult<CurrentKey>;
}

/**
 * The appenders of all streams that grow in one transaction. Everything that they need is read at once, and all events
 * are signed and stored at once, in one stream or in many.
 */
export class Appenders {
  readonly #writer: Writer;
  readonly #context: Needs;
  readonly #grounds: Grounds;
  readonly #appenders: Appender[] = [];

  private constructor(writer: Writer, context: Needs, grounds: Grounds) {
    this.#writer = writer;
    this.#context = context;
    this.#grounds = grounds;
  }

  /** Resolves to the appenders of some streams, as their rows are in this transaction; none of them is open yet. */
  static async of(writer: Writer, context: Needs, streams: readonly StreamRow[]): Promise<Appenders> {
    const names = streams.map(({ tenant_id, policy_id }) => ({ tenantId: tenant_id, policyId: policy_id }));
    const [requireHead, policies, signer] = await together([
      knownHeads(writer, streams),
      newestPoliciesOf(writer, names),
      settled(context.signingKey.held(writer)),
    ]);
    const ofStreams = new Map(streams.map((stream, index) => [stream, policies[index] ?? null]));
    return new Appenders(writer, context, { requireHead, policies: ofStreams, signer });
  }

  /**
   * Returns the appender of one of the rows. Throws `stream_closed`, Error if the database does not hold the head that
   * the row names, the errors of `SigningKey.current`, and TypeError for any other row.
   */
  open(stream: StreamRow): Appender {
    if (stream.closed_at !== null)
      throw new ServiceError(
        "stream_closed",
        `Stream ${stream.stream_id} was closed at ${stream.closed_at}, after its database had lost events. Make ` +
          `a new stream and append to that.`,
        { stream_id: stream.stream_id, closed_at: stream.closed_at },
      );
    this.#grounds.requireHead(stream);
    const policy = this.#grounds.policies.get(stream);
    if (policy === undefined) throw new TypeError(`${stream.stream_id} is opened, and was not read for it`);
    // The time is never before that of anything that the stream and its receipts rest on, even if the clock has been
    // set back since.
    const now = latest(
      serviceTime(this.#context.clock()),
      this.#signer.validFrom,
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
   * receipts hold once the transaction is committed. Rejects with WriteConflict if a head has moved.
   */
  async store(): Promise<Map<Appender, EventRow[]>> {
    if (this.#appenders.length === 0) return new Map();
    const { kid, signAll } = this.#signer;
    // All messages form one list: to send each by itself takes long compared with its signature.
    const messages = this.#appenders.flatMap(({ placed }) => placed.map(({ row }) => receiptBytes(row, kid)));
    const signatures = messages.length === 0 ? [] : await signAll(messages);
    failpoint("append: signed");
    let at = 0;
    const signed = this.#appenders.map((appender) =>
      appender.placed.map(({ row, context }) => ({
        row: { ...row, receipt_kid: kid, receipt_signature: hexOf(signatures[at++]) },
        context,
      })),
    );
    const inserting = insertEvents(this.#writer, signed.flat());
    failpoint("append: inserted");
    const moved = this.#appenders.filter(({ placed }) => placed.length > 0);
    await together([
      inserting,
      moveHeads(
        this.#writer,
        moved.map(({ movedHead }) => movedHead),
      ),
    ]);
    return new Map(this.#appenders.map((appender, index) => [appender, (signed[index] ?? []).map(({ row }) => row)]));
  }

  /** Whether any stream now has as many unwindowed events as its policy puts in one window. */
  get isWindowFull(): boolean {
    return this.#appenders.some((appender) => appender.isWindowFull);
  }

  get #signer(): CurrentKey {
    const { signer } = this.#grounds;
    if (signer.status === "rejected") throw signer.reason;
    return signer.value;
  }
}

async function settled<T>(promise: Promise<T>): Promise<PromiseSettledResult<T>> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}

/** An event with its place, without a signature. */
interface Placed {
  readonly row: UnsignedRow;
  readonly context: EventContext;
}

/** The end of one stream. `Appenders` makes it and stores its events. */
export class Appender {
  /** The stream as it was before. */
  readonly stream: StreamRow;
  /** The time of its new events. */
  readonly receivedAt: string;
  readonly #windowMaxEvents: number;
  readonly #placed: Placed[] = [];
  #head: Pick<StreamRow, "head_seq_no" | "head_event_hash">;

  constructor(stream: StreamRow, receivedAt: string, windowMaxEvents: number) {
    this.stream = stream;
    this.receivedAt = receivedAt;
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

  /** The new events, in order. */
  get placed(): readonly Placed[] {
    return this.#placed;
  }

  /** The head, which moves over the new events. */
  get movedHead(): MovedHead {
    const { head_seq_no: seqNo, head_event_hash: eventHash } = this.#head;
    return { stream: this.stream, seqNo, eventHash, receivedAt: this.receivedAt };
  }

  /** Places events behind all others. */
  place(events: readonly PreparedEvent[], actor: Principal): void {
    const { tenant_id: tenantId, source_timezone: sourceTimezone, event_log_no: eventLogNo } = this.stream;
    for (const event of events) {
      const place = {
        stream_id: this.stream.stream_id,
        stream_event_id: newId("sev"),
        seq_no: this.#head.head_seq_no + 1,
        previous_event_hash: this.#head.head_event_hash,
        received_at: this.receivedAt,
        payload_salt: Buffer.from(randomBytes(SALT_BYTES)).toString("hex"),
      };
      const row = placeRow(event, place, event.payloadText);
      const { occurredAtUtc, status } = event;
      this.#placed.push({ row, context: { tenantId, actor, occurredAtUtc, sourceTimezone, eventLogNo, status } });
      this.#head = { head_seq_no: row.seq_no, head_event_hash: row.event_hash };
    }
  }
}

function hexOf(signature: Uint8Array | undefined): SignatureHex {
  if (signature?.length !== SIGNATURE_BYTES) throw new Error("an event has no signature");
  return Buffer.from(signature).toString("hex") as SignatureHex;
}
