/**
 * The place of the folder when a server last started on it: file system, file and machine. A folder in another place
 * was moved or copied. Volumes move for good reasons, so the server only warns. A copy of the whole machine changes
 * none of these, and is NOT noticed.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@svc/host/durable-file";

/** The file is separate from progress.json, because earlier releases rewrite that without knowing the place. */
export const PLACE = "place.json";
const MACHINE_ID = "/etc/machine-id";

/** A place. */
export interface Place {
  /** Numbers as text: they may be larger than a double holds. */
  readonly device: string;
  readonly inode: string;
  /** Null if the machine has no identifier. */
  readonly machine_id: string | null;
}

/** The present place, and its difference from the remembered one. */
export interface FoundPlace {
  readonly place: Place;
  /** The difference in words, as a sentence; null if it is the same, or none was remembered. */
  readonly moved: string | null;
  /** Whether the place has to be written down. */
  readonly isNew: boolean;
}

/** Returns the folder's present place, compared with the remembered one. Writes nothing. */
export function findPlace(folder: string, databasePath: string, machineIdPath = MACHINE_ID): FoundPlace {
  const { dev, ino } = statSync(databasePath, { bigint: true });
  const place: Place = { device: `${dev}`, inode: `${ino}`, machine_id: machineId(machineIdPath) };
  const known = remembered(join(folder, PLACE));
  if (known === null) return { place, moved: null, isNew: true };
  const names = { device: "file system", inode: "database file", machine_id: "machine" } as const;
  const changed = (Object.keys(names) as (keyof Place)[]).filter((part) => known[part] !== place[part]);
  const moved =
    changed.length === 0
      ? null
      : `${folder} is in another place than at the last start: another ` +
        `${changed.map((part) => names[part]).join(", another ")}. If it was moved, all is well. If it is a copy, ` +
        `stop one of the two: both would sign the same numbers, and only what others hold shows it.`;
  return { place, moved, isNew: changed.length > 0 };
}

/** Writes a place down, durably. */
export function rememberPlace(folder: string, place: Place): void {
  replaceFile(join(folder, PLACE), `${JSON.stringify(place)}\n`);
}

/** Returns the remembered place; null if it is missing or cannot be read: it serves for comparison only. */
function remembered(path: string): Place | null {
  try {
    const { device, inode, machine_id } = JSON.parse(readFileSync(path, "utf8")) as Place;
    return typeof device === "string" && typeof inode === "string" ? { device, inode, machine_id } : null;
  } catch {
    return null;
  }
}

function machineId(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim() || null;
  } catch {
    return null;
  }
}
