/**
 * The table of sealed secrets: all SQL about it. A secret that is given up loses its text, and the row stays, so that
 * nobody takes its place.
 */
import type { Reader, Writer } from "../store/database.ts";
import type { Migration } from "../store/migrate.ts";
import { administrationTable } from "../store/table.ts";
import type { SecretPlace } from "./secret-box.ts";

/** A stored secret. */
export interface SecretRow {
  readonly tenant_id: string;
  readonly kind: string;
  readonly object_id: string;
  readonly object_version: number;
  /** The key under which it is sealed. */
  readonly kid: string;
  /** Null once it was destroyed. */
  readonly sealed: string | null;
  readonly created_at: string;
  readonly destroyed_at: string | null;
}

/** The table. */
export const SECRETS_TABLE = administrationTable("secrets", "tenant_id", "kind", "object_id", "object_version");

/** Returns the migration that makes the table. */
export function makeSecrets(version: number): Migration {
  return {
    version,
    name: "secrets",
    sql: `
CREATE TABLE secrets (
  tenant_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_id TEXT NOT NULL,
  object_version BIGINT NOT NULL,
  kid TEXT NOT NULL,
  sealed TEXT,
  created_at TEXT NOT NULL,
  destroyed_at TEXT,
  PRIMARY KEY (tenant_id, kind, object_id, object_version),
  CHECK ((sealed IS NULL) = (destroyed_at IS NOT NULL))
);
-- Those that a rotation has still to seal anew.
CREATE INDEX secrets_by_kid ON secrets (kid) WHERE sealed IS NOT NULL;
`,
  };
}

const COLUMNS = "tenant_id, kind, object_id, object_version, kid, sealed, created_at, destroyed_at";
const AT = "tenant_id = $1 AND kind = $2 AND object_id = $3 AND object_version = $4";

/** Returns the place of a row. */
export function placeOf({ tenant_id, kind, object_id, object_version }: SecretRow): SecretPlace {
  return { tenant: tenant_id, kind, object: object_id, version: Number(object_version) };
}

/** Stores a sealed secret. Rejects where one is in its place. `now`: a service time. */
export async function insertSecret(
  writer: Writer,
  { tenant, kind, object, version }: SecretPlace,
  kid: string,
  sealed: string,
  now: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO secrets (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, NULL)`,
    ...[tenant, kind, object, version, kid, sealed, now],
  );
}

/** Resolves to the row of a place, or null. */
export function findSecret(reader: Reader, { tenant, kind, object, version }: SecretPlace): Promise<SecretRow | null> {
  return reader.first<SecretRow>(`SELECT ${COLUMNS} FROM secrets WHERE ${AT}`, tenant, kind, object, version);
}

/** Destroys a secret. Resolves to whether there was one. `now`: a service time. */
export async function destroySecret(
  writer: Writer,
  { tenant, kind, object, version }: SecretPlace,
  now: string,
): Promise<boolean> {
  const sql = `UPDATE secrets SET sealed = NULL, destroyed_at = $5 WHERE ${AT} AND sealed IS NOT NULL`;
  return (await writer.run(sql, tenant, kind, object, version, now)) === 1;
}

/** Puts a text sealed under another key in the place of one. Resolves to false if it has changed meanwhile. */
export async function replaceSecret(
  writer: Writer,
  { tenant, kind, object, version }: SecretPlace,
  before: string,
  kid: string,
  sealed: string,
): Promise<boolean> {
  const sql = `UPDATE secrets SET kid = $5, sealed = $6 WHERE ${AT} AND sealed = $7`;
  return (await writer.run(sql, tenant, kind, object, version, kid, sealed, before)) === 1;
}

/** Resolves to the secrets that are sealed under other keys than one, in the order of their places, `most` at most. */
export function secretsUnderOthers(reader: Reader, kid: string, most: number): Promise<SecretRow[]> {
  return reader.all<SecretRow>(
    `SELECT ${COLUMNS} FROM secrets WHERE sealed IS NOT NULL AND (kid < $1 OR kid > $1)
     ORDER BY tenant_id, kind, object_id, object_version LIMIT $2`,
    kid,
    most,
  );
}

/** Resolves to the names of the keys under which secrets are sealed. */
export async function kidsOfSecrets(reader: Reader): Promise<string[]> {
  const rows = await reader.all<{ kid: string }>(
    "SELECT DISTINCT kid FROM secrets WHERE sealed IS NOT NULL ORDER BY kid",
  );
  return rows.map(({ kid }) => kid);
}

/** Resolves to the secrets behind a place, in order, `most` at most; those that were destroyed too. */
export function secretsAfter(
  reader: Reader,
  { tenant, kind, object, version }: SecretPlace,
  most: number,
): Promise<SecretRow[]> {
  return reader.all<SecretRow>(
    `SELECT ${COLUMNS} FROM secrets WHERE (tenant_id, kind, object_id, object_version) > ($1, $2, $3, $4)
     ORDER BY tenant_id, kind, object_id, object_version LIMIT $5`,
    ...[tenant, kind, object, version, most],
  );
}
