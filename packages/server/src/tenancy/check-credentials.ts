/**
 * System keys against the audit log, which says of each what it may do, until when, and whether it was revoked: a key must not come to more by a
 * change of its row. The keyed hash of its secret is bound by nothing; where it is changed the key works no more.
 */

import { difference, type Fault, type RawRow } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import { loggedOfKeys, rawSystemKeys } from "./rows-store.ts";

/** Yields what is wrong with them. */
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

/** The detail of an entry; nothing where it is no JSON. */
function detailOf({ detail }: RawRow): Detail {
  try {
    return JSON.parse(String(detail)) as Detail;
  } catch {
    return {};
  }
}
