/** Secrets of a deployment: stored sealed, opened when they are used, sealed anew by a rotation, and destroyed. */
import type { Database, Reader, Writer } from "../store/database.ts";
import { openSecret, SecretError, type SecretPlace, sealSecret } from "./secret-box.ts";
import type { SecretsKey } from "./secrets-key.ts";
import {
  destroySecret,
  findSecret,
  insertSecret,
  placeOf,
  replaceSecret,
  SECRETS_TABLE,
  secretsUnderOthers,
} from "./secrets-store.ts";

/** The keys of a deployment: the newest seals, and each can open. */
export interface SecretsKeys {
  /** Returns the keys, the newest first; at least one. */
  current(): readonly SecretsKey[];
  /** Reads them again from where they are kept: another process may have rotated them. */
  reload(): void;
}

/** The number of secrets that one transaction of a rotation seals anew. */
const PORTION = 100;

/** The secrets. */
export class Secrets {
  readonly #keys: SecretsKeys;

  constructor(keys: SecretsKeys) {
    this.#keys = keys;
  }

  /** Stores a secret, in a transaction of the caller. Rejects where there is one. `now`: a service time. */
  async put(writer: Writer, place: SecretPlace, secret: Uint8Array, now: string): Promise<void> {
    // A rotation ends only while nobody stores a secret: behind this lock the keys are those of before it, or of after.
    await writer.lockTable(SECRETS_TABLE.name);
    this.#keys.reload();
    const key = newest(this.#keys.current());
    await insertSecret(writer, place, key.kid, sealSecret(key, place, secret), now);
  }

  /** Resolves to a secret; null for one that was never stored, or was destroyed. Rejects with SecretError. */
  async get(reader: Reader, place: SecretPlace): Promise<Buffer | null> {
    const row = await findSecret(reader, place);
    if (row?.sealed == null) return null;
    try {
      return openSecret(this.#keys.current(), place, row.sealed);
    } catch (error) {
      if (!(error instanceof SecretError && error.fault === "key_missing")) throw error;
      this.#keys.reload();
      return openSecret(this.#keys.current(), place, row.sealed);
    }
  }

  /** Destroys a secret, in a transaction of the caller. Resolves to whether there was one. `now`: a service time. */
  destroy(writer: Writer, place: SecretPlace, now: string): Promise<boolean> {
    return destroySecret(writer, place, now);
  }
}

/**
 * Seals all secrets under the newest key, some in a transaction, beside servers that use them. Resolves to their
 * number. Rejects with SecretError for one that no key opens; those before it stay sealed anew. `finish`: gives up the
 * other keys; it is called when no secret is under one, and while none can be stored.
 */
export async function sealAllAnew(
  database: Database,
  keys: readonly SecretsKey[],
  finish: () => void,
): Promise<number> {
  const key = newest(keys);
  for (let count = 0; ; ) {
    const rows = await database.read((reader) => secretsUnderOthers(reader, key.kid, PORTION));
    if (rows.length === 0) {
      if (await finished(database, key.kid, finish)) return count;
      continue;
    }
    count += await database.write(
      async (writer) => {
        let replaced = 0;
        for (const row of rows) {
          const [place, sealed] = [placeOf(row), row.sealed ?? ""];
          const anew = sealSecret(key, place, openSecret(keys, place, sealed));
          // Another process may have destroyed it, or sealed it anew.
          if (await replaceSecret(writer, place, sealed, key.kid, anew)) replaced += 1;
        }
        return replaced;
      },
      { isLocking: true },
    );
  }
}

/** Finishes a rotation, and resolves to whether it did: not where a secret was stored under another key meanwhile. */
function finished(database: Database, kid: string, finish: () => void): Promise<boolean> {
  return database.write(
    async (writer) => {
      await writer.lockTable(SECRETS_TABLE.name);
      if ((await secretsUnderOthers(writer, kid, 1)).length > 0) return false;
      finish();
      return true;
    },
    { isLocking: true },
  );
}

function newest(keys: readonly SecretsKey[]): SecretsKey {
  const [first] = keys;
  if (first === undefined) throw new RangeError("there is no key to seal secrets with");
  return first;
}
