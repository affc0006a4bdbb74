/** The operator's question about the service log: whether it falls behind. */
import { type Finding, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { logFigures } from "./figures.ts";

/** A log that keeps up publishes each checkpoint sooner, unless its interval is longer. */
const LATE_MS = 3_600_000;

/** Resolves to the finding about the service log. */
export function diagnoseServiceLog({ read, now }: DiagnoseContext): Promise<Finding[]> {
  return read("service log", async (reader) => {
    const { size, newestEpoch, unpublishedSince, takesUp, closedAt } = await logFigures(reader);
    const epoch =
      newestEpoch === null
        ? "no epoch"
        : `epoch ${newestEpoch.epochNo} of ${newestEpoch.anchoredAt} covers ${newestEpoch.logSize}`;
    const state = `${size} checkpoints, ${epoch}`;
    if (closedAt !== null)
      return [
        warn(
          "service log",
          `${state}. Epochs ended at ${closedAt}, when lost evidence was accepted: nothing more is published ` +
            `under this origin.`,
        ),
      ];
    if (takesUp)
      return [ok("service log", `${state}. The running server takes up the checkpoints of earlier releases`)];
    if (unpublishedSince !== null && now - Date.parse(unpublishedSince) > LATE_MS)
      return [
        warn(
          "service log",
          `${state}; a checkpoint of ${unpublishedSince} is not published. Look for errors in the log: a running ` +
            `server catches up by itself, and SVC_EPOCH_INTERVAL_MS says how often it publishes.`,
        ),
      ];
    return [ok("service log", state)];
  });
}
