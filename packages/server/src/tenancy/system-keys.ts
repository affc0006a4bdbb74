/**
 * System keys: texts `svc_sk_<26 characters>_<43 characters>`, made once and never stored. This file finds the owner of
 * a key; each capability decides what that principal may do.
 */

import { randomBytes } from "node:crypto";
import type { RecordChange } from "@svc/host/administration";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import type { FoundKey } from "@svc/host/http";
import { equalHashes } from "@svc/host/keyed-hash";
import { part } from "@svc/host/parts";
import { perContext } from "@svc/host/per-context";
import type { KeyLimits, Principal } from "@svc/host/principal";
import type { Writer } from "@svc/host/store";
import type { AnsweringContext, Context } from "../context.ts";
import { newId } from "../ids.ts";
import { recordBeside } from "./administration.ts";
import { findCredential, insertSystemKey, renewSecret, type SecretMac, touchCredential } from "./credentials-store.ts";
import { systemKeyCreated } from "./events.ts";

const SECRET_BYTES = 32;
const KEY = /^svc_sk_([0-7][0-9abcdefghjkmnpqrstvwxyz]{25})_([A-Za-z0-9_-]{43})$/;
/** Compared if there is no such credential, so that both refusals take the same work. */
const NO_MAC = "0".repeat(64);

/** An id that no key has: the latest possible one. */
const NO_KEY = `key_${"z".repeat(26)}`;

/** The precision at which the last use of a key is stored. */
const LAST_USED_MS = 60_000;

/** A key to be made. */
export interface NewKey {
  readonly tenantId: string;
  readonly systemId: string;
  readonly limits?: KeyLimits | null;
  /** A service time; null for none. */
  readonly expiresAt?: string | null;
}

/** The notes of the uses of keys. */
export interface KeyUses {
  /**
   * Notes that a key was used at a service time. `renewed`: the hash of its secret under the pepper of now, to be
   * stored in the place of one under an earlier pepper; null for none. Rejects with the errors of the store.
   */
  note(keyId: string, usedAt: string, renewed: SecretMac | null): Promise<void>;
}

/** Returns the notes of a database. */
export function keyUsesOf({ database }: Pick<Context, "database">): KeyUses {
  return {
    note: (keyId, usedAt, renewed) =>
      database.write(async (writer) => {
        await touchCredential(writer, keyId, usedAt);
        if (renewed !== null) await renewSecret(writer, keyId, renewed);
      }),
  };
}

/** The notes, as others call them. */
export const keyUsesPart = part<Context, KeyUses>("uses of keys", keyUsesOf);

/** The capabilities with which keys are found. */
export interface SystemKeysContext extends Pick<AnsweringContext, "database" | "clock" | "keyedHash"> {
  readonly uses: KeyUses;
}

/** Makes system keys, and finds the owner of a presented one. */
export class SystemKeys {
  readonly #context: SystemKeysContext;
  readonly #beingNoted = new Set<string>();
  /** A key that was valid at its last use; NO_KEY before the first use. */
  #inForce = NO_KEY;
  /** The results of this turn of the event loop, by header: requests that arrive together are one moment for a key. */
  readonly #found = new Map<string, Promise<FoundKey | null>>();

  constructor(context: SystemKeysContext) {
    this.#context = context;
  }

  /**
   * Makes a key for a system, in a transaction of the caller, and resolves to its text. The database never holds the
   * whole key, so nobody can read it again. `record`: records the change.
   */
  async create(
    writer: Writer,
    { tenantId, systemId, limits = null, expiresAt = null }: NewKey,
    actor: Principal,
    record: RecordChange = recordBeside(writer),
  ): Promise<string> {
    const now = serviceTime(this.#context.clock());
    const id = newId("key");
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const kept = limits === null ? null : JSON.stringify(limits);
    await insertSystemKey(writer, { id, tenantId, systemId, ...this.#storedOf(secret), limits: kept, expiresAt }, now);
    const after = { system_id: systemId, limits, expires_at: expiresAt };
    await record(actor, { type: systemKeyCreated, objectId: id, before: null, after }, now);
    return `svc_sk_${id.slice("key_".length)}_${secret}`;
  }

  /**
   * Resolves to the valid key of an Authorization header and its owner. Resolves to null for every fault of the header,
   * after the same work.
   */
  find(authorization = ""): Promise<FoundKey | null> {
    const known = this.#found.get(authorization);
    if (known !== undefined) return known;
    if (this.#found.size === 0) setImmediate(() => this.#found.clear());
    const found = this.#look(authorization);
    this.#found.set(authorization, found);
    return found;
  }

  async #look(authorization: string): Promise<FoundKey | null> {
    const [, scheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(authorization) ?? [];
    const [, id, secret = ""] = (scheme.toLowerCase() === "bearer" && KEY.exec(token)) || [];
    const keyId = `key_${id ?? ""}`;
    const row = id === undefined ? null : await this.#context.database.read((reader) => findCredential(reader, keyId));
    const kept = row?.secret_mac ?? NO_MAC;
    // Each hash is made and compared whatever the others say, so that every refusal takes the same work.
    const matching = this.#context.keyedHash.hashes("credential", secret).map((shown) => equalHashes(kept, shown));
    const now = serviceTime(this.#context.clock());
    if (row === null || !matching.includes(true) || (row.expires_at !== null && row.expires_at <= now)) {
      if (id !== undefined) await this.#lookAsOften(row !== null);
      return null;
    }
    this.#inForce = keyId;
    this.#noteUse(keyId, row.last_used_at, matching[0] === true ? null : this.#storedOf(secret));
    const principal: Principal = {
      tenantId: row.tenant_id,
      kind: row.principal_kind as Principal["kind"],
      id: row.principal_id,
      roles: JSON.parse(row.roles) as string[],
      ...(row.limits === null ? {} : { limits: JSON.parse(row.limits) as KeyLimits }),
    };
    return { keyId, principal };
  }

  #storedOf(secret: string): SecretMac {
    const { keyedHash } = this.#context;
    return { secretMac: keyedHash.hash("credential", secret), pepperMac: keyedHash.pepperMac };
  }

  /**
   * Reading a row takes longer than finding none, and that would tell whether an id belongs to a valid key. Each
   * refusal does both: after a key that was found it looks for one that does not exist, and after one that was not
   * found for one that does.
   */
  async #lookAsOften(wasFound: boolean): Promise<void> {
    const other = wasFound ? NO_KEY : this.#inForce;
    await this.#context.database.read((reader) => findCredential(reader, other));
  }

  /**
   * Notes the use of a key, to the minute: a write for every read would cost more than it is worth. Only the first use
   * after a rotation of the pepper is noted in any case. Nobody waits for the write, and after a failure the next use
   * tries again: a locked or full store may still be read, and a request that writes will report the fault.
   */
  #noteUse(keyId: string, lastUsedAt: string | null, renewed: SecretMac | null): void {
    const now = this.#context.clock();
    if (this.#beingNoted.has(keyId)) return;
    if (renewed === null && lastUsedAt !== null && now - Date.parse(lastUsedAt) < LAST_USED_MS) return;
    this.#beingNoted.add(keyId);
    this.#context.uses
      .note(keyId, serviceTime(now), renewed)
      .catch(() => undefined)
      .finally(() => this.#beingNoted.delete(keyId));
  }
}

/** Returns the refusal of a request without a valid key: one message for every fault. */
export function unauthorized(): ServiceError {
  return new ServiceError(
    "unauthorized",
    'This route needs a system key that is in force: send "Authorization: Bearer svc_sk_...". The operator makes ' +
      'one with "svc-server keys create".',
  );
}

/** The system keys of a deployment; the results of a turn are kept in it. */
export const systemKeysOf = perContext(
  ({ parts, ...context }: AnsweringContext) => new SystemKeys({ ...context, uses: parts.use(keyUsesPart) }),
);
