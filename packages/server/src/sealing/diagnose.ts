/** The operator's question about sealing: whether it falls behind. */
import { type Finding, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { openMessages, uncheckpointedWindows, unwindowedEvents } from "./backlog-store.ts";

const MANY_ATTEMPTS = 5;
/** A sealer that keeps up leaves fewer windows behind in one round. */
const MANY_WINDOWS = 1_000;

/** Resolves to the findings about the sealer and the outbox. */
export function diagnoseSealing({ read }: DiagnoseContext): Promise<Finding[]> {
  return read("sealer", async (reader) => {
    const [events, windows] = [await unwindowedEvents(reader), await uncheckpointedWindows(reader)];
    const { open, attempts, last_error } = await openMessages(reader);
    const sealer = `${events} events without a window, ${windows} windows without a checkpoint`;
    return [
      windows > MANY_WINDOWS
        ? warn("sealer", `${sealer}. Look for errors in the log: a running server catches up by itself.`)
        : ok("sealer", sealer),
      attempts >= MANY_ATTEMPTS
        ? warn("outbox", `${open} messages wait, one after ${attempts} attempts: ${last_error ?? "no error"}.`)
        : ok("outbox", `${open} messages wait`),
    ];
  });
}
