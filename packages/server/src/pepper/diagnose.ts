/** The operator's question about the pepper: whether the one before it is still needed, and by what. */
import { type Finding, ok } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import type { DiagnoseContext } from "../check-context.ts";
import { requireEarlierPepper, requireOwnDatabase } from "../deployment/own-database.ts";
import { idempotencySettings } from "../idempotency/settings.ts";
import { serviceRow } from "../signing/service-store.ts";
import { isNeeded, waitsForPepper, waitsInWords } from "./waits.ts";

/** Resolves to what needs the pepper of before a rotation; to no finding without such a pepper. */
export function diagnosePepper({ read, folder, settings, now }: DiagnoseContext): Promise<Finding[]> {
  return read("pepper", async (reader) => {
    const { keyedHash } = requireOwnDatabase(folder, await serviceRow(reader));
    await requireEarlierPepper(reader, folder, keyedHash);
    const waits = await waitsForPepper(reader, keyedHash, serviceTime(now));
    if (waits === null) return [];
    const words = isNeeded(waits)
      ? `the one before it is needed by ${waitsInWords(waits, settings(idempotencySettings))}`
      : "nothing needs the one before it, which the next start deletes";
    return [ok("pepper", `rotated at ${waits.rotated_at}; ${words}`)];
  });
}
