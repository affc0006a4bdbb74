/**
 * Checks the evidence of each checkpoint as an auditor would get it: a bundle that core verifies, linked to the
 * checkpoint before it.
 */
import {
  type Checkpoint,
  issueBundle,
  type Kernel,
  keyHint,
  verify,
  type WitnessPolicy,
  type WitnessStatement,
  witnessPolicyDigest,
} from "@svc/core";
import type { Fault, RawRow } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { cosignsHere } from "../policies/own-witness.ts";
import { documentOf } from "../sealing/document-of.ts";
import { COSIGN } from "../sealing/make-checkpoints.ts";
import { awaitsCosigning, rawCheckpoints, rawStatements } from "../sealing/rows-store.ts";
import { eachStream } from "../streams/each-stream.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { collectEvidence, statementName } from "./collect-evidence.ts";
import { missingInWords } from "./missing-evidence.ts";

const PORTION = 100;
const BUNDLE_ID = `bundle_${"0".repeat(26)}`;
const UNUSED_TIME = "1970-01-01T00:00:00.000Z";

/** Yields the faults in the evidence of all checkpoints that can be read. */
export function checkBundles(context: CheckContext): AsyncGenerator<Fault> {
  return eachStream(context, bundlesOf);
}

async function* bundlesOf(context: CheckContext, stream: StreamRow): AsyncGenerator<Fault> {
  const { database, kernel, onStep } = context;
  let before: Checkpoint | null = null;
  for (;;) {
    const after: number = before?.checkpoint_no ?? 0;
    onStep(`: the evidence of checkpoint ${after + 1}`);
    const rows: RawRow[] = await database.read((reader) => rawCheckpoints(reader, stream.stream_id, after, PORTION));
    if (rows.length === 0) return;
    for (const row of rows) {
      const checkpoint: Checkpoint | null = documentOf<Checkpoint>(kernel, row);
      // The check of the checkpoints' rows reports this fault.
      if (checkpoint === null) return;
      yield* bundleFaults(context, stream, checkpoint, before);
      before = { ...checkpoint, checkpoint_no: Number(row.checkpoint_no) };
    }
  }
}

/** Yields the problems that core finds in a checkpoint with all evidence under it. */
async function* bundleFaults(
  { database, kernel, origin, signer, trust }: CheckContext,
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
        // Nobody can say when witnesses in other processes cosign; the one in this server has its own message.
        waits:
          needsOthers(kernel, origin, evidence.witnesses.witness_policies, checkpoint) ||
          (await awaitsCosigning(reader, COSIGN, checkpoint.checkpoint_id)),
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
    // The bundle has no anchors: they are checked with their epochs, and when one comes nobody can say.
    for (const { code, path, message } of report.problems)
      if (!(waits && code === "witness_quorum_unmet") && code !== "anchor_missing")
        yield { table: tableOf(path), row, fault: `${code} at ${path}: ${message}` };
  } catch (error) {
    yield unreadable((error as Error).message);
  }
}

/** Returns whether the witness in the server alone cannot meet the witness policy of a checkpoint. */
function needsOthers(
  kernel: Kernel,
  origin: string,
  policies: readonly WitnessPolicy[],
  { witness_policy_digest }: Checkpoint,
): boolean {
  const named = policies.find((policy) => witnessPolicyDigest(kernel, policy) === witness_policy_digest);
  if (named === undefined) return false;
  const own = named.witnessKeys.filter((key) => cosignsHere(key, origin)).map(({ witness_id }) => witness_id);
  return named.threshold > new Set(own).size;
}

/** Returns the table from which a part of a bundle comes. */
function tableOf(path: string): string {
  const [, part] = /^\/artifacts\/(\w+)\.json/.exec(path) ?? [];
  const tables: Readonly<Record<string, string>> = {
    receipts: "events",
    windows: "windows",
    witnesses: "witness_statements",
  };
  return tables[part ?? ""] ?? "checkpoints";
}
