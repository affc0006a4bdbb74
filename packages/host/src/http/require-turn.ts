/** Bounds how many reads may wait for their turn, in front of the answering thread and of the reading one alike. */
import { MAX_READS_WAITING } from "@svc/api/limits";
import { ServiceError } from "../errors.ts";
import { MAX_ALL_READS_WAITING } from "../limits.ts";

const RETRY_AFTER_S = 1;

/** Reads that wait, by asker. */
interface WaitingReads {
  readonly size: number;
  sizeOf(asker: string): number;
}

/** Throws `rate_limited` if the waiting reads of the asker have reached their limit. */
export function requireTurn(waiting: WaitingReads, asker: string): void {
  const most = waiting.size < MAX_ALL_READS_WAITING ? MAX_READS_WAITING : 1;
  if (waiting.sizeOf(asker) < most) return;
  throw new ServiceError(
    "rate_limited",
    `As many requests of yours wait to be read as may: ${most}. Send it again when one of them is answered.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}
