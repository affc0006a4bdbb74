/**
 * Finds the event, the window, the checkpoint and the key that a place in an object belongs to, by the object's own
 * words (protocol section 16).
 */
import type { Json } from "../kernel/kernel.ts";
import type { PlaceNames } from "./report.ts";

const KID = /^ed25519-[0-9a-f]{16}$/;

/**
 * Returns the names on the way to a JSON Pointer; of several, the outermost. It never looks into a payload, whose
 * members mean nothing here.
 */
export function placeNames(whole: Json, pointer: string): PlaceNames {
  const found: Record<string, Json> = {};
  let at: Json | undefined = whole;
  const take = (): void => {
    for (const name of ["seq_no", "window_no", "checkpoint_no", "kid"]) {
      const value = member(at, name);
      if (name === "kid" ? isKid(value) : Number.isSafeInteger(value) && (value as number) > 0)
        found[name] ??= value as Json;
    }
  };
  take();
  const names = pointer.split("/").slice(1);
  for (const [depth, name] of names.entries()) {
    if (name === "payload") break;
    at = member(at, name.replaceAll("~1", "/").replaceAll("~0", "~"));
    // The payloads of a bundle stand apart from their events.
    if (depth === 1 && names[0] === "payloads") at = recordOf(whole, name);
    take();
  }
  return found;
}

/** A value of any type can be here: the object may be malformed. */
function isKid(value: Json | undefined): boolean {
  return typeof value === "string" && KID.test(value);
}

function recordOf(whole: Json, eventId: string): Json | undefined {
  const records = member(member(whole, "artifacts"), "receipts.json");
  return Array.isArray(records) ? records.find((record) => member(record, "stream_event_id") === eventId) : undefined;
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, Json>>)[name];
}
