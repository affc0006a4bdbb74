/** The operator's question about erasure: whether the files of the database have forgotten the payloads. */
import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { erasuresInFiles } from "./erasures-store.ts";

const HOUR_MS = 3_600_000;

/** Resolves to a warning if a payload that was erased an hour ago may still be in the files. */
export function diagnoseErasures({ read, now }: DiagnoseContext): Promise<Finding[]> {
  return read("erasures", async (reader) => {
    const erasures = await erasuresInFiles(reader, serviceTime(now - HOUR_MS));
    return erasures > 0
      ? [
          warn(
            "erasures",
            `${erasures} payloads are still in old pages of the files. Start the server: it clears them.`,
          ),
        ]
      : [ok("erasures", "none waits for the files to be cleared")];
  });
}
