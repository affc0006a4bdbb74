/** What an operator asks of erasure: whether the files of the database have followed. */
import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { erasuresInFiles } from "./erasures-store.ts";

const HOUR_MS = 3_600_000;

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
