/** The anchorings of epochs, their transactions, and the state of anchoring: all SQL about them. */
import { expectMoved, type Reader, type Writer } from "@svc/host/store";

/** The states of an epoch that was sent. Before, it is published. */
export type AnchoringState = "pending" | "mined" | "confirmed" | "failed";

/** The anchoring of an epoch. */
export interface AnchoringRow {
  readonly epoch_no: number;
  readonly log_size: number;
  readonly state: AnchoringState;
  readonly network: string;
  readonly contract: string;
  readonly sender: string;
  /** The number of its transaction; null where another process had sent it. */
  readonly nonce: number | null;
  readonly tx_hash: string;
  /** Null as long as it is not mined. */
  readonly block_number: number | null;
  readonly block_hash: string | null;
  /** At most, as long as it is not mined. */
  readonly cost_gwei: number;
  /** By earlier transactions. */
  readonly spent_gwei: number;
  /** A service time. */
  readonly begun_at: string;
  readonly problem: string | null;
}

/** A signed transaction of an anchoring. */
export interface TransactionRow {
  readonly tx_hash: string;
  readonly epoch_no: number;
  readonly nonce: number;
  readonly raw: string;
  /** Decimal digits, like the tip. */
  readonly max_fee_wei: string;
  readonly tip_wei: string;
  readonly max_cost_gwei: number;
  /** A service time. */
  readonly sent_at: string;
  /** The newest block at that time. */
  readonly head_number: number;
}

/** The last sight of the chain, and the reason why anchoring does not go on. */
export interface AnchoringStatus {
  readonly head_number: number | null;
  readonly balance_gwei: number | null;
  readonly nonce: number | null;
  readonly problem: string | null;
  readonly problem_since: string | null;
}

const COLUMNS =
  "epoch_no, log_size, state, network, contract, sender, nonce, tx_hash, block_number, block_hash, cost_gwei, " +
  "spent_gwei, begun_at, problem";
const SELECT = `SELECT ${COLUMNS} FROM anchorings`;
const IN_FLIGHT = "state IN ('pending', 'mined')";

/** Resolves to the anchorings that are on their way, in the order of their epochs. */
export function anchoringsInFlight(reader: Reader): Promise<AnchoringRow[]> {
  return reader.all<AnchoringRow>(`${SELECT} WHERE ${IN_FLIGHT} ORDER BY epoch_no`);
}

/** Resolves to the anchoring of the last epoch that was sent; null before the first. */
export function newestAnchoring(reader: Reader): Promise<AnchoringRow | null> {
  return reader.first<AnchoringRow>(`${SELECT} ORDER BY epoch_no DESC LIMIT 1`);
}

/** Resolves to the last anchoring that failed; null if none did. */
export function newestFailed(reader: Reader): Promise<AnchoringRow | null> {
  return reader.first<AnchoringRow>(`${SELECT} WHERE state = 'failed' ORDER BY epoch_no DESC LIMIT 1`);
}

/** Resolves to the anchoring of an epoch; null if it was not sent. */
export function anchoringOfEpoch(reader: Reader, epochNo: number): Promise<AnchoringRow | null> {
  return reader.first<AnchoringRow>(`${SELECT} WHERE epoch_no = $1`, epochNo);
}

/**
 * Resolves to the first anchoring of an epoch that covers a leaf of the log and has not failed; or else to the first
 * one; null if no such epoch was sent.
 */
export async function firstAnchoringOver(reader: Reader, leafIndex: number): Promise<AnchoringRow | null> {
  const over = `${SELECT} WHERE log_size > $1`;
  const alive = await reader.first<AnchoringRow>(`${over} AND state <> 'failed' ORDER BY log_size LIMIT 1`, leafIndex);
  return alive ?? reader.first<AnchoringRow>(`${over} ORDER BY log_size LIMIT 1`, leafIndex);
}

/** Writes an anchoring; it takes the place of one of the same epoch that has failed. */
export async function putAnchoring(writer: Writer, row: AnchoringRow): Promise<void> {
  const changed = await writer.run(
    `INSERT INTO anchorings (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
     ON CONFLICT (epoch_no) DO UPDATE SET
       state = excluded.state, network = excluded.network, contract = excluded.contract, sender = excluded.sender,
       nonce = excluded.nonce, tx_hash = excluded.tx_hash, block_number = excluded.block_number,
       block_hash = excluded.block_hash, cost_gwei = excluded.cost_gwei, spent_gwei = excluded.spent_gwei,
       begun_at = excluded.begun_at, problem = excluded.problem
     WHERE anchorings.state = 'failed'`,
    ...valuesOf(row),
  );
  expectMoved(changed, `the anchoring of epoch ${row.epoch_no}`);
}

/** Changes an anchoring that nobody has changed since it was read. */
export async function moveAnchoring(
  writer: Writer,
  before: AnchoringRow,
  changes: Partial<Omit<AnchoringRow, "epoch_no" | "log_size">>,
): Promise<void> {
  const after = { ...before, ...changes };
  const changed = await writer.run(
    `UPDATE anchorings SET state = $1, network = $2, contract = $3, sender = $4, nonce = $5, tx_hash = $6,
       block_number = $7, block_hash = $8, cost_gwei = $9, spent_gwei = $10, begun_at = $11, problem = $12
     WHERE epoch_no = $13 AND state = $14 AND tx_hash = $15`,
    ...valuesOf(after).slice(2),
    before.epoch_no,
    before.state,
    before.tx_hash,
  );
  expectMoved(changed, `the anchoring of epoch ${before.epoch_no}`);
}

/** Adds a transaction. */
export async function addTransaction(writer: Writer, row: TransactionRow): Promise<void> {
  await writer.run(
    `INSERT INTO anchor_transactions
       (tx_hash, epoch_no, nonce, raw, max_fee_wei, tip_wei, max_cost_gwei, sent_at, head_number)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    row.tx_hash,
    row.epoch_no,
    row.nonce,
    row.raw,
    row.max_fee_wei,
    row.tip_wei,
    row.max_cost_gwei,
    row.sent_at,
    row.head_number,
  );
}

/** Resolves to the transactions of an epoch. Their order says nothing: the clock that dates them can go back. */
export function transactionsOf(reader: Reader, epochNo: number): Promise<TransactionRow[]> {
  return reader.all<TransactionRow>(
    `SELECT tx_hash, epoch_no, nonce, raw, max_fee_wei, tip_wei, max_cost_gwei, sent_at, head_number
     FROM anchor_transactions WHERE epoch_no = $1 ORDER BY tx_hash`,
    epochNo,
  );
}

/** Deletes the transactions of all epochs up to one. */
export async function forgetTransactions(writer: Writer, upToEpochNo: number): Promise<void> {
  await writer.run("DELETE FROM anchor_transactions WHERE epoch_no <= $1", upToEpochNo);
}

/** Resolves to what was spent since a time, in gwei: at most, for what is not mined yet. `since`: a service time. */
export async function spentSince(reader: Reader, since: string): Promise<number> {
  const row = await reader.first<{ spent: number | null }>(
    "SELECT SUM(cost_gwei + spent_gwei) AS spent FROM anchorings WHERE begun_at >= $1",
    since,
  );
  return Number(row?.spent ?? 0);
}

/** Resolves to the state of anchoring; null before it has begun. */
export function anchoringStatus(reader: Reader): Promise<AnchoringStatus | null> {
  return reader.first<AnchoringStatus>(
    "SELECT head_number, balance_gwei, nonce, problem, problem_since FROM anchoring_state WHERE service_no = 1",
  );
}

/** Writes the state of anchoring. */
export async function putStatus(writer: Writer, status: AnchoringStatus): Promise<void> {
  await writer.run(
    `INSERT INTO anchoring_state (service_no, head_number, balance_gwei, nonce, problem, problem_since)
     VALUES (1, $1, $2, $3, $4, $5)
     ON CONFLICT (service_no) DO UPDATE SET
       head_number = excluded.head_number, balance_gwei = excluded.balance_gwei, nonce = excluded.nonce,
       problem = excluded.problem, problem_since = excluded.problem_since`,
    status.head_number,
    status.balance_gwei,
    status.nonce,
    status.problem,
    status.problem_since,
  );
}

function valuesOf(row: AnchoringRow) {
  return [
    row.epoch_no,
    row.log_size,
    row.state,
    row.network,
    row.contract,
    row.sender,
    row.nonce,
    row.tx_hash,
    row.block_number,
    row.block_hash,
    row.cost_gwei,
    row.spent_gwei,
    row.begun_at,
    row.problem,
  ];
}
