/**
 * Finds out what still needs the pepper of before a rotation: system keys whose secrets were not shown since, and
 * requests and tickets that may still be repeated.
 */
import { latest, serviceTime } from "@svc/host/clock";
import type { Reader } from "@svc/host/store";
import { lastTicketUpTo } from "../exports/accesses-store.ts";
import { newestRecordUpTo } from "../idempotency/store.ts";
import type { ServerKeyedHash } from "../signing/keyed-hash.ts";
import { type EarlierPepper, earlierPepper } from "../signing/service-store.ts";
import { keysUnderEarlierPepper } from "../tenancy/credentials-store.ts";

const DAY_MS = 86_400_000;
/** The most keys that a sentence names. */
const NAMED_KEYS = 5;

/** The pepper before that of now, and what needs it. */
export interface PepperWaits extends EarlierPepper {
  /** The keys in force that were not used since the rotation. */
  readonly keys: Awaited<ReturnType<typeof keysUnderEarlierPepper>>;
  /** The time of the newest request of before the rotation that may still be repeated, or null. */
  readonly newestRequest: string | null;
  /** The end of the last ticket of before the rotation, or null. */
  readonly ticketsUntil: string | null;
}

/**
 * Resolves to the earlier pepper and what needs it, or null. A pepper that is not in the folder any more recognises
 * nothing, so then only keys are counted. `now`: a service time.
 */
export async function waitsForPepper(
  reader: Reader,
  { earlier: hash }: Pick<ServerKeyedHash, "earlier">,
  now: string,
): Promise<PepperWaits | null> {
  const earlier = await earlierPepper(reader);
  if (earlier === null) return null;
  const keys = await keysUnderEarlierPepper(reader, now);
  if (hash === null) return { ...earlier, keys, newestRequest: null, ticketsUntil: null };
  const { rotated_at } = earlier;
  return {
    ...earlier,
    keys,
    newestRequest: await newestRecordUpTo(reader, rotated_at),
    ticketsUntil: await lastTicketUpTo(reader, rotated_at, now),
  };
}

/** Returns whether anything needs the earlier pepper. */
export function isNeeded({ keys, newestRequest, ticketsUntil }: PepperWaits): boolean {
  return keys.length > 0 || newestRequest !== null || ticketsUntil !== null;
}

/** Returns the time from which on no repeated request and no ticket needs it; null for one that is over. */
export function neededUntil(
  { newestRequest, ticketsUntil }: PepperWaits,
  { idempotencyDays }: { readonly idempotencyDays: number },
): string | null {
  if (newestRequest === null) return ticketsUntil;
  const forgotten = serviceTime(Date.parse(newestRequest) + idempotencyDays * DAY_MS);
  return ticketsUntil === null ? forgotten : latest(forgotten, ticketsUntil);
}

/** Returns what needs the earlier pepper, in words. */
export function waitsInWords(waits: PepperWaits, settings: { readonly idempotencyDays: number }): string {
  const { keys, newestRequest } = waits;
  const until = neededUntil(waits, settings);
  const named = keys.slice(0, NAMED_KEYS).map(({ credential_id }) => credential_id);
  const more = keys.length > named.length ? ` and ${keys.length - named.length} more` : "";
  const parts = [
    ...(keys.length === 0 ? [] : [`keys in force that were not used since: ${named.join(", ")}${more}`]),
    ...(until === null
      ? []
      : [
          newestRequest === null
            ? `tickets of downloads, until ${until}`
            : `requests of before under an Idempotency-Key, which a running server forgets by ${until}`,
        ]),
  ];
  return parts.length === 0 ? "nothing" : parts.join("; ");
}
