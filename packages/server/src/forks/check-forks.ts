/**
 * Checks evidence of forks: each document must verify by itself, and its row must be that of its statements. Evidence
 * against the service is never deleted, and this check does not know what is missing.
 */
import { type ForkEvidence, verify } from "@svc/core";
import { difference, type Fault, type RawRow } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { checkTrust } from "../keys/check-trust.ts";
import { documentOf } from "../sealing/document-of.ts";
import { forkTrust } from "./fork-trust.ts";
import { rawForks, streamEnd } from "./forks-store.ts";
import { contradictionHash } from "./stored-form.ts";
import { unreportedForks } from "./unreported-forks.ts";

const PORTION = 100;

/** Yields the faults of this evidence, and the forks that are not among it. */
export async function* checkForks(context: CheckContext): AsyncGenerator<Fault> {
  yield* checkKept(context);
  yield* unreportedForks(context);
}

async function* checkKept(context: CheckContext): AsyncGenerator<Fault> {
  for (const table of ["forks", "log_forks"] as const) {
    for (let after = ""; ; ) {
      const rows = await context.database.read((reader) => rawForks(reader, table, after, PORTION));
      for (const row of rows) yield* faultsOf(context, table, row);
      const last = rows.at(-1);
      if (last === undefined) break;
      after = String(last.fork_id);
    }
  }
}

async function* faultsOf(
  { database, kernel, origin, signer }: CheckContext,
  table: "forks" | "log_forks",
  row: RawRow,
): AsyncGenerator<Fault> {
  const key = { fork_id: row.fork_id ?? null };
  const fork = documentOf<ForkEvidence>(kernel, row);
  if (fork === null) return yield { table, row: key, fault: "its document is not JSON" };
  const streamId = fork.stream_id ?? null;
  const [trust, stream] = await database.read(async (reader) => {
    const own = await checkTrust(reader, origin, signer);
    const end = streamId === null ? null : await streamEnd(reader, streamId);
    return [{ ...own.trust, witnesses: (await forkTrust(reader, origin, end)).witnesses }, end] as const;
  });
  const report = verify(kernel.canonicalize(fork), { kind: "fork", trust, kernel });
  const [problem] = report.problems;
  if (problem !== undefined)
    return yield { table, row: key, fault: `${problem.code} at ${problem.path}: ${problem.message}` };
  const fault = difference(table, key, row, {
    fork_id: fork.fork_id,
    detected_at: fork.detected_at,
    sides_hash: contradictionHash(kernel, fork, report),
    ...(table === "forks" ? { stream_id: fork.stream_id, tenant_id: stream?.tenant_id ?? null } : {}),
  });
  if (fault !== null) yield fault;
}
