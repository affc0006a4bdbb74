/** The deployment's own row and its public sealing keys: what is fixed at init. */
import type { Kid, PublicKeyHex } from "@svc/core";
import type { Reader, Writer } from "../store/database.ts";

export interface SigningKeyRow {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly valid_from: string;
  readonly retired_at: string | null;
}

export async function insertService(writer: Writer, origin: string, now: string): Promise<void> {
  await writer.run("INSERT INTO service (service_no, evidence_origin, created_at) VALUES (1, $1, $2)", origin, now);
}

/** The evidence origin; null for a database in which no deployment was made. */
export async function evidenceOrigin(reader: Reader): Promise<string | null> {
  const row = await reader.first<{ evidence_origin: string }>("SELECT evidence_origin FROM service");
  return row?.evidence_origin ?? null;
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
