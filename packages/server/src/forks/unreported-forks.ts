/**
 * Looks for forks that nobody has handed in: a note that the service's own witness has cosigned, and a checkpoint of
 * the database over as many windows, both signed by the service, that state two trees; and likewise the note of a
 * published epoch. Such a database is older than the witness's memory, or a copy.
 */
import { type Checkpoint, findFork, type JsonObject, type Kernel, parseNote, verify } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import { serviceTime, systemClock } from "@svc/host/clock";
import type { Reader } from "@svc/host/store";
import type { CheckContext } from "../check-context.ts";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { newId } from "../ids.ts";
import { documentOf } from "../sealing/document-of.ts";
import { rawCheckpoint } from "../sealing/rows-store.ts";
import { epochOfSize } from "../service-log/epochs-store.ts";
import type { RememberedTree } from "../witness-memory/memory-store.ts";
import { forkOfSides } from "./forks-store.ts";
import { contradictionHash } from "./stored-form.ts";

/** The number of trees that are read at a time. */
const PORTION = 500;

/** Yields a fault with its evidence for each fork that the database does not keep. */
export async function* unreportedForks(context: CheckContext): AsyncGenerator<Fault> {
  const { witnessMemory } = context;
  if (witnessMemory === null) return;
  try {
    for (let after = ""; ; ) {
      const trees = await witnessMemory.list(after, PORTION);
      for (const tree of trees) {
        const fault = await forkIn(context, tree);
        if (fault !== null) yield fault;
      }
      const last = trees.at(-1);
      if (last === undefined) return;
      after = last.origin;
    }
  } catch (error) {
    // The check of the memory itself reports a damaged one.
    if (!(error instanceof DataFolderError)) throw error;
  }
}

async function forkIn(
  { database, kernel, trust, origin: serviceOrigin }: CheckContext,
  { origin, treeSize, note }: RememberedTree,
): Promise<Fault | null> {
  const isLog = origin === serviceOrigin;
  const streamId = isLog ? null : origin.slice(origin.lastIndexOf("/") + 1);
  const stored = await database.read((reader) =>
    streamId === null ? noteOfEpoch(reader, treeSize) : noteOfCheckpoint(reader, kernel, streamId, treeSize),
  );
  // Witnesses add lines to a note, which change nothing of what it states.
  if (stored === null || parseNote(stored)?.text === parseNote(note)?.text) return null;
  const names = { fork_id: newId("frk"), detected_at: serviceTime(systemClock()), trust, kernel };
  const fork = findFork(note, stored, { ...names, kinds: ["note"] });
  if (fork === null || !verify(kernel.canonicalize(fork), { kind: "fork", trust, kernel }).ok) return null;
  const hash = contradictionHash(kernel, fork);
  if ((await database.read((reader) => forkOfSides(reader, fork.stream_id, hash))) !== null) return null;
  const proof =
    "the database has another, and the service signed both: fsck --json has the proof, which POST /v2/forks keeps";
  return {
    table: isLog ? "log_forks" : "forks",
    row: isLog ? { origin } : { stream_id: streamId },
    fault: isLog
      ? `an epoch over ${treeSize} checkpoints was published with one root, ${proof}`
      : `the witness has cosigned one tree of ${treeSize} windows, ${proof}`,
    evidence: fork as unknown as JsonObject,
  };
}

async function noteOfCheckpoint(
  reader: Reader,
  kernel: Kernel,
  streamId: string,
  windowCount: number,
): Promise<string | null> {
  const row = await rawCheckpoint(reader, streamId, windowCount);
  const note = row === null ? undefined : documentOf<Checkpoint>(kernel, row)?.note;
  return typeof note === "string" ? note : null;
}

async function noteOfEpoch(reader: Reader, logSize: number): Promise<string | null> {
  try {
    return (await epochOfSize(reader, logSize))?.note ?? null;
  } catch (error) {
    // The check of the epochs reports a document that is no JSON.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
