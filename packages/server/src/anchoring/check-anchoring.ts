/**
 * Checks anchoring: that each anchoring is of an epoch, and that each epoch with evidence is the published one, sealed
 * by a key of the service, with evidence that holds.
 */
import {
  type Anchor,
  type AnchorEvidence,
  encodeHex,
  encodeNoteLine,
  type JsonObject,
  parseHex,
  parseNote,
  verify,
} from "@svc/core";
import { keccak256 } from "@svc/core/keccak";
import { difference, type Fault, type RawRow, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { sealFault } from "../keys/check-keys.ts";
import { checkTrust } from "../keys/check-trust.ts";
import { rawMined, rawTransactions, rawVoided } from "./rows-store.ts";

const PORTION = 200;
const STRAYS: readonly StrayRule[] = [
  {
    table: "anchorings",
    id: "epoch_no",
    fault: "there is no epoch of its number and size",
    where: "NOT EXISTS (SELECT 1 FROM epochs p WHERE p.epoch_no = e.epoch_no AND p.log_size = e.log_size)",
  },
  {
    table: "anchorings",
    id: "epoch_no",
    fault: "it is confirmed, and there is no evidence",
    where: "e.state = 'confirmed' AND NOT EXISTS (SELECT 1 FROM mined_epochs m WHERE m.epoch_no = e.epoch_no)",
  },
  {
    table: "mined_epochs",
    id: "epoch_no",
    fault: "its anchoring is not confirmed",
    where: "NOT EXISTS (SELECT 1 FROM anchorings a WHERE a.epoch_no = e.epoch_no AND a.state = 'confirmed')",
  },
  {
    table: "voided_epochs",
    id: "epoch_no",
    fault: "its epoch was never sent",
    where: "NOT EXISTS (SELECT 1 FROM anchorings a WHERE a.epoch_no = e.epoch_no)",
  },
  {
    table: "anchor_transactions",
    id: "tx_hash",
    fault: "it is of no anchoring",
    where: "NOT EXISTS (SELECT 1 FROM anchorings a WHERE a.epoch_no = e.epoch_no)",
  },
];

/** Yields the faults of anchorings and of the evidence of epochs. */
export async function* checkAnchoring(context: CheckContext): AsyncGenerator<Fault> {
  yield* strayRows(context, STRAYS);
  yield* transactionFaults(context);
  for (let after = 0; ; ) {
    const from = after;
    context.onStep(`: epoch ${from + 1}`);
    const { rows, checked } = await context.database.read(async (reader) => ({
      rows: await rawMined(reader, from, PORTION),
      checked: { ...context, ...(await checkTrust(reader, context.origin, context.signer)) },
    }));
    for (const row of rows) {
      yield* minedFaults(checked, "mined_epochs", row);
      after = Number(row.epoch_no);
    }
    if (rows.length < PORTION) break;
  }
  yield* voidedFaults(context);
}

async function* voidedFaults(context: CheckContext): AsyncGenerator<Fault> {
  for (let [after, afterHash] = [0, ""]; ; ) {
    const from = [after, afterHash] as const;
    const { rows, checked } = await context.database.read(async (reader) => ({
      rows: await rawVoided(reader, ...from, PORTION),
      checked: { ...context, ...(await checkTrust(reader, context.origin, context.signer)) },
    }));
    for (const row of rows) {
      yield* minedFaults(checked, "voided_epochs", row);
      [after, afterHash] = [Number(row.epoch_no), `${row.block_hash}`];
    }
    if (rows.length < PORTION) return;
  }
}

async function* transactionFaults({ database }: CheckContext): AsyncGenerator<Fault> {
  for (let after = ""; ; ) {
    const from = after;
    const rows = await database.read((reader) => rawTransactions(reader, from, PORTION));
    for (const { tx_hash, raw } of rows) {
      const bytes = parseHex(`${raw}`.slice(2));
      const hash = bytes === null ? "none" : `0x${encodeHex(keccak256(bytes))}`;
      if (hash !== tx_hash)
        yield {
          table: "anchor_transactions",
          row: { tx_hash: tx_hash ?? null },
          fault: `its bytes have the hash ${hash}`,
        };
      after = `${tx_hash}`;
    }
    if (rows.length < PORTION) return;
  }
}

type Sealed = Omit<Anchor, "note" | "members" | "evidence">;

/** The faults of evidence in use, or kept aside. */
function* minedFaults(
  { kernel, keys, trust }: CheckContext,
  table: "mined_epochs" | "voided_epochs",
  row: RawRow,
): Generator<Fault> {
  const { epoch_no: no = null, block_hash: hash = null } = row;
  const key = table === "mined_epochs" ? { epoch_no: no } : { epoch_no: no, block_hash: hash };
  const faultOf = (fault: string): Fault => ({ table, row: key, fault });
  const json = <Value>(column: string): Value | null => {
    const parsed = kernel.parseJson(Buffer.from(`${row[column]}`));
    return parsed.ok ? (parsed.value as Value) : null;
  };
  const [sealed, evidence] = [json<Sealed & JsonObject>("document"), json<AnchorEvidence & JsonObject>("evidence")];
  // That the epoch itself is missing, or no JSON, others tell.
  const epoch = json<Sealed & JsonObject>("e_document");
  if (sealed === null || evidence === null) return yield faultOf("its document or its evidence is not JSON");
  const { epoch_no, log_size, block_number, block_hash, anchor_epoch_id, epoch_root, origin } = sealed;
  const { anchored_at, tx_hash, contract, network, seal } = sealed;
  const columns = { epoch_no, network, block_number, block_hash, anchored_at };
  const inUse = { log_size, a_tx_hash: tx_hash, a_contract: contract, a_network: network };
  const fault = difference(table, key, row, table === "mined_epochs" ? { ...columns, ...inUse } : columns);
  if (fault !== null) yield fault;
  if (epoch !== null) {
    const published = { epoch_no: epoch.epoch_no, log_size: epoch.log_size, anchor_epoch_id: epoch.anchor_epoch_id };
    const other = difference(
      table,
      key,
      { epoch_no, log_size, anchor_epoch_id, epoch_root, origin },
      { ...published, epoch_root: epoch.epoch_root, origin: epoch.origin },
    );
    if (other !== null) yield other;
    if (anchored_at < epoch.anchored_at) yield faultOf(`it has the time ${anchored_at}, before the epoch's`);
  }
  const late = sealFault(keys, seal?.kid, anchored_at);
  if (late !== null) yield faultOf(late);
  const [, ...others] = parseNote(`${row.e_note}`)?.lines ?? [];
  const anchor = { ...sealed, evidence, members: [], note: `${row.note}${others.map(encodeNoteLine).join("")}` };
  const pinned = { ...trust, blocks: [{ network: `${network}`, number: block_number ?? 0, hash: `${block_hash}` }] };
  const report = verify(kernel.canonicalize(anchor), { kind: "anchor", trust: pinned, kernel });
  for (const { code, path, message } of report.problems) yield faultOf(`${code} at ${path}: ${message}`);
  if (report.problems.length === 0 && report.assurance.anchored !== "pinned")
    yield faultOf("its evidence does not lead to its block");
}
