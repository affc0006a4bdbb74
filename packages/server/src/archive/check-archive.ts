/**
 * Checks the archive: each range against its stream, each file with core as an auditor would, and each payload in it
 * against its event. An erased payload must be in no file. Files that no range names are listed apart (stray-files.ts).
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { encodeHex, verify } from "@svc/core";
import { difference, type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import { NO_PLACE, placeText } from "../archived/places.ts";
import type { CheckContext } from "../check-context.ts";
import { contentOf } from "../streams/logged-event.ts";
import { parsePayload } from "../streams/receipt-records.ts";
import { type ArchiveRow, archiveFolderId, archiveTotals } from "./archives-store.ts";
import { folderFault } from "./folder.ts";
import { payloadsInFile } from "./payloads-in-file.ts";
import {
  type ArchivedEvent,
  countArchives,
  eventsOfArchive,
  fileOfArchive,
  nextArchive,
  type RangeKey,
} from "./rows-store.ts";

const STRAYS: readonly StrayRule[] = [
  {
    table: "events",
    id: "stream_event_id",
    fault: "its payload is neither here nor in an archive file, and it is not erased",
    where: `e.payload IS NULL AND e.payload_salt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM archives a
      WHERE a.stream_id = e.stream_id AND a.file IS NOT NULL AND a.from_seq_no <= e.seq_no AND e.seq_no <= a.freed_to_seq_no)`,
  },
];
const MOST_OF_FILE = 20;

/** Yields the faults of the archive. If its files are not here, only rows are checked. */
export async function* checkArchive(context: CheckContext): AsyncGenerator<Fault> {
  yield* strayRows(context, STRAYS);
  const { database, onStep, archivePath } = context;
  yield* folderFaults(context);
  let before: RangeKey = { stream_id: "", to_seq_no: 0 };
  for (;;) {
    const row = await database.read((reader) => nextArchive(reader, before));
    if (row === null) return;
    const { stream_id, to_seq_no, head_seq_no, file, freed_to_seq_no: freed } = row;
    const first = stream_id === before.stream_id ? before.to_seq_no + 1 : 1;
    const key = { stream_id, to_seq_no };
    const fault = difference("archives", key, row, { from_seq_no: first, ...(file === null ? LEFT(row) : {}) });
    if (fault !== null) yield fault;
    else if (head_seq_no === null || to_seq_no < first || to_seq_no > head_seq_no)
      yield { table: "archives", row: key, fault: `it ends behind the last event of its stream, ${head_seq_no}` };
    else if (freed < first - 1 || freed > to_seq_no)
      yield {
        table: "archives",
        row: key,
        fault: `its payloads have left the database to ${freed}, which is not in it`,
      };
    else if (file !== null && archivePath !== null) {
      onStep(`archive: ${file}`);
      const faults = await faultsOf(context, archivePath, row);
      // A server beside this check may have written the file anew, after an erasure.
      if (faults.length > 0 && (await database.read((reader) => fileOfArchive(reader, row))) === file) yield* faults;
    }
    before = key;
  }
}

/** Yields the faults of the folder's row, and of a folder that is not the deployment's. */
async function* folderFaults({ database, archivePath }: CheckContext): AsyncGenerator<Fault> {
  const { known, said, counted } = await database.read(async (reader) => ({
    known: await archiveFolderId(reader),
    said: await archiveTotals(reader),
    counted: await countArchives(reader),
  }));
  const { files, left } = counted;
  const unnamed = files + left > 0 ? "the row of the folder of the archive is missing" : null;
  // Without a file nothing is missed, as in a backup of before the first one.
  const foreign = known === null || archivePath === null || files === 0 ? null : folderFault(archivePath, known);
  const fault = known === null ? unnamed : foreign;
  if (fault !== null) yield { table: "archive_folder", row: {}, fault };
  const wrong = known === null ? null : difference("archive_folder", {}, said, counted);
  if (wrong !== null) yield wrong;
}

/** The columns of a range that stays in the database. */
const LEFT = ({ to_seq_no }: ArchiveRow) => ({
  sha256: null,
  size_bytes: 0,
  places: "",
  freed_to_seq_no: to_seq_no,
  erased_since: 0,
});

/** Resolves to the faults of a file, of its row, and of its payloads. */
async function faultsOf(
  { database, kernel, trust }: CheckContext,
  folder: string,
  row: ArchiveRow,
): Promise<readonly Fault[]> {
  const { stream_id, to_seq_no, from_seq_no, file } = row;
  const key = { stream_id, to_seq_no, file };
  const fault = (what: string): Fault => ({ table: "archives", row: key, fault: what });
  let bytes: Buffer;
  try {
    bytes = await readFile(join(folder, file ?? ""));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return [fault(code === "ENOENT" ? `its file is missing in ${folder}` : `its file cannot be read: ${message}`)];
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== row.sha256) return [fault(`its file was changed: it has the SHA-256 ${sha256}`)];
  const faults: Fault[] = verify(bytes, { kind: "bundle", trust, kernel }).problems.map(({ code, path, message }) =>
    fault(`its file does not verify: ${code} at ${path}: ${message}`),
  );
  const events = await database.read((reader) => eventsOfArchive(reader, row));
  const places = Array.from({ length: to_seq_no - from_seq_no + 1 }, () => NO_PLACE);
  const inFile = new Map([...payloadsInFile(bytes)].map((one) => [one.eventId, one]));
  for (const event of events) {
    const found = inFile.get(event.stream_event_id);
    inFile.delete(event.stream_event_id);
    if (found !== undefined) places[event.seq_no - from_seq_no] = placeText(found.place);
    const { offset, length } = found?.place ?? { offset: 0, length: 0 };
    const payload = found === undefined ? null : bytes.subarray(offset, offset + length);
    const hashed = Buffer.from(`{"payload":${payload?.toString("utf8")},"salt":"${event.payload_salt}"}`);
    const isSame = payload !== null && encodeHex(kernel.taggedHash("payload", hashed)) === event.payload_hash;
    const what = faultOf(row, event, { payload, isSame });
    if (what !== null) faults.push({ table: "events", row: { stream_event_id: event.stream_event_id }, fault: what });
  }
  for (const eventId of inFile.keys()) faults.push(fault(`its file has a payload of ${eventId}, which is not of it`));
  const wrong = difference("archives", key, row, { size_bytes: bytes.length, places: places.join("") });
  if (wrong !== null) faults.push(wrong);
  return faults.slice(0, MOST_OF_FILE);
}

/** Returns what is wrong with an event of a range that has a file; null if nothing is. */
function faultOf(
  { freed_to_seq_no, erased_since }: ArchiveRow,
  { seq_no, payload_salt, is_here, status, event_log_no }: ArchivedEvent,
  { payload, isSame }: { readonly payload: Buffer | null; readonly isSame: boolean },
): string | null {
  if (payload_salt === null)
    return payload === null || erased_since > 0 ? null : "its payload is erased, and its archive file still holds it";
  if (payload === null) return "its archive file does not hold its payload";
  if (!isSame) return "its archive file holds another payload";
  if (is_here === 1)
    return seq_no <= freed_to_seq_no ? "its payload is in the database, and should be archived alone" : null;
  if (event_log_no === null) return null;
  const said = statusIn(payload);
  return said === status ? null : `status is ${JSON.stringify(status)} and must be ${JSON.stringify(said)}`;
}

/** Returns the status in the payload of an event of a log; null if it has none. */
function statusIn(payload: Buffer): string | null {
  try {
    return contentOf(parsePayload(payload.toString("utf8"))).status;
  } catch {
    return null;
  }
}
