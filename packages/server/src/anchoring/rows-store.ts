/** Whole rows of anchoring as the database stores them, for checking: all SQL about them. */
import type { RawRow } from "@svc/host/checks";
import type { Reader } from "@svc/host/store";

/** Resolves to the epochs with evidence behind a number, in order, each with its published row as `e_...`. */
export function rawMined(reader: Reader, afterNo: number, most: number): Promise<RawRow[]> {
  return reader.all(
    `SELECT m.*, e.document AS e_document, e.note AS e_note, a.tx_hash AS a_tx_hash, a.contract AS a_contract, a.network AS a_network
     FROM mined_epochs m LEFT JOIN epochs e ON e.epoch_no = m.epoch_no LEFT JOIN anchorings a ON a.epoch_no = m.epoch_no
     WHERE m.epoch_no > $1 ORDER BY m.epoch_no LIMIT $2`,
    afterNo,
    most,
  );
}

/** Resolves to the evidence that is kept aside behind an epoch and a block, in order, as `rawMined` does. */
export function rawVoided(reader: Reader, afterNo: number, afterHash: string, most: number): Promise<RawRow[]> {
  return reader.all(
    `SELECT v.*, e.document AS e_document, e.note AS e_note
     FROM voided_epochs v LEFT JOIN epochs e ON e.epoch_no = v.epoch_no
     WHERE v.epoch_no >= $1 AND (v.epoch_no > $1 OR v.block_hash > $2) ORDER BY v.epoch_no, v.block_hash LIMIT $3`,
    afterNo,
    afterHash,
    most,
  );
}

/** Resolves to the transactions behind a hash, in the order of their hashes. */
export function rawTransactions(reader: Reader, afterHash: string, most: number): Promise<RawRow[]> {
  return reader.all(
    "SELECT tx_hash, raw FROM anchor_transactions WHERE tx_hash > $1 ORDER BY tx_hash LIMIT $2",
    afterHash,
    most,
  );
}
