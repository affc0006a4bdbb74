/** The database as an operator asks of it: whole, of this release, sealed without falling behind, and with a clock that goes forward. */
import { serviceTime } from "@svc/host/clock";
import { type Reader, schemaVersion } from "@svc/host/store";
import { NEWEST_SCHEMA } from "../migrations/all.ts";
import { uncheckpointedWindows, unwindowedEvents } from "../sealing/backlog-store.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";
import { erasuresInFiles, expiringKeys, lastRecordedAt, openErrands, quickCheck } from "./operation-store.ts";

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** How long before the end of a system key doctor speaks of it. */
const SOON_DAYS = 14;
/** Clocks of one machine jump this far when they are set. */
const CLOCK_SLACK_MS = 5_000;
const MANY_ATTEMPTS = 5;
/** More windows than the sealer leaves behind in one round. */
const MANY_WINDOWS = 1_000;

/** Nothing here says that the evidence holds: fsck verifies that. */
export async function checkIntegrity(reader: Reader): Promise<Finding[]> {
  const version = await schemaVersion(reader);
  if (version === 0)
    return [
      fail(
        "database",
        "it holds no deployment: it was emptied or replaced. Put it back from a backup, and keep the keys of this folder: evidence may stand under them.",
      ),
    ];
  const answer = await quickCheck(reader);
  const schema =
    version > NEWEST_SCHEMA
      ? fail("schema", `version ${version}, and this release knows ${NEWEST_SCHEMA}. Start the release that wrote it.`)
      : version < NEWEST_SCHEMA
        ? warn("schema", `version ${version}; the next start brings it to ${NEWEST_SCHEMA}. Make a backup before.`)
        : ok("schema", `version ${version}`);
  return [
    answer === "ok"
      ? ok("database", "its pages are whole; fsck looks into indexes and verifies the evidence")
      : fail("database", `its file is damaged: ${answer}. Put a backup back, and keep this file.`),
    schema,
  ];
}

export async function checkClock(reader: Reader, now: number): Promise<Finding[]> {
  const last = await lastRecordedAt(reader);
  const words = `${serviceTime(now)} by this machine, ${last ?? "nothing"} recorded last`;
  return last !== null && Date.parse(last) > now + CLOCK_SLACK_MS
    ? [warn("clock", `${words}: it was set back, or was ahead. Set it by NTP; events get the later time until then.`)]
    : [ok("clock", words)];
}

export async function checkBacklog(reader: Reader, now: number): Promise<Finding[]> {
  const [events, windows] = [await unwindowedEvents(reader), await uncheckpointedWindows(reader)];
  const { open, attempts, last_error } = await openErrands(reader);
  const erasures = await erasuresInFiles(reader, serviceTime(now - HOUR_MS));
  const sealer = `${events} events without a window, ${windows} windows without a checkpoint`;
  return [
    windows > MANY_WINDOWS
      ? warn("sealer", `${sealer}. Look for errors in the log: a running server catches up by itself.`)
      : ok("sealer", sealer),
    attempts >= MANY_ATTEMPTS
      ? warn("outbox", `${open} errands wait, one after ${attempts} attempts: ${last_error ?? "no error"}.`)
      : ok("outbox", `${open} errands wait`),
    erasures > 0
      ? warn("erasures", `${erasures} payloads are still in old pages of the files. Start the server: it clears them.`)
      : ok("erasures", "none waits for the files to be cleared"),
  ];
}

export async function checkSystemKeys(reader: Reader, now: number): Promise<Finding[]> {
  const soon = await expiringKeys(reader, serviceTime(now), serviceTime(now + SOON_DAYS * DAY_MS));
  if (soon.length === 0) return [ok("system keys", `none ends within ${SOON_DAYS} days`)];
  return soon.map(({ credential_id, expires_at }) =>
    warn("system keys", `${credential_id} ends at ${expires_at}. Run: keys rotate ${credential_id}`),
  );
}
