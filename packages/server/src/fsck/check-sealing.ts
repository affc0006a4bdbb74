/**
 * Windows, checkpoints and witness statements of one stream: each row against its document, and the evidence of each checkpoint as a bundle that
 * core verifies, linked to the checkpoint before it.
 */
import {
  type Checkpoint,
  checkpointHash,
  issueBundle,
  type Kernel,
  keyHint,
  type TrustPolicy,
  verify,
  type Window,
  type WitnessStatement,
  windowHash,
} from "@svc/core";
import type { Database } from "@svc/host/store";
import type { Context } from "../context.ts";
import type { KidSigner } from "../keys/file-signer.ts";
import { collectEvidence, statementName } from "../packs/collect-evidence.ts";
import { missingInWords } from "../packs/missing-evidence.ts";
import { COSIGN } from "../sealing/make-checkpoints.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import type { SigningKeyRow } from "../tenancy/service-store.ts";
import { sealFault } from "./check-keys.ts";
import { difference, type Fault } from "./fault.ts";
import { awaitsCosigning, type RawRow, rawCheckpoints, rawStatements, rawWindows } from "./rows-store.ts";

const PORTION = 100;
const BUNDLE_ID = `bundle_${"0".repeat(26)}`;
const UNUSED_TIME = "1970-01-01T00:00:00.000Z";

/** `signer`: a key that `trust` pins, for what is put together to be verified. */
export type SealingGround = Pick<Context, "kernel"> & {
  readonly database: Pick<Database, "read">;
  readonly signer: KidSigner;
  readonly keys: readonly SigningKeyRow[];
};

/** What the windows and checkpoints of a stream say of its row. */
export interface SealingEnd {
  readonly window_count: number;
  readonly windowed_to_seq_no: number;
  readonly checkpointed_window_count: number;
  readonly checkpointed_to_seq_no: number;
  /** The time that the last of them says; null where there is none. */
  readonly last_sealed_at: string | null;
}

/** Yields what is wrong with the windows, and returns the last one. */
export async function* checkWindows(
  { database, kernel, keys }: SealingGround,
  { stream_id, tenant_id }: StreamRow,
): AsyncGenerator<Fault, Omit<SealingEnd, "checkpointed_window_count" | "checkpointed_to_seq_no">> {
  let end = { window_count: 0, windowed_to_seq_no: 0, last_sealed_at: null as string | null };
  for (;;) {
    const after: number = end.window_count;
    const rows: RawRow[] = await database.read((reader) => rawWindows(reader, stream_id, after, PORTION));
    if (rows.length === 0) return end;
    for (const row of rows) {
      const window = documentOf<Window>(kernel, row);
      const key = { window_id: row.window_id ?? null };
      if (window === null) {
        yield { table: "windows", row: key, fault: "its document is not JSON" };
        continue;
      }
      const fault = difference("windows", key, row, {
        window_id: window.window_id,
        tenant_id,
        window_no: end.window_count + 1,
        from_seq_no: end.windowed_to_seq_no + 1,
        to_seq_no: window.to_seq_no,
        window_hash: hashOf(() => windowHash(kernel, window)),
      });
      if (fault !== null) yield fault;
      const late = sealFault(keys, window.seal?.kid, window.closed_at);
      if (late !== null) yield { table: "windows", row: key, fault: late };
      const { window_no, to_seq_no } = row;
      end = {
        window_count: Number(window_no),
        windowed_to_seq_no: Number(to_seq_no),
        last_sealed_at: window.closed_at,
      };
    }
  }
}

/** Yields what is wrong with the checkpoints and what they stand on, and returns the last one. */
export async function* checkCheckpoints(
  ground: SealingGround,
  trust: TrustPolicy,
  stream: StreamRow,
): AsyncGenerator<Fault, Omit<SealingEnd, "window_count" | "windowed_to_seq_no">> {
  const { database, kernel, keys } = ground;
  const { stream_id, tenant_id } = stream;
  let before: Checkpoint | null = null;
  for (;;) {
    const after: number = before?.checkpoint_no ?? 0;
    const rows: RawRow[] = await database.read((reader) => rawCheckpoints(reader, stream_id, after, PORTION));
    if (rows.length === 0)
      return {
        checkpointed_window_count: before?.window_count ?? 0,
        checkpointed_to_seq_no: before?.to_seq_no ?? 0,
        last_sealed_at: before?.created_at ?? null,
      };
    for (const row of rows) {
      const checkpoint: Checkpoint | null = documentOf<Checkpoint>(kernel, row);
      const key = { checkpoint_id: row.checkpoint_id ?? null };
      if (checkpoint === null) {
        yield { table: "checkpoints", row: key, fault: "its document is not JSON" };
        return {
          checkpointed_window_count: Number(row.window_count),
          checkpointed_to_seq_no: Number(row.to_seq_no),
          last_sealed_at: null,
        };
      }
      const fault = difference("checkpoints", key, row, {
        checkpoint_id: checkpoint.checkpoint_id,
        tenant_id,
        checkpoint_no: after === 0 && before === null ? 1 : (before?.checkpoint_no ?? 0) + 1,
        window_count: checkpoint.window_count,
        to_seq_no: checkpoint.to_seq_no,
        checkpoint_hash: hashOf(() => checkpointHash(kernel, checkpoint)),
        witness_policy_digest: checkpoint.witness_policy_digest,
      });
      if (fault !== null) yield fault;
      const late = sealFault(keys, checkpoint.seal?.kid, checkpoint.created_at);
      if (late !== null) yield { table: "checkpoints", row: key, fault: late };
      yield* statementFaults(ground, stream, checkpoint);
      yield* bundleFaults(ground, trust, stream, checkpoint, before);
      before = { ...checkpoint, checkpoint_no: Number(row.checkpoint_no) };
    }
  }
}

async function* statementFaults(
  { database, kernel }: SealingGround,
  { stream_id, tenant_id }: StreamRow,
  { checkpoint_id, window_count }: Checkpoint,
): AsyncGenerator<Fault> {
  const rows = await database.read((reader) => rawStatements(reader, checkpoint_id));
  for (const row of rows) {
    const key = { checkpoint_id, witness_id: row.witness_id ?? null, key_epoch: row.key_epoch ?? null };
    const statement = documentOf<WitnessStatement>(kernel, row);
    if (statement === null) {
      yield { table: "witness_statements", row: key, fault: "its document is not JSON" };
      continue;
    }
    const { witness_id, key_epoch } = statement;
    const expected = {
      tenant_id,
      stream_id,
      checkpoint_id: statement.checkpoint_id,
      witness_id,
      key_epoch,
      window_count,
    };
    const fault = difference("witness_statements", key, row, expected);
    if (fault !== null) yield fault;
  }
}

/** What core says of a checkpoint with all that is under it. */
async function* bundleFaults(
  { database, kernel, signer }: SealingGround,
  trust: TrustPolicy,
  stream: StreamRow,
  checkpoint: Checkpoint,
  before: Checkpoint | null,
): AsyncGenerator<Fault> {
  const { stream_id, tenant_id } = stream;
  const range = { from_seq_no: (before?.to_seq_no ?? 0) + 1, to_seq_no: checkpoint.to_seq_no };
  const row = { checkpoint_id: checkpoint.checkpoint_id, from_seq_no: range.from_seq_no, to_seq_no: range.to_seq_no };
  const unreadable = (why: string): Fault => ({
    table: "checkpoints",
    row,
    fault: `its evidence cannot be put together: ${why}`,
  });
  try {
    const read = await database.read(async (reader) => {
      const statements = await rawStatements(reader, checkpoint.checkpoint_id);
      const names = statements.flatMap((one) => {
        const statement = documentOf<WitnessStatement>(kernel, one);
        return statement === null ? [] : [statementName(statement)];
      });
      const chosen = { window_count: checkpoint.window_count, statements: names };
      const evidence = await collectEvidence(reader, kernel, stream, range, chosen);
      if ("missing" in evidence) return evidence;
      const rows = await eventsOfRange(reader, tenant_id, stream_id, evidence.from_seq_no, evidence.to_seq_no);
      return {
        evidence,
        records: rows.map((one) => recordOf(one, false)),
        waits: await awaitsCosigning(reader, COSIGN, checkpoint.checkpoint_id),
      };
    });
    if ("missing" in read) return yield unreadable(missingInWords(read));
    const { evidence, records, waits } = read;
    const bundle = await issueBundle(kernel, signer, {
      bundle_id: BUNDLE_ID,
      created_at: UNUSED_TIME,
      stream_id,
      ...evidence,
      records,
      key_hints: [keyHint(kernel, signer.publicKeyHex)],
      key_endorsements: [],
    });
    const known =
      before === null
        ? []
        : [{ stream_id, window_count: before.window_count, checkpoint_root: before.checkpoint_root }];
    const report = verify(kernel.canonicalize(bundle), {
      kind: "bundle",
      trust: { ...trust, known_checkpoints: known },
      kernel,
    });
    for (const { code, path, message } of report.problems)
      if (!(waits && code === "witness_quorum_unmet"))
        yield { table: tableOf(path), row, fault: `${code} at ${path}: ${message}` };
  } catch (error) {
    yield unreadable((error as Error).message);
  }
}

/** The table that a part of a bundle comes from. */
function tableOf(path: string): string {
  const [, part] = /^\/artifacts\/(\w+)\.json/.exec(path) ?? [];
  const tables: Readonly<Record<string, string>> = {
    receipts: "events",
    windows: "windows",
    witnesses: "witness_statements",
  };
  return tables[part ?? ""] ?? "checkpoints";
}

/** A row's document, read strictly; null where it is not JSON. */
function documentOf<Document>(kernel: Kernel, { document }: RawRow): Document | null {
  const parsed = kernel.parseJson(Buffer.from(String(document)));
  return parsed.ok ? (parsed.value as Document) : null;
}

/** A hash; what it is of may have lost the members that it is made of. */
function hashOf(hash: () => string): string {
  try {
    return hash();
  } catch {
    return "the hash of a whole document";
  }
}
