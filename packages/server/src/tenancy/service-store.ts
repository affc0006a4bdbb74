/** The deployment's own row and its public sealing keys: what is fixed at init. */
import type { Kid, PublicKeyHex, TrustPolicy } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

export interface SigningKeyRow {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly valid_from: string;
  readonly retired_at: string | null;
}

export interface ServiceRow {
  readonly evidence_origin: string;
  readonly pepper_mac: string;
}

export async function insertService(writer: Writer, origin: string, pepperMac: string, now: string): Promise<void> {
  const sql = "INSERT INTO service (service_no, evidence_origin, pepper_mac, created_at) VALUES (1, $1, $2, $3)";
  await writer.run(sql, origin, pepperMac, now);
}

/** What is fixed for the deployment; null for a database in which none was made. */
export function serviceRow(reader: Reader): Promise<ServiceRow | null> {
  return reader.first<ServiceRow>("SELECT evidence_origin, pepper_mac FROM service");
}

export async function insertSigningKey(
  writer: Writer,
  key: Pick<SigningKeyRow, "kid" | "public_key_hex" | "valid_from">,
): Promise<void> {
  await writer.run(
    "INSERT INTO signing_keys (kid, public_key_hex, valid_from) VALUES ($1, $2, $3)",
    key.kid,
    key.public_key_hex,
    key.valid_from,
  );
}

/** Current and past sealing keys, newest first. */
export function signingKeys(reader: Reader): Promise<SigningKeyRow[]> {
  return reader.all<SigningKeyRow>(
    "SELECT kid, public_key_hex, valid_from, retired_at FROM signing_keys ORDER BY valid_from DESC, kid",
  );
}

/** Whether it is this key, and it sealed at that time: both ends of its time included, since one millisecond holds many seals. */
export function sealedAt({ kid, valid_from, retired_at }: SigningKeyRow, time: string, sealedBy: string): boolean {
  return kid === sealedBy && valid_from <= time && (retired_at === null || time <= retired_at);
}

/** The key that seals; null where there is none, or more than one. */
export async function currentSigningKey(reader: Reader): Promise<SigningKeyRow | null> {
  const rows = await reader.all<SigningKeyRow>(
    "SELECT kid, public_key_hex, valid_from, retired_at FROM signing_keys WHERE retired_at IS NULL",
  );
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** Ends a key that seals now; answers how many rows that changed. */
export function retireSigningKey(writer: Writer, kid: Kid, at: string): Promise<number> {
  return writer.run("UPDATE signing_keys SET retired_at = $1 WHERE kid = $2 AND retired_at IS NULL", at, kid);
}

/** Trust in this service's own keys and in nobody else: what it verifies evidence under. */
export async function ownTrust(reader: Reader, origin: string): Promise<TrustPolicy> {
  const keys = await signingKeys(reader);
  return { signers: keys.map(({ kid, public_key_hex }) => ({ kid, public_key_hex, origin })) };
}
