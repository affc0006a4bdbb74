/**
 * Makes a package with other files consistent again, as somebody would who wants that to go unnoticed: the hashes that
 * its manifest names, the table of events, and, if a stranger forges, the seal.
 */

import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { Bundle } from "../../objects/bundle/schema.ts";
import { keyHint } from "../../objects/key-endorsement.ts";
import { AskedEvents } from "../../objects/truth-package/asked.ts";
import { eventLines } from "../../objects/truth-package/events-csv.ts";
import { proofOf } from "../../objects/truth-package/proof.ts";
import { MANIFEST_PATH, type PackageManifest } from "../../objects/truth-package/schema.ts";
import type { HashHex } from "../../schema/atoms.ts";
import { type Forger, sealAgain, UNTRUSTED_SIGNER } from "../forge/forger.ts";
import { archiveOf, type PackageFile } from "./files.ts";

/** Returns the archive with other contents for some files; nothing is made consistent. */
export function withContents(
  files: readonly PackageFile[],
  others: Readonly<Record<string, Uint8Array>>,
): PackageFile[] {
  return files.map((file) => ({ ...file, content: others[file.path] ?? file.content }));
}

/** Returns a package with other artifacts, made consistent again. */
export function artifactsAgain(
  forger: Forger,
  files: readonly PackageFile[],
  manifest: PackageManifest,
  others: Readonly<Record<string, Uint8Array>>,
): Uint8Array {
  const changed = withContents(files, others);
  const artifacts = manifest.artifacts.map((artifact) => {
    const { content } = changed.find(({ path }) => path === artifact.path) ?? {};
    if (content === undefined) return artifact;
    return { ...artifact, sha256: encodeHex(forger.kernel.sha256(content)) as HashHex, size_bytes: content.length };
  });
  return manifestAgain(forger, changed, { ...manifest, artifacts });
}

/** Returns a package with another manifest, sealed again if the forger signs. */
export function manifestAgain(forger: Forger, files: readonly PackageFile[], manifest: PackageManifest): Uint8Array {
  const { kernel, signs } = forger;
  const { key_hints, key_endorsements, seal, ...body } = manifest;
  const sealed = {
    ...body,
    key_hints: signs ? [...key_hints, keyHint(kernel, UNTRUSTED_SIGNER.publicKeyHex)] : key_hints,
    key_endorsements,
    seal: sealAgain(forger, "truth-package", body, seal),
  };
  const content = kernel.canonicalize(sealed);
  return archiveOf(withContents(files, { [MANIFEST_PATH]: content })).bytes;
}

/** Returns the table of events of other proofs. */
export function tableOf(
  { kernel }: Pick<Forger, "kernel">,
  manifest: PackageManifest,
  bundles: readonly Bundle[],
): Uint8Array {
  const proofs = bundles.map(proofOf);
  return concatBytes([...eventLines(kernel, new AskedEvents(manifest.ranges), proofs)]);
}
