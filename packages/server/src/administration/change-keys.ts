/**
 * Making, rotating and revoking system keys, in a transaction of the caller. The caller has checked that the actor may
 * do it, and that a new key gets nothing that the actor lacks.
 */
import type { RecordChange } from "@svc/host/administration";
import type { KeyLimits, Principal } from "@svc/host/principal";
import type { Reader, Writer } from "@svc/host/store";
import { findStream } from "../streams/streams-store.ts";
import { recordBeside } from "../tenancy/administration.ts";
import { endCredential, endCredentialAt, findSystemKey, type ListedKey } from "../tenancy/credentials-store.ts";
import { systemKeyRevoked, systemKeyRotated } from "../tenancy/events.ts";
import type { NewKey, SystemKeys } from "../tenancy/system-keys.ts";
import { TenancyRefusal } from "./refusal.ts";
import { requireActive } from "./require-active.ts";

/**
 * Makes a key for a system of the actor's tenant, and resolves to its text. Rejects with TenancyRefusal:
 * `system_not_found`, `system_retired`, `stream_not_found` for a stream that no key of the system could see.
 */
export async function createKey(
  writer: Writer,
  keys: Pick<SystemKeys, "create">,
  actor: Principal,
  wanted: Omit<NewKey, "tenantId">,
  record: RecordChange = recordBeside(writer),
): Promise<string> {
  const { tenantId } = actor;
  const { systemId, limits } = wanted;
  await requireActive(writer, actor, systemId);
  await requireStreams(writer, tenantId, systemId, limits?.streams ?? []);
  return keys.create(writer, { ...wanted, tenantId }, actor, record);
}

/** The key to be replaced, and the ends of both: service times. */
export interface Rotation {
  readonly keyId: string;
  /** When the old key ends, unless it ends before that. */
  readonly until: string;
  /** When the new key ends; null for never. */
  readonly expiresAt: string | null;
}

/** The new key, the one that it replaces, and the time until which that works. */
export interface Rotated {
  readonly apiKey: string;
  readonly replaced: ListedKey;
  readonly worksUntil: string;
}

/**
 * Makes a key with the rights of another one of the actor's tenant, which works on for a while. `now`: a service time.
 * Rejects with TenancyRefusal: `key_not_found`,
 * `key_not_in_force`.
 */
export async function rotateKey(
  writer: Writer,
  keys: Pick<SystemKeys, "create">,
  actor: Principal,
  { keyId, until, expiresAt }: Rotation,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<Rotated> {
  const replaced = await requireKey(writer, actor, keyId);
  if (!isInForce(replaced, now)) throw new TenancyRefusal("key_not_in_force", keyId);
  await requireActive(writer, actor, replaced.principal_id);
  await endCredentialAt(writer, keyId, until);
  const [before, after] = [{ expires_at: replaced.expires_at }, { expires_at: until }];
  await record(actor, { type: systemKeyRotated, objectId: keyId, before, after }, now);
  const limits = replaced.limits === null ? null : limitsOf(replaced);
  const wanted = { tenantId: actor.tenantId, systemId: replaced.principal_id, limits, expiresAt };
  const { expires_at: end } = replaced;
  const worksUntil = end !== null && end < until ? end : until;
  return { apiKey: await keys.create(writer, wanted, actor, record), replaced, worksUntil };
}

/**
 * Ends a key of the actor's tenant at once. `now`: a service time. Rejects with TenancyRefusal: `key_not_found`;
 * `key_not_in_force` for a key that was revoked before.
 */
export async function revokeKey(
  writer: Writer,
  actor: Principal,
  keyId: string,
  now: string,
  record: RecordChange = recordBeside(writer),
): Promise<void> {
  const key = await requireKey(writer, actor, keyId);
  if (key.revoked_at !== null) throw new TenancyRefusal("key_not_in_force", keyId);
  await endKey(writer, actor, keyId, now, {}, record);
}

/** Revokes a key that is not revoked, and records it. */
export async function endKey(
  writer: Writer,
  actor: Principal,
  keyId: string,
  now: string,
  after: { readonly because?: string },
  record: RecordChange = recordBeside(writer),
): Promise<void> {
  await endCredential(writer, keyId, now);
  await record(actor, { type: systemKeyRevoked, objectId: keyId, before: null, after }, now);
}

/** Returns whether a key is neither revoked nor past its end at a service time. */
export function isInForce({ revoked_at, expires_at }: ListedKey, now: string): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}

/** Returns the limits of a stored key. */
export function limitsOf({ limits }: ListedKey): KeyLimits {
  return limits === null ? { actions: null, streams: null } : (JSON.parse(limits) as KeyLimits);
}

async function requireKey(reader: Reader, { tenantId }: Principal, keyId: string): Promise<ListedKey> {
  const key = await findSystemKey(reader, keyId);
  if (key === null || key.tenant_id !== tenantId) throw new TenancyRefusal("key_not_found", keyId);
  return key;
}

/** Rejects with TenancyRefusal for a stream that no key of the system could see: the new key would work nowhere. */
async function requireStreams(
  reader: Reader,
  tenantId: string,
  systemId: string,
  streams: readonly string[],
): Promise<void> {
  for (const id of streams) {
    const stream = await findStream(reader, tenantId, id);
    if (stream === null || (stream.system_id !== systemId && stream.class !== "lifecycle"))
      throw new TenancyRefusal("stream_not_found", id);
  }
}
