/** Whole rows of system keys as the database stores them, for checking: all SQL about it. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to the system keys, in order of their ids. */
export function rawSystemKeys(reader: Reader): Promise<RawRow[]> {
  return reader.all("SELECT * FROM credentials WHERE kind = 'system_key' ORDER BY credential_id");
}

/** Resolves to the entries of the audit log about system keys, in order. */
export function loggedOfKeys(reader: Reader): Promise<RawRow[]> {
  return reader.all(
    `SELECT l.tenant_id, l.at, l.action, l.object_id, l.detail FROM credentials c
     JOIN access_log l ON l.object_id = c.credential_id WHERE c.kind = 'system_key' ORDER BY l.access_id`,
  );
}

/** Resolves to the system keys that are in force now and end before a time. */
export function expiringKeys(
  reader: Reader,
  now: string,
  before: string,
): Promise<{ credential_id: string; expires_at: string }[]> {
  return reader.all(
    `SELECT credential_id, expires_at FROM credentials
     WHERE kind = 'system_key' AND revoked_at IS NULL AND expires_at > $1 AND expires_at <= $2 ORDER BY expires_at`,
    now,
    before,
  );
}
