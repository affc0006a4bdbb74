/** The deployment's own row and its public sealing keys: all SQL about them. */
import type { Kid, PublicKeyHex, TrustPolicy } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

/** The public half of a sealing key, and the time in which it seals; `retired_at` is null for the current one. */
export interface SigningKeyRow {
  readonly kid: Kid;
  readonly public_key_hex: PublicKeyHex;
  readonly valid_from: string;
  readonly retired_at: string | null;
}

/** The values that are fixed for the deployment at init. */
export interface ServiceRow {
  readonly evidence_origin: string;
  readonly pepper_mac: string;
}

/** Inserts the deployment's row; a database holds one at most. `pepperMac`: a keyed hash of the empty text. */
export async function insertService(writer: Writer, origin: string, pepperMac: string, now: string): Promise<void> {
  const sql = "INSERT INTO service (service_no, evidence_origin, pepper_mac, created_at) VALUES (1, $1, $2, $3)";
  await writer.run(sql, origin, pepperMac, now);
}

/** Resolves to the deployment's row; null for a database without a deployment. */
export function serviceRow(reader: Reader): Promise<ServiceRow | null> {
  return reader.first<ServiceRow>("SELECT evidence_origin, pepper_mac FROM service");
}

/** The pepper under which some stored hashes may still be. */
export interface EarlierPepper {
  /** The hash by which the database knew it. */
  readonly mac: string;
  /** The time of the rotation: no repeatable request that was stored under it is younger. */
  readonly rotated_at: string;
}

/** Resolves to the pepper before that of now; null where nothing can be under another one. */
export async function earlierPepper(reader: Reader): Promise<EarlierPepper | null> {
  return reader.first<EarlierPepper>(
    `SELECT earlier_pepper_mac AS mac, pepper_rotated_at AS rotated_at FROM service
     WHERE earlier_pepper_mac IS NOT NULL`,
  );
}

/** Makes another pepper that of now; the one of before becomes the earlier one. Resolves to the changed rows. */
export function switchPepper(writer: Writer, from: string, to: string, at: string): Promise<number> {
  return writer.run(
    `UPDATE service SET pepper_mac = $1, earlier_pepper_mac = $2, pepper_rotated_at = $3
     WHERE pepper_mac = $2 AND earlier_pepper_mac IS NULL`,
    to,
    from,
    at,
  );
}

/** Notes that nothing is needed under an earlier pepper any more. */
export async function forgetEarlierPepper(writer: Writer, { mac }: EarlierPepper): Promise<void> {
  await writer.run("UPDATE service SET earlier_pepper_mac = NULL WHERE earlier_pepper_mac = $1", mac);
}

/** Inserts a sealing key that is current from `valid_from` on. */
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

/** Resolves to current and past sealing keys, newest first. */
export function signingKeys(reader: Reader): Promise<SigningKeyRow[]> {
  return reader.all<SigningKeyRow>(
    "SELECT kid, public_key_hex, valid_from, retired_at FROM signing_keys ORDER BY valid_from DESC, kid",
  );
}

/**
 * Returns whether `sealedBy` is this key, and the key sealed at that time. Both ends of its time are included, since
 * one millisecond holds many seals.
 */
export function sealedAt({ kid, valid_from, retired_at }: SigningKeyRow, time: string, sealedBy: string): boolean {
  return kid === sealedBy && valid_from <= time && (retired_at === null || time <= retired_at);
}

const CURRENT_KEY = "SELECT kid, public_key_hex, valid_from, retired_at FROM signing_keys WHERE retired_at IS NULL";

/** Resolves to the key that seals; null without one, or with several. */
export async function currentSigningKey(reader: Reader): Promise<SigningKeyRow | null> {
  return theOne(await reader.all<SigningKeyRow>(CURRENT_KEY));
}

/**
 * Resolves to the key that seals, and keeps it from being retired until this transaction ends: `share` for one that
 * seals with it, `update` for one that retires it, which thereby waits for all that still seal. Null without a key, or
 * with several.
 */
export async function lockSigningKey(writer: Writer, mode: "share" | "update"): Promise<SigningKeyRow | null> {
  // Transactions that seal could follow each other for ever: the table's own lock is given in the order of asking.
  if (mode === "update") await writer.lockTable("signing_keys");
  const locked = () => writer.all<SigningKeyRow>(`${CURRENT_KEY} ${writer.locking("signing_keys", mode)}`);
  const rows = await locked();
  // A statement that waited for a rotation finds the old key retired, and was begun before there was a new one.
  return theOne(rows.length === 0 ? await locked() : rows);
}

function theOne(rows: readonly SigningKeyRow[]): SigningKeyRow | null {
  return rows.length === 1 ? (rows[0] ?? null) : null;
}

/** Ends the current sealing key. Resolves to the number of changed rows. */
export function retireSigningKey(writer: Writer, kid: Kid, at: string): Promise<number> {
  return writer.run("UPDATE signing_keys SET retired_at = $1 WHERE kid = $2 AND retired_at IS NULL", at, kid);
}

/** Resolves to a policy that trusts this service's own keys and nobody else: the service verifies evidence under it. */
export async function ownTrust(reader: Reader, origin: string): Promise<TrustPolicy> {
  const keys = await signingKeys(reader);
  return { signers: keys.map(({ kid, public_key_hex }) => ({ kid, public_key_hex, origin })) };
}
