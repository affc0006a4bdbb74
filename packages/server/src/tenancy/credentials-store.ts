/** Credentials: all SQL about them. Secrets are here only as keyed hashes. */
import type { Reader, Writer } from "@svc/host/store";

/** A credential with its principal. */
export interface CredentialRow {
  readonly tenant_id: string;
  readonly principal_id: string;
  readonly principal_kind: string;
  readonly roles: string;
  readonly secret_mac: string;
  readonly expires_at: string | null;
  /** JSON text: the limits of the key; null for none. */
  readonly limits: string | null;
  readonly last_used_at: string | null;
}

/** A system key as operators see it. */
export interface ListedKey {
  readonly credential_id: string;
  readonly tenant_id: string;
  readonly principal_id: string;
  readonly limits: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

/** The hash of a secret, and the hash by which the database knows the pepper under which it is. */
export interface SecretMac {
  readonly secretMac: string;
  readonly pepperMac: string;
}

/** Inserts a system key. Both hashes: 64 hex characters; `limits`: JSON text; `expiresAt` and `now`: service times. */
export async function insertSystemKey(
  writer: Writer,
  key: SecretMac & {
    readonly id: string;
    readonly tenantId: string;
    readonly systemId: string;
    readonly limits: string | null;
    readonly expiresAt: string | null;
  },
  now: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO credentials (credential_id, tenant_id, principal_id, kind, secret_mac, pepper_mac, limits, created_at, expires_at)
     VALUES ($1, $2, $3, 'system_key', $4, $5, $6, $7, $8)`,
    key.id,
    key.tenantId,
    key.systemId,
    key.secretMac,
    key.pepperMac,
    key.limits,
    now,
    key.expiresAt,
  );
}

/**
 * Resolves to a credential that is not revoked, with its principal; null if it is missing or the principal is disabled.
 * It does not check `expires_at`.
 */
export function findCredential(reader: Reader, credentialId: string): Promise<CredentialRow | null> {
  return reader.first<CredentialRow>(
    `SELECT c.tenant_id, c.principal_id, p.kind AS principal_kind, p.roles, c.secret_mac, c.expires_at, c.limits, c.last_used_at
     FROM credentials c JOIN principals p ON p.tenant_id = c.tenant_id AND p.principal_id = c.principal_id
     WHERE c.credential_id = $1 AND c.revoked_at IS NULL AND p.disabled_at IS NULL`,
    credentialId,
  );
}

/** Notes the use of a key; a later use that was noted already stays. */
export async function touchCredential(writer: Writer, credentialId: string, now: string): Promise<void> {
  await writer.run(
    "UPDATE credentials SET last_used_at = $1 WHERE credential_id = $2 AND (last_used_at IS NULL OR last_used_at < $1)",
    now,
    credentialId,
  );
}

/** Replaces the hash of a secret by that of the same secret under another pepper, unless that is done already. */
export async function renewSecret(
  writer: Writer,
  credentialId: string,
  { secretMac, pepperMac }: SecretMac,
): Promise<void> {
  await writer.run(
    "UPDATE credentials SET secret_mac = $1, pepper_mac = $2 WHERE credential_id = $3 AND pepper_mac <> $2",
    secretMac,
    pepperMac,
    credentialId,
  );
}

/** Resolves to the keys in force at a time whose secrets are under an earlier pepper than that of now, by their ids. */
export function keysUnderEarlierPepper(
  reader: Reader,
  now: string,
): Promise<Pick<ListedKey, "credential_id" | "tenant_id">[]> {
  return reader.all<Pick<ListedKey, "credential_id" | "tenant_id">>(
    `SELECT c.credential_id, c.tenant_id FROM credentials c CROSS JOIN service s
     WHERE c.pepper_mac <> s.pepper_mac AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $1)
     ORDER BY c.credential_id`,
    now,
  );
}

/** Resolves to all system keys of the deployment, oldest first. Only the operator's own commands may call this. */
export function allSystemKeys(reader: Reader): Promise<ListedKey[]> {
  return reader.all<ListedKey>(
    `SELECT credential_id, tenant_id, principal_id, limits, created_at, expires_at, revoked_at, last_used_at FROM credentials
     WHERE kind = 'system_key' ORDER BY created_at, credential_id`,
  );
}

/** Resolves to a system key of any tenant; null for an unknown one. */
export function findSystemKey(reader: Reader, credentialId: string): Promise<ListedKey | null> {
  return reader.first<ListedKey>(
    `SELECT credential_id, tenant_id, principal_id, limits, created_at, expires_at, revoked_at, last_used_at FROM credentials
     WHERE kind = 'system_key' AND credential_id = $1`,
    credentialId,
  );
}

/** Resolves to the ids of the keys of a system that are not revoked, oldest first. */
export async function keysNotRevoked(reader: Reader, tenantId: string, systemId: string): Promise<string[]> {
  const rows = await reader.all<Pick<ListedKey, "credential_id">>(
    `SELECT credential_id FROM credentials
     WHERE kind = 'system_key' AND tenant_id = $1 AND principal_id = $2 AND revoked_at IS NULL ORDER BY credential_id`,
    tenantId,
    systemId,
  );
  return rows.map(({ credential_id }) => credential_id);
}

/** Revokes a key; it stays listed. Resolves to the number of changed rows: 0 for a key that is revoked or unknown. */
export function endCredential(writer: Writer, credentialId: string, at: string): Promise<number> {
  return writer.run(
    "UPDATE credentials SET revoked_at = $1 WHERE credential_id = $2 AND revoked_at IS NULL",
    at,
    credentialId,
  );
}

/** Ends a key at a time; an earlier end stays. Resolves to the number of changed rows. */
export function endCredentialAt(writer: Writer, credentialId: string, expiresAt: string): Promise<number> {
  return writer.run(
    `UPDATE credentials SET expires_at = $1
     WHERE credential_id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)`,
    expiresAt,
    credentialId,
  );
}
