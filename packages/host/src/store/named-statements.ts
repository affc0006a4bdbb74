/**
 * Names for statements, so that a PostgreSQL server plans each once for a connection, and not at every call: over a
 * table in many partitions planning takes longer than the work. Names are state of a session, and a pooler in
 * transaction mode keeps none, so they are used only where a connection is the server's own process.
 */
import { createHash } from "node:crypto";
import type { Connection } from "./postgres-connection.ts";

/** The most names. The texts of the families are far fewer; others are sent as ever. */
const MAX_NAMES = 500;
const names = new Map<string, string>();

/** Codes of a named statement that the server does not know, or whose columns have changed since it was planned. */
const OUTDATED: readonly unknown[] = ["26000", "0A000"];

/** Returns the name of a statement on a connection; null if it goes without. */
export function nameOf({ isOwn }: Connection, sql: string): string | null {
  if (!isOwn) return null;
  const known = names.get(sql);
  if (known !== undefined) return known;
  if (names.size === MAX_NAMES) return null;
  const name = createHash("sha256").update(sql).digest("base64url");
  names.set(sql, name);
  return name;
}

/** Returns whether a named statement failed only because it is named: on a new connection it may succeed. */
export function isOutdated(error: unknown): boolean {
  return OUTDATED.includes((error as { code?: unknown }).code);
}
