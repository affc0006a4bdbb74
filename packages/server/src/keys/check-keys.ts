/**
 * Checks the sealing keys: each has the identifier of its public key, endorsements lead from each to the next, and each
 * sealed only in its time.
 */
import { type Kernel, type KeyEndorsement, kidOf, verify } from "@svc/core";
import type { RawRow } from "@svc/host/checks";
import { difference, type Fault } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { type SigningKeyRow, sealedAt } from "../signing/service-store.ts";
import { checkTrust } from "./check-trust.ts";
import { rawEndorsements } from "./rows-store.ts";

/**
 * Yields the faults of the keys, given newest first. It does not verify the signatures of endorsements; `checkKeys`
 * lets core do that.
 */
function* keyFaults(kernel: Kernel, keys: readonly SigningKeyRow[], endorsements: readonly RawRow[]): Generator<Fault> {
  if (keys.length === 0) yield { table: "signing_keys", row: {}, fault: "no key is there" };
  let successor: SigningKeyRow | null = null;
  for (const key of keys) {
    const row = { kid: key.kid };
    const { kid, public_key_hex } = key;
    const expected: string = kidOf(kernel, public_key_hex);
    if (kid !== expected) yield { table: "signing_keys", row, fault: `the key's identifier is ${expected}` };
    const fault = difference("signing_keys", row, key, {
      retired_at: successor?.valid_from ?? null,
    });
    if (fault !== null) yield fault;
    if (successor !== null) yield* endorsementFaults(kernel, key, successor, endorsements);
    successor = key;
  }
  if (endorsements.length !== keys.length - 1)
    yield {
      table: "key_endorsements",
      row: {},
      fault: `there are ${endorsements.length} for ${keys.length} keys`,
    };
}

function* endorsementFaults(
  kernel: Kernel,
  key: SigningKeyRow,
  successor: SigningKeyRow,
  endorsements: readonly RawRow[],
): Generator<Fault> {
  const row = endorsements.find(({ endorser_kid }) => endorser_kid === key.kid);
  const parsed = row === undefined ? null : kernel.parseJson(Buffer.from(String(row.document)));
  if (row === undefined || parsed === null || !parsed.ok) {
    yield {
      table: "key_endorsements",
      row: { endorser_kid: key.kid },
      fault: "is missing, or its document is not JSON",
    };
    return;
  }
  const { seal, endorsed_kid, valid_from, public_key_hex } = parsed.value as KeyEndorsement;
  const fault = difference(
    "key_endorsements",
    { endorser_kid: key.kid },
    { ...row, seal_kid: seal?.kid, valid_from, public_key_hex, document_kid: endorsed_kid },
    {
      seal_kid: key.kid,
      endorsed_kid: successor.kid,
      document_kid: successor.kid,
      valid_from: successor.valid_from,
      public_key_hex: successor.public_key_hex,
    },
  );
  if (fault !== null) yield fault;
}

/** Returns the fault of a seal made by a key at a time, or null. */
export function sealFault(keys: readonly SigningKeyRow[], kid: string | undefined, time: string): string | null {
  if (keys.some((key) => sealedAt(key, time, kid ?? ""))) return null;
  return `sealed by ${kid} at ${time}, when that was not the sealing key`;
}

/** Yields the faults of the sealing keys and their endorsements. */
export async function* checkKeys({ database, kernel, origin, signer }: CheckContext): AsyncGenerator<Fault> {
  // One snapshot holds the keys and the endorsements between them: they change together.
  const { keys, trust, endorsements } = await database.read(async (reader) => ({
    ...(await checkTrust(reader, origin, signer)),
    endorsements: await rawEndorsements(reader),
  }));
  for (const { endorser_kid, document } of endorsements) {
    const [problem] = verify(Buffer.from(String(document)), { trust, kernel }).problems;
    if (problem !== undefined)
      yield {
        table: "key_endorsements",
        row: { id: endorser_kid ?? null },
        fault: `${problem.code} at ${problem.path}: ${problem.message}`,
      };
  }
  yield* keyFaults(kernel, keys, endorsements);
}
