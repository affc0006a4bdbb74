/**
 * The one way to payloads that are in archive files (archive/) and no longer in the database. Each is compared with the
 * hash that its event's signature covers, so a wrong file, or a wrong place in it, never becomes an answer. It does NOT
 * verify files as wholes: fsck does.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
import { encodeHex } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Database } from "@svc/host/store";
import { kernel } from "../kernel.ts";
import { erasedAmong, type FileOfRange, fileNamesOfRange, filesOfRange } from "./archived-store.ts";
import { type Place, placeAt } from "./places.ts";

/** The columns of an event's row that tell where its payload is. */
export interface ArchivedRow {
  readonly stream_id: string;
  readonly seq_no: number;
  readonly payload: string | null;
  readonly payload_salt: string | null;
  readonly payload_hash: string;
}

/** The most events for whose payloads one look into the database and one reading of a file serve. */
const RUN_EVENTS = 500;
/** Payloads that lie this close together in a file are read at once, up to so many bytes. */
const GAP_BYTES = 4096;
const READ_BYTES = 1024 * 1024;

type Readable = Pick<Database, "read">;
/** A payload that a file is asked for. */
interface Wanted {
  readonly row: ArchivedRow;
  readonly place: Place;
}
/** The payloads by their events' numbers; null for one that has been erased meanwhile. */
type Payloads = Map<number, string | null>;

/** Returns whether the payload of an event is in an archive file. One that is erased has neither payload nor salt. */
export function isArchived({ payload, payload_salt }: Pick<ArchivedRow, "payload" | "payload_salt">): boolean {
  return payload === null && payload_salt !== null;
}

/** The payloads in the archive files of one folder. */
export class ArchivedPayloads {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Resolves to the same rows with their payloads, as they were before they were archived; without payload and salt
   * where they have been erased since the rows were read. It reads the database itself, in a new snapshot, since a file
   * can be replaced at any time. Rejects with `archive_unavailable` and `archive_damaged`.
   */
  async restored<Row extends ArchivedRow>(database: Readable, rows: readonly Row[]): Promise<readonly Row[]> {
    if (!rows.some(isArchived)) return rows;
    const restored = [...rows];
    for (const indexes of runsOf(rows)) {
      const run = indexes.map((index) => rows[index] as Row);
      const payloads = await this.#payloadsOf(database, run);
      for (const index of indexes) {
        const row = rows[index] as Row;
        const payload = payloads.get(row.seq_no) ?? null;
        restored[index] = { ...row, payload, payload_salt: payload === null ? null : row.payload_salt };
      }
    }
    return restored;
  }

  /** Resolves to whether any payload of a range is in a file. */
  async holdsAny(
    database: Readable,
    streamId: string,
    { from_seq_no, to_seq_no }: { readonly from_seq_no: number; readonly to_seq_no: number },
  ): Promise<boolean> {
    const names = await database.read((reader) => fileNamesOfRange(reader, streamId, from_seq_no, to_seq_no));
    return names.length > 0;
  }

  /** Resolves to the payloads of some events of one stream, whose numbers rise. */
  async #payloadsOf(database: Readable, rows: readonly ArchivedRow[]): Promise<Payloads> {
    let failure: { readonly error: ServiceError; readonly files: string } | null = null;
    for (;;) {
      const { wanted, payloads, files } = await placesOf(database, rows);
      // A file that is gone or changed may have been replaced since its name was read, but not under the same name.
      if (failure !== null && failure.files === files) throw failure.error;
      try {
        for (const [file, ofFile] of wanted) await this.#readInto(payloads, file, ofFile);
        return payloads;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        failure = { error, files };
      }
    }
  }

  async #readInto(payloads: Payloads, name: string, wanted: readonly Wanted[]): Promise<void> {
    try {
      const file = await open(join(this.#folder, name), "r");
      try {
        for (const group of nearby(wanted)) {
          const start = group[0]?.place.offset ?? 0;
          const end = Math.max(...group.map(({ place: { offset, length } }) => offset + length));
          const bytes = Buffer.alloc(end - start);
          const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
          for (const { row, place } of group)
            payloads.set(row.seq_no, payloadIn(bytes.subarray(0, bytesRead), start, place, row, name));
        }
      } finally {
        await file.close();
      }
    } catch (error) {
      throw unavailable(aboutFile(wanted, name), name, error);
    }
  }
}

/** Returns the refusal for an error of the file system; any other error as it is. */
function unavailable(file: string, name: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof ServiceError) return error;
  return new ServiceError(
    "archive_unavailable",
    `${file} cannot be read (${code}). Nothing is lost as long as the file exists: the operator has to bring ` +
      `back the folder of the archive (SVC_ARCHIVE), and fsck names every file that is missing.`,
    { file: name },
  );
}

/** Resolves to the files to read, and to what is known without them: which events have been erased meanwhile. */
async function placesOf(database: Readable, rows: readonly ArchivedRow[]) {
  const [first, last] = [rows[0], rows.at(-1)] as [ArchivedRow, ArchivedRow];
  const { stream_id } = first;
  const wanted = new Map<string, Wanted[]>();
  const payloads: Payloads = new Map();
  const files = await database.read(async (reader) => {
    const found = await filesOfRange(reader, stream_id, first.seq_no, last.seq_no);
    const without: ArchivedRow[] = [];
    for (const row of rows) {
      const place = placeIn(found, row.seq_no);
      if (place === null) without.push(row);
      else wanted.set(place.file, [...(wanted.get(place.file) ?? []), { row, place: place.place }]);
    }
    const erased = await erasedAmong(
      reader,
      stream_id,
      without.map(({ seq_no }) => seq_no),
    );
    for (const { seq_no } of without)
      if (erased.has(seq_no)) payloads.set(seq_no, null);
      else
        throw new ServiceError(
          "archive_damaged",
          `The payload of event ${seq_no} of ${stream_id} is neither in the database nor in an archive file that ` +
            `the database names. The operator has to run fsck, and to look for a backup that still has it.`,
          { stream_id, seq_no },
        );
    return found.map(({ file }) => file).join();
  });
  return { wanted, payloads, files };
}

function placeIn(files: readonly FileOfRange[], seqNo: number): { file: string; place: Place } | null {
  const found = files.find(({ from_seq_no, to_seq_no }) => from_seq_no <= seqNo && seqNo <= to_seq_no);
  const place = found === undefined ? null : placeAt(found.places, seqNo - found.from_seq_no);
  return found === undefined || place === null || place === undefined ? null : { file: found.file, place };
}

/** Returns J(payload) as text. Throws `archive_damaged` if the bytes are not those that were recorded. */
function payloadIn(bytes: Buffer, start: number, { offset, length }: Place, row: ArchivedRow, name: string): string {
  const payload = bytes.subarray(offset - start, offset - start + length);
  const hashed = Buffer.concat([Buffer.from('{"payload":'), payload, Buffer.from(`,"salt":"${row.payload_salt}"}`)]);
  if (payload.length === length && encodeHex(kernel.taggedHash("payload", hashed)) === row.payload_hash)
    return payload.toString("utf8");
  throw new ServiceError(
    "archive_damaged",
    `${aboutFile([{ row }], name)} is not the file that was written: the payload in it does not have the hash of ` +
      `its event. The operator has to put the original file back; fsck names every file that was changed.`,
    { file: name },
  );
}

function aboutFile(wanted: readonly Pick<Wanted, "row">[], name: string): string {
  const { stream_id, seq_no } = wanted[0]?.row ?? { stream_id: "", seq_no: 0 };
  return `The archive file ${name}, which holds the payload of event ${seq_no} of ${stream_id},`;
}

/** Returns the indexes of archived rows in runs: of one stream, with rising numbers, in a stretch of limited length. */
function runsOf(rows: readonly ArchivedRow[]): number[][] {
  const runs: number[][] = [];
  let first: ArchivedRow | null = null;
  let before = 0;
  for (const [index, row] of rows.entries()) {
    if (!isArchived(row)) continue;
    const goesOn =
      first !== null &&
      row.stream_id === first.stream_id &&
      row.seq_no > before &&
      row.seq_no < first.seq_no + RUN_EVENTS;
    if (goesOn) runs.at(-1)?.push(index);
    else {
      runs.push([index]);
      first = row;
    }
    before = row.seq_no;
  }
  return runs;
}

/** Returns the wanted payloads in the order of the file, those together that are read at once. */
function nearby(wanted: readonly Wanted[]): Wanted[][] {
  const groups: Wanted[][] = [];
  let [start, end] = [0, Number.NEGATIVE_INFINITY];
  for (const one of wanted.toSorted((left, right) => left.place.offset - right.place.offset)) {
    const { offset, length } = one.place;
    if (offset > end + GAP_BYTES || offset + length > start + READ_BYTES) {
      groups.push([one]);
      start = offset;
    } else groups.at(-1)?.push(one);
    end = offset + length;
  }
  return groups;
}
