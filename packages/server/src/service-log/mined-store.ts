/**
 * The epochs of the service log with their evidence from a chain: all SQL about them. Such an epoch is sealed anew,
 * since its block is under the seal; its note has the same text, and the lines of the published one.
 */
import { type Anchor, type AnchorEvidence, encodeNoteLine, parseNote } from "@svc/core";
import { expectMoved, type Reader, type Writer } from "@svc/host/store";

interface Row {
  readonly note: string;
  readonly evidence: string;
  readonly document: string;
  /** The note of the published epoch. */
  readonly published_note: string;
}

/** The block in whose state an epoch was shown. */
export interface MinedBlock {
  readonly epoch_no: number;
  readonly block_number: number;
  readonly block_hash: string;
  /** A service time: when it counted as final. */
  readonly anchored_at: string;
}

const SELECT = `SELECT m.note, m.evidence, m.document, e.note AS published_note
  FROM mined_epochs m JOIN epochs e ON e.epoch_no = m.epoch_no`;

/** Inserts an epoch with its evidence. It has no members. */
export async function insertMined(
  writer: Writer,
  { note, members: _members, evidence, ...sealed }: Anchor,
): Promise<void> {
  await writer.run(
    `INSERT INTO mined_epochs
       (epoch_no, log_size, network, block_number, block_hash, anchored_at, note, evidence, document)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    sealed.epoch_no,
    sealed.log_size,
    sealed.network,
    sealed.block_number,
    sealed.block_hash,
    sealed.anchored_at,
    note,
    JSON.stringify(evidence),
    JSON.stringify(sealed),
  );
}

/** Deletes the evidence of an epoch, whose block the chain has removed, or that gives way to an earlier one. */
export async function deleteMined(writer: Writer, { epoch_no, block_hash }: MinedBlock): Promise<void> {
  const changed = await writer.run(
    "DELETE FROM mined_epochs WHERE epoch_no = $1 AND block_hash = $2",
    epoch_no,
    block_hash,
  );
  expectMoved(changed, `the evidence of epoch ${epoch_no}`);
}

/** Resolves to the highest block of a chain that evidence is of; null if none is. */
export function highestMinedBlock(reader: Reader, network: string): Promise<MinedBlock | null> {
  return reader.first<MinedBlock>(
    `SELECT epoch_no, block_number, block_hash, anchored_at FROM mined_epochs WHERE network = $1
     ORDER BY block_number DESC, epoch_no DESC LIMIT 1`,
    network,
  );
}

/** Resolves to the number of the last epoch that has evidence; 0 if none has. */
export async function newestMinedNo(reader: Reader): Promise<number> {
  const sql = "SELECT epoch_no FROM mined_epochs ORDER BY epoch_no DESC LIMIT 1";
  return (await reader.first<{ epoch_no: number }>(sql))?.epoch_no ?? 0;
}

/** Resolves to the size of the log that the last epoch with evidence covers; 0 if none has. */
export async function minedSize(reader: Reader): Promise<number> {
  const row = await reader.first<{ log_size: number }>(
    "SELECT log_size FROM mined_epochs ORDER BY log_size DESC LIMIT 1",
  );
  return row?.log_size ?? 0;
}

/** Resolves to the last epoch that has evidence, with it; null if none has. */
export async function newestMined(reader: Reader): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} ORDER BY m.epoch_no DESC LIMIT 1`));
}

/** Resolves to an epoch with its evidence; null if it has none. */
export async function minedByNo(reader: Reader, epochNo: number): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE m.epoch_no = $1`, epochNo));
}

/** Resolves to the first epoch with evidence that covers a leaf, and so to the earliest time; null if none does. */
export async function firstMinedOver(reader: Reader, leafIndex: number): Promise<Anchor | null> {
  return parsed(await reader.first<Row>(`${SELECT} WHERE m.log_size > $1 ORDER BY m.log_size LIMIT 1`, leafIndex));
}

/** Resolves to the number of that epoch alone, or null. */
export async function firstMinedNo(reader: Reader, leafIndex: number): Promise<number | null> {
  const sql = "SELECT epoch_no FROM mined_epochs WHERE log_size > $1 ORDER BY log_size LIMIT 1";
  return (await reader.first<{ epoch_no: number }>(sql, leafIndex))?.epoch_no ?? null;
}

function parsed(row: Row | null): Anchor | null {
  if (row === null) return null;
  const sealed = JSON.parse(row.document) as Omit<Anchor, "note" | "members" | "evidence">;
  // The first line is by the service itself.
  const [, ...others] = parseNote(row.published_note)?.lines ?? [];
  return {
    ...sealed,
    note: `${row.note}${others.map(encodeNoteLine).join("")}`,
    members: [],
    evidence: JSON.parse(row.evidence) as AnchorEvidence,
  };
}
