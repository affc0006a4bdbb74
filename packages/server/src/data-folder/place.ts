/**
 * Where the folder was when a server last started on it: which file system, which file, which machine. A folder that finds itself elsewhere was moved or
 * copied. Volumes move for good reasons, so that it is only said. What was copied with the machine itself finds nothing changed, and is NOT noticed.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "@svc/host/durable-file";

/** Beside progress.json, which earlier releases write anew without knowing of it. */
export const PLACE = "place.json";
const MACHINE_ID = "/etc/machine-id";

export interface Place {
  /** Numbers as text: they may be larger than a double holds. */
  readonly device: string;
  readonly inode: string;
  /** Null where the machine has no identifier. */
  readonly machine_id: string | null;
}

/** The place as it is, and how it differs from what was remembered. */
export interface FoundPlace {
  readonly place: Place;
  /** In words, as a sentence; null where it is the same, or none was remembered. */
  readonly moved: string | null;
  /** Whether there is anything to be written down. */
  readonly isNew: boolean;
}

/** Where the folder is now, compared with what was remembered of it. */
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
      : `${folder} is in another place than at the last start: another ${changed.map((part) => names[part]).join(", another ")}. If it was moved, all is well. If it is a copy, stop one of the two: both would sign the same numbers, and only what others hold shows it.`;
  return { place, moved, isNew: changed.length > 0 };
}

export function rememberPlace(folder: string, place: Place): void {
  replaceFile(join(folder, PLACE), `${JSON.stringify(place)}\n`);
}

/** What was written down; null where nothing was, or nothing that can be read: it is only there to be compared. */
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
