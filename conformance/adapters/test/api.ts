/** The API adapter on a server with the test key; what it does not support must have one of these reasons. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

import { type Held, hold, type Sent } from "./hold.ts";

/** The path of the adapter. */
export const ADAPTER: string = fileURLToPath(new URL("../api.mjs", import.meta.url));

const REASONS = [
  /^the route takes no links$/,
  /^the route trusts the service's own keys, and this case trusts others$/,
  /^the route answers 400 \w+, and no report$/,
  /^the route finds the kind by itself, [\w-]+, and takes none$/,
  /^the route pins the service's keys for its own origin alone$/,
  /^the adapter does not have this operation$/,
];

/** Resolves to how a server does on cases. Throws for a case that is left out without a reason of the route's. */
export async function holdApi(url: string, cases: readonly Sent[]): Promise<Held> {
  const held = await hold([ADAPTER, "--url", url], cases);
  for (const { name, why } of held.unsupported)
    assert.ok(
      REASONS.some((reason) => reason.test(why)),
      `${name}: ${why}`,
    );
  return held;
}
