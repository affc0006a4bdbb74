/** Makes an edited truth package consistent again, from its bundles up to its own seal. */
import type { Json, JsonObject } from "../../kernel/kernel.ts";
import type { Bundle } from "../../objects/bundle/schema.ts";
import type { PackageManifest } from "../../objects/truth-package/schema.ts";
import { forged } from "../forge/forged.ts";
import type { Forger } from "../forge/forger.ts";
import { partsOf } from "./parts.ts";
import { artifactsAgain, tableOf } from "./reseal.ts";

/** The parts of a package that are edited: an edit may leave them any form. */
export interface PackageValues {
  readonly manifest: Json;
  readonly bundles: readonly Json[];
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
  const { files, ...parts } = partsOf(forger.kernel, good);
  const before = { manifest: asJson(parts.manifest), bundles: parts.bundles.map(asJson) };
  const edited = change(before);
  const bundles = edited.bundles.map((bundle, index) => {
    const old = before.bundles[index] ?? bundle;
    return bundle === old ? bundle : forged(forger, "bundle", old, bundle);
  });
  const manifest = edited.manifest as never as PackageManifest;
  return artifactsAgain(forger, files, manifest, {
    "proofs.json": forger.kernel.canonicalize(bundles),
    ...(keepsTable ? {} : { "events.csv": tableOf(forger, manifest, bundles as never as readonly Bundle[]) }),
  });
}

/** An object that was parsed is JSON, which its type does not say. */
function asJson(value: object): Json {
  return value as JsonObject;
}
