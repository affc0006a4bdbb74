/** Whole rows of endorsements as the database stores them, for checking: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to the endorsements with all of their columns. */
export function rawEndorsements(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM key_endorsements ORDER BY endorser_kid");
}
