/** Rows of remembered requests that a file lacks: what nobody remembers is recorded twice. */
import { serviceTime } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import { firstRecordNo, oldestRecordFrom, type RecordGap, recordGaps } from "./store.ts";

const MOST = 20;
/** Around the age at which records are forgotten, those of one commit can differ. */
const EDGE_MS = 3_600_000;

/** Resolves to the gaps that forgetting has not made, 20 at most. The database must be an embedded one. */
export function missingRecords(database: Pick<Database, "read">): Promise<RecordGap[]> {
  return database.read(async (reader) => {
    const [first, oldest] = [await firstRecordNo(reader), await oldestRecordFrom(reader, "")];
    if (first === null || oldest === null) return [];
    return recordGaps(reader, first === 1 ? "" : serviceTime(Date.parse(oldest) + EDGE_MS), MOST);
  });
}
