/**
 * The machine under a data folder: the runtime, the free space of the disk, and the time that the disk takes for a
 * sync.
 */
import { randomBytes } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type Finding, fail, ok, warn } from "@svc/host/checks";
import { OWNER_ONLY_FILE } from "@svc/host/durable-file";
import type { DataFolder } from "../data-folder/data-folder.ts";

/** The first release whose SQLite has the features that the server uses. */
const LEAST_NODE_MAJOR = 24;
const MIB = 1024 * 1024;
const LEAST_FREE_BYTES = 200 * MIB;
const FEW_FREE_BYTES = 2048 * MIB;
const SYNCS = 25;
/** Above this, receipts are slow, even though many share a wait. */
const SLOW_SYNC_MS = 20;
/** No disk that really waits is faster. */
const INSTANT_SYNC_MS = 0.02;

/** Returns the finding about the release of Node. `version`: as in `process.version`. */
export function checkRuntime(version: string): Finding[] {
  const major = Number(version.slice(1).split(".")[0]);
  return major >= LEAST_NODE_MAJOR
    ? [ok("runtime", `Node ${version}`)]
    : [fail("runtime", `Node ${version}. Use Node ${LEAST_NODE_MAJOR} or newer.`)];
}

/** Returns the finding about free space. It warns when a copy of the database, if it is here, would not fit. */
export function checkRoom({ path, databaseFile }: DataFolder): Finding[] {
  const { bavail, bsize } = statfsSync(path);
  const free = bavail * bsize;
  const size = databaseFile === null ? 0 : statSync(databaseFile).size;
  const says = `${inMib(free)} free${databaseFile === null ? "" : `, and the database has ${inMib(size)}`}`;
  if (free < LEAST_FREE_BYTES) return [fail("disk", `${says}. Make room: a full disk refuses every event.`)];
  if (free < Math.max(FEW_FREE_BYTES, size))
    return [warn("disk", `${says}. Make room: a copy of the database, and a day of events, should fit.`)];
  return [ok("disk", says)];
}

/** Appends to a new file and syncs it, as a commit does, and returns the finding about the time. */
export function checkSyncs({ path }: DataFolder): Finding[] {
  const name = join(path, `.doctor-${randomBytes(4).toString("hex")}`);
  const file = openSync(name, "wx", OWNER_ONLY_FILE);
  const times: number[] = [];
  try {
    for (let count = 0; count < SYNCS; count++) {
      writeSync(file, randomBytes(1024));
      const startedAt = performance.now();
      fdatasyncSync(file);
      times.push(performance.now() - startedAt);
    }
  } finally {
    closeSync(file);
    rmSync(name, { force: true });
  }
  const median = times.sort((a, b) => a - b)[Math.floor(SYNCS / 2)] ?? 0;
  const says = `${median.toFixed(2)} ms (median of ${SYNCS})`;
  if (median < INSTANT_SYNC_MS)
    return [warn("fsync", `${says}: this disk keeps nothing through a power cut. Put the data folder on a real one.`)];
  if (median > SLOW_SYNC_MS) return [warn("fsync", `${says}: every receipt waits for it. Use a faster disk.`)];
  return [ok("fsync", says)];
}

/** Returns a size in whole MiB, in words. */
export function inMib(bytes: number): string {
  return `${Math.round(bytes / MIB)} MiB`;
}
