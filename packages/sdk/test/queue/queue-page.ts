/** The functions of the queue's page for the test that drives it. */
import type { EventInput } from "../../src/index.ts";

export interface QueuePage {
  /** Opens a queue on the stream; resolves to the code of the error if that fails. */
  open(streamId: string, spool: string): Promise<string | null>;
  /** Puts events into the spool. */
  append(events: readonly EventInput[]): Promise<void>;
  /** Puts one event with a key into the spool; resolves to the code of the error if that fails. */
  appendOnce(event: EventInput, key: string): Promise<string | null>;
  /** Waits until all have receipts; resolves to their `source_ref`s, in the order of the receipts. */
  flush(): Promise<readonly string[]>;
  waiting(): { readonly events: number; readonly bytes: number; readonly lastError: string | null };
}
