/**
 * Issues a truth package of bundles that a service already holds (protocol section 15). It puts together and seals; the
 * caller verifies the result as any verifier does. All of it is in memory here. For a larger package, the caller writes
 * the artifacts, seals a manifest of them, and writes the archive piece by piece.
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

/**
 * The input of a package. Ranges ascend by stream and number, bundles by stream, with one bundle for each stream of the
 * ranges.
 */
export interface PackageInput
  extends Pick<
    PackageManifest,
    "export_id" | "tenant_id" | "created_at" | "ranges" | "key_hints" | "key_endorsements"
  > {
  /** With payloads of the ranges only. */
  readonly bundles: readonly Bundle[];
  /** The content of manifest.json, for people. */
  readonly about: JsonObject;
}

/**
 * Seals the manifest of a truth package (protocol section 15). `signer`: the service's key. `manifest`: its members,
 * with ranges and artifacts in their order. Resolves to the manifest; rejects as `signer.sign` does. It checks nothing:
 * `verify` does.
 *
 * @example
 * const manifest = await sealPackageManifest(kernel, signer, {
 *   export_id: "exp_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   tenant_id: "tnt_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   created_at: "2026-03-01T08:32:00.000Z",
 *   ranges: [{ stream_id: receipt.stream_id, from_seq_no: 1, to_seq_no: 3 }],
 *   artifacts: [],
 *   key_hints: [],
 *   key_endorsements: [],
 * });
 * console.log(manifest.format); // SVC-TRUTH-PACKAGE-001
 */
export async function sealPackageManifest(
  kernel: Kernel,
  signer: Signer,
  manifest: Omit<PackageManifest, "format" | "seal">,
): Promise<PackageManifest> {
  const { key_hints, key_endorsements, ...rest } = manifest;
  const body = { format: PACKAGE_FORMAT, ...rest } as const;
  return { ...body, key_hints, key_endorsements, seal: await makeSeal(kernel, "truth-package", body, signer) };
}

/**
 * Makes and seals a truth package (protocol section 15). `signer`: the service's key. `input`: the ranges, the bundles
 * that cover them, and a text for people; `created_at` is YYYY-MM-DDTHH:MM:SS.mmmZ. Resolves to the bytes of a ZIP
 * archive; the same input gives the same bytes. Rejects as `signer.sign` does. It does not check that the bundles hold
 * and cover the ranges: `verify` does.
 *
 * @example
 * const bytes = await issueTruthPackage(kernel, signer, {
 *   export_id: "exp_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   tenant_id: "tnt_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   created_at: "2026-03-01T08:32:00.000Z",
 *   ranges: [{ stream_id: receipt.stream_id, from_seq_no: 1, to_seq_no: 3 }],
 *   bundles: [bundle],
 *   about: { note: "for the audit" },
 *   key_hints: [],
 *   key_endorsements: [],
 * });
 * const both = pinKeys(kernel, [service.publicKeyHex, signer.publicKeyHex]);
 * console.log(verify(bytes, { trust: both }).verdict); // verified
 */
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
