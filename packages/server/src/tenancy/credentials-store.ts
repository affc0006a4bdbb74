/** Credentials: all SQL about them. Secrets are here only as keyed hashes. */
import type { Reader, Writer } from "../store/database.ts";

export interface CredentialRow {
  readonly tenant_id: string;
  readonly principal_id: string;
  readonly principal_kind: string;
  readonly roles: string;
  readonly secret_mac: string;
  readonly expires_at: string | null;
}

export async function insertSystemKey(
  writer: Writer,
  key: { readonly id: string; readonly tenantId: string; readonly systemId: string; readonly secretMac: string },
  now: string,
): Promise<void> {
  await writer.run(
    `INSERT INTO credentials (credential_id, tenant_id, principal_id, kind, secret_mac, created_at)
     VALUES ($1, $2, $3, 'system_key', $4, $5)`,
    key.id,
    key.tenantId,
    key.systemId,
    key.secretMac,
    now,
  );
}

/** A credential in force with its principal, null where there is none or either has been shut off. */
export function findCredential(reader: Reader, credentialId: string): Promise<CredentialRow | null> {
  return reader.first<CredentialRow>(
    `SELECT c.tenant_id, c.principal_id, p.kind AS principal_kind, p.roles, c.secret_mac, c.expires_at
     FROM credentials c JOIN principals p ON p.tenant_id = c.tenant_id AND p.principal_id = c.principal_id
     WHERE c.credential_id = $1 AND c.revoked_at IS NULL AND p.disabled_at IS NULL`,
    credentialId,
  );
}
