/** What the page of the queue offers to the test that drives it. */
import type { EventInput } from "../../src/index.ts";

export interface QueuePage {
  /** Opens a queue on the stream; answers the code of the error where that fails. */
  open(streamId: string, spool: string): Promise<string | null>;
  /** Puts events into the spool. */
  append(events: readonly EventInput[]): Promise<void>;
  /** Puts one event with a key into the spool; answers the code of the error where that fails. */
  appendOnce(event: EventInput, key: string): Promise<string | null>;
  /** Waits until all have receipts; answers their `source_ref`s as they were told. */
  flush(): Promise<readonly string[]>;
  waiting(): { readonly events: number; readonly bytes: number; readonly lastError: string | null };
}
