/** Whole rows of endorsements as they stand in the database, for checking them: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Endorsements with the columns by which they are found. */
export function rawEndorsements(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM key_endorsements ORDER BY endorser_kid");
}
