/**
 * Checks system keys against the audit log, which records the limits, the end and the revocation of each: a change of a
 * key's row must not give it more rights. Nothing binds the keyed hash of its secret; a key whose hash is changed no
 * longer works.
 */

import { difference, type Fault, type RawRow } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import { loggedOfKeys, rawSystemKeys } from "./rows-store.ts";

/** Yields the faults of all system keys. */
export async function* checkCredentials(database: Pick<Database, "read">): AsyncGenerator<Fault> {
  const { keys, logged } = await database.read(async (reader) => ({
    keys: await rawSystemKeys(reader),
    logged: await loggedOfKeys(reader),
  }));
  for (const key of keys) {
    const row = { credential_id: key.credential_id ?? null };
    const said = logged.filter(({ object_id }) => object_id === key.credential_id);
    const created = said.find(({ action }) => action === "system_key.created");
    if (created === undefined) {
      yield { table: "credentials", row, fault: "the audit log does not say that it was made" };
      continue;
    }
    const { limits, system_id } = detailOf(created);
    const ends = said.map((one) => detailOf(one).expires_at).filter((end) => typeof end === "string");
    const fault = difference("credentials", row, key, {
      tenant_id: created.tenant_id ?? null,
      principal_id: system_id ?? null,
      created_at: created.at ?? null,
      limits: limits === null || limits === undefined ? null : JSON.stringify(limits),
      expires_at: ends.sort()[0] ?? null,
      revoked_at: said.find(({ action }) => action === "system_key.revoked")?.at ?? null,
    });
    if (fault !== null) yield fault;
  }
}

interface Detail {
  readonly limits?: object | null;
  readonly system_id?: string;
  readonly expires_at?: string | null;
}

/** Returns the detail of an entry; empty if it is no JSON. */
function detailOf({ detail }: RawRow): Detail {
  try {
    return JSON.parse(String(detail)) as Detail;
  } catch {
    return {};
  }
}
