/** The scope in which an Idempotency-Key is unique, and its hash, by which records are found. */
import { hash } from "node:crypto";

/** The scope of a key. */
export interface IdempotencyScope {
  readonly tenantId: string;
  readonly principalId: string;
  /** Method and path template. */
  readonly route: string;
  readonly key: string;
}

/** The hashes of scopes: one request needs that of its scope several times. */
const hashes = new WeakMap<IdempotencyScope, string>();

/**
 * Returns 128 bits of SHA-256 in base64url, 22 characters. An attacker who searched two keys with one hash would only
 * find its own requests.
 */
export function scopeHash(scope: IdempotencyScope): string {
  const known = hashes.get(scope);
  if (known !== undefined) return known;
  const { tenantId, principalId, route, key } = scope;
  const made = hash("sha256", JSON.stringify([tenantId, principalId, route, key]), "base64url").slice(0, 22);
  hashes.set(scope, made);
  return made;
}
