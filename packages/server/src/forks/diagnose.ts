/** The operator's question about forks: whether evidence is kept, however long ago it was found. */
import { type Finding, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { allForks } from "./forks-store.ts";

/** The most pieces that are counted. */
export const MAX_COUNTED = 1000;

/** Resolves to the finding about forks. */
export function diagnoseForks({ read }: DiagnoseContext): Promise<Finding[]> {
  return read("forks", async (reader) => {
    const { count, newestStream } = await allForks(reader, MAX_COUNTED);
    if (count === 0) return [ok("forks", "no evidence of a fork is kept")];
    const where =
      newestStream === null
        ? "the service log (GET /v2/forks)"
        : `${newestStream} (GET /v2/streams/${newestStream}/forks)`;
    return [
      warn(
        "forks",
        `${count === MAX_COUNTED ? `${count} or more` : count} pieces of evidence are kept, the newest about ` +
          `${where}: signed statements that cannot all hold, or a promise that was not kept. Every verifier ` +
          `rejects bundles with it. It is an incident, and is never deleted.`,
      ),
    ];
  });
}
