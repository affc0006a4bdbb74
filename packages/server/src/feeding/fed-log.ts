/**
 * Logs whose notes outside witnesses cosign: a stream's checkpoints, or any other tree of this service under a separate
 * origin. A log says what is to be cosigned, and keeps what comes back; how it is sent is feeder.ts's alone.
 */
import type { NodeHash, SignatureHex } from "@svc/core";
import type { OutboxMessage } from "@svc/host/jobs";
import type { Reader, Writer } from "@svc/host/store";
import type { FedWitness } from "./fed-witness.ts";

/** The message by which a note reaches a witness: its subject is the note's origin. */
export type FeedMessage = Pick<OutboxMessage, "tenant_id" | "stream_id" | "subject">;

/** A signed note that a witness is to cosign. */
export interface FedNote {
  readonly origin: string;
  readonly treeSize: number;
  /** The whole signed note. */
  readonly note: string;
  /** The size that the witness has probably cosigned last; one of which the log knows the tree. */
  readonly probableSize: number;
  /** The times at which a cosignature counts, in Unix seconds, both included; null for no end. */
  readonly notBefore: number;
  readonly notAfter: number | null;
}

/** A cosignature that holds. */
export interface Cosigned {
  /** Unix seconds. */
  readonly cosignedAt: number;
  readonly signature: SignatureHex;
}

/** A kind of log. */
export interface FedLog<Note extends FedNote = FedNote> {
  /** Its name in messages. */
  readonly name: string;
  /**
   * Resolves to the newest note of a message's origin; null if the witness has nothing to cosign there, or nothing
   * more.
   */
  newest(reader: Reader, message: FeedMessage, witness: FedWitness): Promise<Note | null>;
  /**
   * Resolves to the consistency proof from a tree of `fromSize` leaves, at least 1 and fewer than the note's, to the
   * note's (RFC 6962 section 2.1.2); null if the log knows no such tree.
   */
  prove(reader: Reader, note: Note, fromSize: number): Promise<readonly NodeHash[] | null>;
  /** Keeps a cosignature, in the transaction that ends its message. */
  keep(writer: Writer, message: FeedMessage, note: Note, cosigned: Cosigned): Promise<void>;
  /** Called after that transaction. */
  onKept(note: Note): void;
}
