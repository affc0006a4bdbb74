/** The operator's question about system keys: which of them end soon. */
import { type Finding, ok, warn } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { expiringKeys } from "./rows-store.ts";

const DAY_MS = 86_400_000;
/** How long before the end of a system key doctor warns of it. */
const SOON_DAYS = 14;

/** Resolves to a warning for each key that ends soon. */
export function diagnoseSystemKeys({ read, now }: DiagnoseContext): Promise<Finding[]> {
  return read("system keys", async (reader) => {
    const soon = await expiringKeys(reader, serviceTime(now), serviceTime(now + SOON_DAYS * DAY_MS));
    if (soon.length === 0) return [ok("system keys", `none ends within ${SOON_DAYS} days`)];
    return soon.map(({ credential_id, expires_at }) =>
      warn("system keys", `${credential_id} ends at ${expires_at}. Run: keys rotate ${credential_id}`),
    );
  });
}
