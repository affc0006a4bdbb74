/** Makes an edited truth package consistent again, from its bundles up to its own seal. */
import type { Json } from "../../kernel/kernel.ts";
import type { Bundle } from "../../objects/bundle/schema.ts";
import type { PackageManifest } from "../../objects/truth-package/schema.ts";
import { forged } from "../forge/forged.ts";
import type { Forger } from "../forge/forger.ts";
import { partsOf } from "./parts.ts";
import { artifactsAgain, tableOf } from "./reseal.ts";

/** The parts of a package that are edited. */
export interface PackageValues {
  readonly manifest: PackageManifest;
  readonly bundles: readonly Bundle[];
}

/**
 * Returns a good package with edited values: each bundle that is another than before, the table of events, the hashes
 * and the seal are made again. `keepsTable`: the table of events stays as it was. May throw where an edit left nothing
 * that can be computed again, and throws TypeError if the bytes are no package.
 */
export function forgedPackage(
  forger: Forger,
  good: Uint8Array,
  change: (values: PackageValues) => PackageValues,
  { keepsTable = false } = {},
): Uint8Array {
  const { files, manifest, bundles } = partsOf(forger.kernel, good);
  const edited = change({ manifest, bundles });
  const again = edited.bundles.map((bundle, index) => {
    const before = bundles[index] ?? bundle;
    return bundle === before ? bundle : (forged(forger, "bundle", before as Json, bundle as Json) as unknown as Bundle);
  });
  return artifactsAgain(forger, files, edited.manifest, {
    "proofs.json": forger.kernel.canonicalize(again as unknown as Json),
    ...(keepsTable ? {} : { "events.csv": tableOf(forger, edited.manifest, again) }),
  });
}
