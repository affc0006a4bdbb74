/** Key endorsements as they were sealed (protocol section 4): all SQL about them. */
import { decode, type Kernel, type KeyEndorsement } from "@svc/core";
import type { Reader, Writer } from "@svc/host/store";

/**
 * Stores an endorsement of one of the deployment's own keys by another. Rejects if its endorser has endorsed a key
 * already.
 */
export async function insertKeyEndorsement(writer: Writer, endorsement: KeyEndorsement, now: string): Promise<void> {
  await writer.run(
    "INSERT INTO key_endorsements (endorser_kid, endorsed_kid, document, created_at) VALUES ($1, $2, $3, $4)",
    endorsement.seal.kid,
    endorsement.endorsed_kid,
    JSON.stringify(endorsement),
    now,
  );
}

/**
 * Resolves to all endorsements, the oldest first. Rejects with Error for a stored one that does not have the protocol's
 * form. It does not verify signatures.
 */
export async function keyEndorsements(reader: Reader, kernel: Kernel): Promise<KeyEndorsement[]> {
  const rows = await reader.all<{ endorser_kid: string; document: string }>(
    "SELECT endorser_kid, document FROM key_endorsements ORDER BY created_at, endorser_kid",
  );
  return rows.map(({ endorser_kid, document }) => {
    const decoded = decode(kernel, Buffer.from(document));
    if (!decoded.ok || decoded.kind !== "key")
      throw new Error(`the endorsement by ${endorser_kid} is not in the form of one: the database was changed`);
    return decoded.value as KeyEndorsement;
  });
}
