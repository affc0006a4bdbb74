/** The epochs of the service log: all SQL about them. */
import { type Anchor, encodeNote, parseNote } from "@svc/core";
import { expectMoved, type Reader, type Writer } from "@svc/host/store";

interface Row {
  readonly document: string;
  readonly note: string;
}

const SELECT = "SELECT document, note FROM epochs";

/** Inserts an epoch, which has no members and no evidence. */
export async function insertEpoch(
  writer: Writer,
  { note, members: _members, evidence: _evidence, ...sealed }: Anchor,
): Promise<void> {
  await writer.run(
    "INSERT INTO epochs (epoch_no, anchor_epoch_id, log_size, anchored_at, note, document) VALUES ($1, $2, $3, " +
      "$4, $5, $6)",
    sealed.epoch_no,
    sealed.anchor_epoch_id,
    sealed.log_size,
    sealed.anchored_at,
    note,
    JSON.stringify(sealed),
  );
}

/** Adds a line to the note of an epoch, behind those that it has. `line`: with its newline. */
export async function addNoteLine(writer: Writer, epochNo: number, line: string): Promise<void> {
  const changed = await writer.run("UPDATE epochs SET note = note || $1 WHERE epoch_no = $2", line, epochNo);
  expectMoved(changed, `epoch ${epochNo} of the service log`);
}

/** Resolves to the newest epoch, without members; null before the first. */
export async function newestEpoch(reader: Reader): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} ORDER BY epoch_no DESC LIMIT 1`));
}

/** Resolves to an epoch by its id, or null. */
export async function findEpoch(reader: Reader, anchorId: string): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE anchor_epoch_id = $1`, anchorId));
}

/** Resolves to an epoch by its number, or null. */
export async function epochByNo(reader: Reader, epochNo: number): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE epoch_no = $1`, epochNo));
}

/** Resolves to the epoch of a size of the log; null if none was published at it. */
export async function epochOfSize(reader: Reader, logSize: number): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE log_size = $1`, logSize));
}

/** Resolves to the epochs behind a number, ascending, `most` at most. */
export async function epochsAfter(reader: Reader, afterNo: number, most: number): Promise<Anchor[]> {
  const rows = await reader.all<Row>(`${SELECT} WHERE epoch_no > $1 ORDER BY epoch_no LIMIT $2`, afterNo, most);
  return rows.map(fromRow);
}

/** Returns a note with its first lines only: lines of witnesses can be added behind them at any time. */
export function noteWithLines(note: string, lines: number): string {
  const parsedNote = parseNote(note);
  return parsedNote === null ? note : encodeNote(parsedNote.text, parsedNote.lines.slice(0, lines));
}

function parsed(row: Row | null): Anchor | null {
  return row === null ? null : fromRow(row);
}

function fromRow({ document, note }: Row): Anchor {
  const sealed = JSON.parse(document) as Omit<Anchor, "note" | "members" | "evidence">;
  return { ...sealed, note, members: [], evidence: null };
}
