/**
 * Makes one archive file, on whatever thread it is called: a bundle like an audit pack of its range, with the payloads,
 * under the name of an unfinished file. It reads the file back and has core verify it with the deployment's own keys
 * before it says that it is made. It only reads the database.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { encodeHex, type Kernel, type TrustPolicy, verify, writeBundle } from "@svc/core";
import { latest } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import type { ArchivedPayloads } from "../archived/archived-payloads.ts";
import { NO_PLACE, placeText } from "../archived/places.ts";
import { writeFileOf } from "../exports/write-artifact.ts";
import { collectEvidence, NO_LIMITS } from "../packs/collect-evidence.ts";
import { evidenceKernel } from "../packs/evidence-kernel.ts";
import { payloadsOfRange, recordsOf } from "../packs/read-records.ts";
import { ownTrust } from "../signing/service-store.ts";
import type { SigningKey } from "../signing/signing-key.ts";
import { payloadHashesOfRange } from "../streams/events-store.ts";
import { findStream } from "../streams/streams-store.ts";
import { payloadsInFile } from "./payloads-in-file.ts";

/** The file to make, as plain values that can cross to another thread. */
export interface ArchiveOrder {
  readonly tenantId: string;
  readonly streamId: string;
  /** The events whose payloads it holds. */
  readonly range: { readonly from_seq_no: number; readonly to_seq_no: number };
  readonly bundleId: string;
  readonly createdAt: string;
  /** The deployment's evidence origin. */
  readonly origin: string;
  /** The path of the new file. */
  readonly path: string;
  readonly maxBytes: number;
}

/** The capabilities on the thread that makes it. */
export interface ArchiveNeeds {
  readonly database: Pick<Database, "read">;
  readonly kernel: Kernel;
  readonly signingKey: Pick<SigningKey, "current" | "carried">;
  readonly archived: ArchivedPayloads;
}

/** A file that is on the disk and verified. */
export interface MadeArchive {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly places: string;
  /** The number of payloads that it holds. */
  readonly payloads: number;
}

/**
 * Makes the file of an order. Rejects with PackageTooLarge, with Error if it does not verify, and with the errors of
 * the store and the file system. A payload that is erased meanwhile can be in it: the caller has to find out.
 */
export async function makeArchive(needs: ArchiveNeeds, order: ArchiveOrder): Promise<MadeArchive> {
  const { database, signingKey, archived } = needs;
  const { range } = order;
  const kernel = evidenceKernel(needs.kernel);
  const { stream, evidence, signer, carried, trust } = await database.read(async (reader) => {
    const stream = await findStream(reader, order.tenantId, order.streamId);
    if (stream === null) throw new Error(`stream ${order.streamId} is missing from the database`);
    const evidence = await collectEvidence(reader, needs.kernel, stream, range, null, NO_LIMITS);
    if ("missing" in evidence) throw new Error(`evidence of ${order.streamId} is missing from the database`);
    const signer = await signingKey.current(reader);
    const carried = await signingKey.carried(reader);
    return { stream, evidence, signer, carried, trust: await ownTrust(reader, order.origin) };
  });
  const pieces = writeBundle(kernel, signer, {
    bundle_id: order.bundleId,
    created_at: latest(order.createdAt, signer.validFrom),
    stream_id: order.streamId,
    ...evidence,
    records: recordsOf(database, stream, evidence),
    payloads: payloadsOfRange({ database, archived }, stream, range),
    ...carried,
  });
  const pulse = async () => undefined;
  await writeFileOf(order.path, pieces, { maxBytes: order.maxBytes, sync: true, pulse });
  return verifiedFile(needs, order, trust);
}

/** Reads a new file as a verifier would, and resolves to what is noted of it. */
async function verifiedFile(
  { database, kernel }: ArchiveNeeds,
  { streamId, range, path }: ArchiveOrder,
  trust: TrustPolicy,
): Promise<MadeArchive> {
  const bytes = await readFile(path);
  const report = verify(bytes, { kind: "bundle", trust, kernel });
  const [problem] = report.problems;
  if (problem !== undefined || report.verdict !== "verified")
    throw new Error(
      `a new archive file of ${streamId} does not verify: ${problem?.code ?? report.verdict} at ${problem?.path ?? ""}`,
    );
  const { from_seq_no, to_seq_no } = range;
  const rows = await database.read((reader) => payloadHashesOfRange(reader, streamId, from_seq_no, to_seq_no));
  const byId = new Map(rows.map((row) => [row.stream_event_id, row]));
  const places = Array.from({ length: to_seq_no - from_seq_no + 1 }, () => NO_PLACE);
  let payloads = 0;
  for (const { eventId, salt, place } of payloadsInFile(bytes)) {
    const row = byId.get(eventId);
    const text = bytes.toString("utf8", place.offset, place.offset + place.length);
    const hashed = kernel.taggedHash("payload", Buffer.from(`{"payload":${text},"salt":"${salt}"}`));
    if (row === undefined || encodeHex(hashed) !== row.payload_hash)
      throw new Error(`a new archive file of ${streamId} has another payload than event ${eventId}`);
    places[row.seq_no - from_seq_no] = placeText(place);
    payloads += 1;
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { sha256, sizeBytes: bytes.length, places: places.join(""), payloads };
}
