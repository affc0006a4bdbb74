/** The public route of the keys that seal. HTTP only. */
import { keys as contracts } from "@svc/api";
import { bind, json, type Route } from "@svc/host/http";
import type { ReadKeys } from "./read-keys.ts";

/** Returns the route of the sealing keys. */
export function keyRoutes(readKeys: ReadKeys): Route[] {
  return [bind(contracts.keys, async () => json(await readKeys.read()))];
}
