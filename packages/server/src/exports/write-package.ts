/**
 * Writes a truth package in constant memory (protocol section 15). An archive states sizes and checksums before
 * contents, so the artifacts are first written to separate files, record by record, and then copied into the archive.
 * The same export gives the same bytes, unless one of its payloads is erased in between.
 */
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import {
  ARTIFACT_PATHS,
  type ArtifactPath,
  encodeHex,
  eventLine,
  eventsHeading,
  type Hasher,
  type HashHex,
  type JsonObject,
  MANIFEST_PATH,
  type NewEntry,
  type PackageRange,
  type Signer,
  sealPackageManifest,
  storedEntry,
  writeArchive,
  writeBundle,
} from "@svc/core";
import { possessionHasher } from "@svc/core/possession";
import { latest } from "@svc/host/clock";
import { randomBytes } from "@svc/host/random";
import { collectEvidence, NO_LIMITS } from "../packs/collect-evidence.ts";
import { collectForks } from "../packs/collect-forks.ts";
import { noPayloads, payloadsOfRange, recordsOf, rowsOfRange } from "../packs/read-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import type { BuiltPackage, ChosenBundle } from "./exports-store.ts";
import type { MakingCalls, MakingNeeds, PackageOrder } from "./making.ts";
import type { BuildName, PackageFiles } from "./package-files.ts";
import { hashOfProof } from "./proof-of-possession.ts";
import { type WrittenFile, writeFileOf } from "./write-artifact.ts";

/** A stream of the package: its row, the requested range, and the evidence that was chosen for it. */
export interface PackagedStream {
  readonly stream: StreamRow & { readonly use_case: string };
  readonly range: PackageRange;
  readonly chosen: ChosenBundle;
}

/** The content of a package. Streams ascend by id. */
interface PackagePlan extends PackageOrder {
  readonly streams: readonly PackagedStream[];
}

/** The capabilities, with the key that seals this package. */
type Sealing = MakingNeeds & { readonly signer: Signer };

const PIECE_BYTES = 1024 * 1024;
const CHALLENGE_BYTES = 32;
/** Node's hash is eight times as fast as the kernel's; the answer to a challenge is the same with any. */
const NODE = { hasher: (): Hasher => createHash("sha256") };
const COMMA = Buffer.from(",");

/**
 * Writes the parts and then the archive, all under names of unfinished files, and resolves to the hashes and the size
 * of the archive. Rejects with PackageTooLarge, the errors of the file system, and those of `pulse`.
 */
export async function writePackage(
  needs: MakingNeeds,
  order: PackageOrder,
  streams: readonly PackagedStream[],
  { pulse, sign }: Pick<MakingCalls, "pulse" | "sign">,
): Promise<BuiltPackage> {
  const { kernel, files } = needs;
  const { key, carried, maxBytes } = order;
  const signer: Signer = { publicKeyHex: key.publicKeyHex, sign };
  const context = { ...needs, signer };
  // A key may have been rotated since the export was first packaged.
  const plan = { ...order, streams, packagedAt: latest(order.packagedAt, key.validFrom) };
  const contents: Readonly<Record<ArtifactPath, () => AsyncIterable<Uint8Array>>> = {
    "events.csv": () => eventsOf(context, plan),
    "manifest.json": () => once(kernel.canonicalize(about(plan))),
    "proofs.json": () => proofsOf(context, plan),
  };
  const written = new Map<ArtifactPath, WrittenFile>();
  for (const path of ARTIFACT_PATHS) {
    const parts = { maxBytes, pulse, sync: false };
    written.set(path, await writeFileOf(files.workPathOf(plan.build, path), contents[path](), parts));
  }
  const artifacts = [...written].map(([path, file]) => ({
    path,
    sha256: file.sha256 as HashHex,
    size_bytes: file.sizeBytes,
  }));
  const { export_id, tenant_id } = plan.build;
  const manifest = await sealPackageManifest(kernel, signer, {
    export_id,
    tenant_id,
    created_at: plan.packagedAt,
    ranges: plan.streams.map(({ range }) => range),
    artifacts,
    ...carried,
  });
  const manifestBytes = kernel.canonicalize(manifest);
  const entries: NewEntry[] = [
    ...[...written].map(([path, { sizeBytes, crc32 }]) => ({
      path,
      sizeBytes,
      crc32,
      content: contentOf(files.workPathOf(plan.build, path)),
    })),
    storedEntry(MANIFEST_PATH, manifestBytes),
  ];
  const challenge = encodeHex(randomBytes(CHALLENGE_BYTES)) as HashHex;
  const possession = possessionHasher(NODE, challenge);
  const pieces = hashedBy(possession, writeArchive(entries));
  const archive = await writeFileOf(archivePath(files, plan.build), pieces, { maxBytes, pulse, sync: true });
  return {
    packageSha256: archive.sha256,
    manifestSha256: encodeHex(kernel.sha256(manifestBytes)),
    sizeBytes: archive.sizeBytes,
    challenge,
    proofSha256: hashOfProof(kernel, encodeHex(possession.digest())),
  };
}

/** Returns the path of the archive until it gets its final name. */
export function archivePath(files: Pick<PackageFiles, "workPathOf">, build: BuildName): string {
  return files.workPathOf(build, "archive");
}

/** Yields `events.csv`: the requested events, in order. */
async function* eventsOf(source: MakingNeeds, { build, streams }: PackagePlan): AsyncGenerator<Uint8Array> {
  yield eventsHeading();
  for (const { stream, range } of streams)
    for await (const rows of rowsOfRange(source, stream, range, build))
      yield Buffer.concat(rows.map((row) => eventLine(row, row.payload ?? "")));
}

/** Yields `proofs.json`: a bundle for each stream. */
async function* proofsOf(
  { database, archived, kernel, signer }: Sealing,
  { build, packagedAt, carried, streams }: PackagePlan,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from("[");
  for (const [index, { stream, range, chosen }] of streams.entries()) {
    if (index > 0) yield COMMA;
    const evidence = await database.read(async (reader) => {
      const collected = await collectEvidence(reader, kernel, stream, range, chosen, NO_LIMITS);
      // The evidence existed when it was chosen, and evidence never disappears.
      if ("missing" in collected) throw new Error(`evidence of ${chosen.bundle_id} is missing from the database`);
      return { ...collected, ...(await collectForks(reader, kernel, stream.stream_id, collected, chosen)) };
    });
    yield* writeBundle(kernel, signer, {
      bundle_id: chosen.bundle_id,
      created_at: packagedAt,
      stream_id: stream.stream_id,
      ...evidence,
      records: recordsOf(database, stream, evidence),
      payloads: build.payloads === "included" ? payloadsOfRange({ database, archived }, stream, range) : noPayloads(),
      ...carried,
    });
  }
  yield Buffer.from("]");
}

/** Returns `manifest.json`: a description of the export, for people. */
function about({ origin, key, build, packagedAt, streams }: PackagePlan): JsonObject {
  return {
    what: "Events that a service has recorded (events.csv), with everything that proves them (proofs.json).",
    export_id: build.export_id,
    made_at: packagedAt,
    service: { origin, kid: key.kid },
    payloads: build.payloads,
    streams: streams.map(({ stream, range: { stream_id, from_seq_no, to_seq_no }, chosen }) => ({
      stream_id,
      use_case: stream.use_case,
      from_seq_no,
      to_seq_no,
      events: to_seq_no - from_seq_no + 1,
      ...(chosen.lacksQuorum ? { lacks: "witness_statements" } : {}),
    })),
    verify: "svc verify truth-package <this archive> --public-key-hex <the service's key, got another way>",
    proves:
      "That these events were recorded in this order and not changed since, once it is verified under a key that " +
      "you pinned.",
    does_not_prove: "That what the events say is true, nor that anybody has read or accepted them.",
  };
}

/**
 * Yields the bytes of a file in pieces. Each piece is only valid until the next one: all share one buffer, so that a
 * large package leaves no garbage.
 */
async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, "r");
  try {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Passes pieces on unchanged and hashes each at once, because its buffer may be reused. */
async function* hashedBy(hasher: Hasher, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    hasher.update(piece);
    yield piece;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
