/**
 * Makes the package of one build, on whatever thread it is called: it chooses the evidence and writes the archive under
 * the names of unfinished files. It only reads the database. Whatever has to be stored or signed for it, it asks for.
 */
import { choiceOf, collectEvidence, NO_LIMITS, openCheckpointOver } from "../packs/collect-evidence.ts";
import { collectForks } from "../packs/collect-forks.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import { findStream, listedStream } from "../streams/streams-store.ts";
import { chosenBundle, rangesOf } from "./exports-store.ts";
import type { MadePackage, MakingCalls, MakingNeeds, PackageOrder } from "./making.ts";
import { type PackagedStream, writePackage } from "./write-package.ts";

/**
 * Makes the package of an order, and resolves to its hashes and its size; or to the missing evidence for which it
 * cannot be made. Rejects with PackageTooLarge, the errors of the file system and the store, and those of the calls.
 */
export async function makePackage(
  needs: MakingNeeds,
  order: PackageOrder,
  calls: MakingCalls,
): Promise<MadePackage | MissingEvidence> {
  const streams = await chooseEvidence(needs, order, calls);
  if ("missing" in streams) return streams;
  return {
    ...(await writePackage(needs, order, streams, calls)),
    streams: streams.length,
    lacksQuorum: streams.some(({ chosen }) => chosen.lacksQuorum === true),
  };
}

/**
 * Resolves to the choice for each stream, the same for every build of an export; or to the missing evidence of one.
 */
async function chooseEvidence(
  { database, kernel }: MakingNeeds,
  { build: { tenant_id, export_id } }: PackageOrder,
  { keep }: MakingCalls,
): Promise<PackagedStream[] | MissingEvidence> {
  const streams: PackagedStream[] = [];
  for (const range of await database.read((reader) => rangesOf(reader, export_id))) {
    const { stream_id } = range;
    const { stream, kept, open, evidence } = await database.read(async (reader) => {
      const found = await findStream(reader, tenant_id, stream_id);
      const listed = await listedStream(reader, tenant_id, stream_id);
      if (found === null || listed === null) throw new Error(`stream ${stream_id} of an export is missing`);
      const stream = { ...found, use_case: listed.use_case };
      const kept = await chosenBundle(reader, export_id, stream_id);
      // It is built only when its evidence is complete, or has been waited for.
      const open = kept === null ? await openCheckpointOver(reader, stream, range.to_seq_no) : null;
      const chosen = open === null ? kept : { window_count: open.checkpoint.window_count, statements: null };
      const collected = await collectEvidence(reader, kernel, stream, range, chosen, NO_LIMITS);
      const evidence =
        "missing" in collected
          ? collected
          : { ...collected, ...(await collectForks(reader, kernel, stream_id, collected, kept)) };
      return { stream, kept, open, evidence };
    });
    if ("missing" in evidence) return evidence;
    // The evidence itself is collected again when it is written: that of all streams would be held at once.
    const choice = { ...choiceOf(evidence, evidence.forks), ...(open === null ? {} : { lacksQuorum: true as const }) };
    streams.push({ stream, range, chosen: kept ?? (await keep(stream_id, choice)) });
  }
  return streams;
}
