/**
 * How a service makes a truth package of bundles that it already holds (protocol section 15). Puts together and seals; the caller verifies the
 * result like anybody else. All is in memory here; who has more than that seals a manifest of artifacts that it has written, and writes
 * the archive piece by piece.
 */
import { storedEntry, writeArchive } from "../../archive/write.ts";
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { JsonObject, Kernel } from "../../kernel/kernel.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { makeSeal, type Signer } from "../../seal.ts";
import type { Bundle } from "../bundle/schema.ts";
import { AskedEvents } from "./asked.ts";
import { eventLines } from "./events-csv.ts";
import { proofOf } from "./proof.ts";
import { ARTIFACT_PATHS, type ArtifactPath, MANIFEST_PATH, PACKAGE_FORMAT, type PackageManifest } from "./schema.ts";

/** What goes into a package. Ranges ascend by stream and number, bundles by stream, one for each stream of the ranges. */
export interface PackageInput
  extends Pick<
    PackageManifest,
    "export_id" | "tenant_id" | "created_at" | "ranges" | "key_hints" | "key_endorsements"
  > {
  /** With payloads of the ranges only. */
  readonly bundles: readonly Bundle[];
  /** What manifest.json says to people. */
  readonly about: JsonObject;
}

/** Seals a manifest. */
export async function sealPackageManifest(
  kernel: Kernel,
  signer: Signer,
  manifest: Omit<PackageManifest, "format" | "seal">,
): Promise<PackageManifest> {
  const { key_hints, key_endorsements, ...rest } = manifest;
  const body = { format: PACKAGE_FORMAT, ...rest } as const;
  return { ...body, key_hints, key_endorsements, seal: await makeSeal(kernel, "truth-package", body, signer) };
}

/** Makes and seals a package; its bytes. The same input gives the same bytes. */
export async function issueTruthPackage(kernel: Kernel, signer: Signer, input: PackageInput): Promise<Uint8Array> {
  const { bundles, about, ...rest } = input;
  const proofs = bundles.map(proofOf);
  const contents: Readonly<Record<ArtifactPath, Uint8Array>> = {
    "events.csv": concatBytes([...eventLines(kernel, new AskedEvents(input.ranges), proofs)]),
    "manifest.json": kernel.canonicalize(about),
    "proofs.json": kernel.canonicalize(bundles),
  };
  const artifacts = ARTIFACT_PATHS.map((path) => ({
    path,
    sha256: encodeHex(kernel.sha256(contents[path])) as HashHex,
    size_bytes: contents[path].length,
  }));
  const manifest = await sealPackageManifest(kernel, signer, { ...rest, artifacts });
  const entries = [
    ...ARTIFACT_PATHS.map((path) => storedEntry(path, contents[path])),
    storedEntry(MANIFEST_PATH, kernel.canonicalize(manifest)),
  ];
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive(entries)) pieces.push(piece);
  return concatBytes(pieces);
}
