/** The evidence that is kept aside while its block is gone from the chain: all SQL about it. */
import type { Anchor, AnchorEvidence } from "@svc/core";
import { expectMoved, type Reader, type Writer } from "@svc/host/store";
import { deleteMined, type MinedBlock } from "../service-log/mined-store.ts";

/** The most pieces that are kept aside for one epoch: a node could make up blocks without end. */
const MOST_OF_EPOCH = 8;

/** Evidence that is kept aside. Its place is that of its block. */
export interface VoidedEpoch extends MinedBlock {
  readonly network: string;
  readonly note: string;
  readonly evidence: string;
  readonly document: string;
}

const COLUMNS = "epoch_no, block_hash, network, block_number, anchored_at, note, evidence, document";
const OF_VOIDED = COLUMNS.replaceAll(/\w+/g, "v.$&");

/** Takes the evidence of an epoch out of use. It is kept aside, where there is room. */
export async function voidMined(writer: Writer, mined: MinedBlock): Promise<void> {
  await writer.run(
    `INSERT INTO voided_epochs (${COLUMNS})
     SELECT ${COLUMNS} FROM mined_epochs
     WHERE epoch_no = $1 AND block_hash = $2 AND (SELECT COUNT(*) FROM voided_epochs WHERE epoch_no = $1) < $3
     ON CONFLICT (epoch_no, block_hash) DO NOTHING`,
    mined.epoch_no,
    mined.block_hash,
    MOST_OF_EPOCH,
  );
  await deleteMined(writer, mined);
}

/** Deletes a piece that comes into use again. */
export async function deleteVoided(writer: Writer, { epoch_no, block_hash }: MinedBlock): Promise<void> {
  const changed = await writer.run(
    "DELETE FROM voided_epochs WHERE epoch_no = $1 AND block_hash = $2",
    epoch_no,
    block_hash,
  );
  expectMoved(changed, `the evidence of epoch ${epoch_no} that is kept aside`);
}

/** Resolves to the pieces of an epoch in a chain, the earliest block first. */
export function voidedOfEpoch(reader: Reader, network: string, epochNo: number): Promise<VoidedEpoch[]> {
  return reader.all<VoidedEpoch>(
    `SELECT ${COLUMNS} FROM voided_epochs WHERE epoch_no = $1 AND network = $2 ORDER BY block_number, block_hash`,
    epochNo,
    network,
  );
}

/**
 * Resolves to pieces of a chain that are earlier than the evidence in use of their epochs, or of epochs without any: in
 * the order of their blocks, `most` at most. `after`: the piece before the first; null for the beginning.
 */
export function earlierVoided(
  reader: Reader,
  network: string,
  after: MinedBlock | null,
  most: number,
): Promise<VoidedEpoch[]> {
  return reader.all<VoidedEpoch>(
    `SELECT ${OF_VOIDED} FROM voided_epochs v LEFT JOIN mined_epochs m ON m.epoch_no = v.epoch_no
     WHERE v.network = $1 AND v.block_number >= $2
       AND (v.block_number > $2 OR v.epoch_no > $3 OR (v.epoch_no = $3 AND v.block_hash > $4))
       AND (m.epoch_no IS NULL OR (m.network = v.network AND v.block_number < m.block_number))
     ORDER BY v.block_number, v.epoch_no, v.block_hash LIMIT $5`,
    network,
    after?.block_number ?? 0,
    after?.epoch_no ?? 0,
    after?.block_hash ?? "",
    most,
  );
}

/** Returns the epoch with its evidence, without members. */
export function voidedAnchor({ note, evidence, document }: VoidedEpoch): Anchor {
  const sealed = JSON.parse(document) as Omit<Anchor, "note" | "members" | "evidence">;
  return { ...sealed, note, members: [], evidence: JSON.parse(evidence) as AnchorEvidence };
}
