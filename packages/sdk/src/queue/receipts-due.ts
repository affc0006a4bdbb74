/**
 * The receipts that somebody still waits for. Events are put into the spool in groups, and the handles that a program
 * holds share their group: only a group with a live handle takes memory, however many events wait.
 */
import type { ReceiptRecord, RedactedRecord } from "@svc/core";
import type { QueueError } from "./queue-error.ts";
import { type Settleable, settleable } from "./settleable.ts";

/** The receipt of a queued event; redacted if the payload was erased before a repeated batch was answered. */
export type QueuedReceipt = ReceiptRecord | RedactedRecord;

/** An event that waits in a queue. */
export interface QueuedEvent {
  /** Its position in the queue: 1 for the first event that the spool ever held. It is no `seq_no`. */
  readonly position: number;
  /**
   * The receipt, once the event is durable with the service. Rejects with QueueError `event_discarded`, and with
   * `queue_closed` if the queue is closed first (the event then stays in its spool). A receipt that nobody asks for is
   * not kept.
   */
  readonly receipt: Promise<QueuedReceipt>;
}

type Outcome = QueuedReceipt | QueueError;

type Asked = Settleable<QueuedReceipt>;

/** Dead entries are looked for only above this number of entries. */
const FIRST_SWEEP = 1024;

/** Events that were put into the spool together. */
class Group {
  readonly first: number;
  readonly last: number;
  /** Outcomes by position. */
  readonly #outcomes = new Map<number, Outcome>();
  readonly #asked = new Map<number, Asked>();
  /** Keeps the group alive while somebody waits for it. */
  readonly #hold: (group: Group) => void;

  constructor(first: number, last: number, hold: (group: Group) => void) {
    this.first = first;
    this.last = last;
    this.#hold = hold;
  }

  receiptOf(position: number): Promise<QueuedReceipt> {
    let asked = this.#asked.get(position);
    if (asked === undefined) {
      asked = settleable();
      // A caller that asked gets the rejection. A caller that stopped looking must not end the process.
      asked.promise.catch(() => undefined);
      this.#asked.set(position, asked);
      const outcome = this.#outcomes.get(position);
      if (outcome === undefined) this.#hold(this);
      else tell(asked, outcome);
    }
    return asked.promise;
  }

  take(position: number, outcome: Outcome): void {
    if (this.#outcomes.has(position)) return;
    this.#outcomes.set(position, outcome);
    const asked = this.#asked.get(position);
    if (asked !== undefined) tell(asked, outcome);
  }
}

class Ticket implements QueuedEvent {
  readonly position: number;
  readonly #group: Group;

  constructor(position: number, group: Group) {
    this.position = position;
    this.#group = group;
  }

  get receipt(): Promise<QueuedReceipt> {
    return this.#group.receiptOf(this.position);
  }
}

export class ReceiptsDue {
  /** In the order of positions. */
  #groups: { readonly last: number; readonly group: WeakRef<Group> }[] = [];
  readonly #held = new Set<Group>();
  #sweepAt = FIRST_SWEEP;

  /** Returns handles for events that were put into the spool together. */
  issue(first: number, last: number): QueuedEvent[] {
    const group = new Group(first, last, (asked) => this.#held.add(asked));
    this.#groups.push({ last, group: new WeakRef(group) });
    if (this.#groups.length >= this.#sweepAt) {
      this.#groups = this.#groups.filter((entry) => entry.group.deref() !== undefined);
      this.#sweepAt = Math.max(FIRST_SWEEP, 2 * this.#groups.length);
    }
    return Array.from({ length: last - first + 1 }, (_, index) => new Ticket(first + index, group));
  }

  /** Settles the events of some positions; `outcomeOf` returns the outcome of a position. */
  settle(first: number, last: number, outcomeOf: (position: number) => Outcome): void {
    let settled = 0;
    for (const entry of this.#groups) {
      const group = entry.group.deref();
      if (group !== undefined) {
        for (let at = Math.max(first, group.first); at <= Math.min(last, group.last); at++)
          group.take(at, outcomeOf(at));
        if (group.last <= last) this.#held.delete(group);
      }
      if (entry.last > last) break;
      settled += 1;
    }
    this.#groups.splice(0, settled);
  }

  /** Settles all remaining events with one outcome. */
  settleAll(outcome: QueueError): void {
    this.settle(0, Number.POSITIVE_INFINITY, () => outcome);
  }
}

function tell(asked: Asked, outcome: Outcome): void {
  if (outcome instanceof Error) asked.reject(outcome);
  else asked.resolve(outcome);
}
