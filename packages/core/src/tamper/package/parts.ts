/** A truth package taken apart into values (protocol section 15). */
import type { Json, Kernel } from "../../kernel/kernel.ts";
import type { Bundle } from "../../objects/bundle/schema.ts";
import { MANIFEST_PATH, type PackageManifest } from "../../objects/truth-package/schema.ts";
import { filesOf, type PackageFile } from "./files.ts";

/** A package whose artifacts are edited. */
export interface Parts {
  readonly kernel: Kernel;
  readonly files: readonly PackageFile[];
  readonly manifest: PackageManifest;
  readonly bundles: readonly Bundle[];
}

/** Returns the parts of a package. Throws TypeError for other bytes. */
export function partsOf(kernel: Kernel, bytes: Uint8Array): Parts {
  const files = filesOf(kernel, bytes);
  const parsedFile = (path: string): Json => {
    const parsed = kernel.parseJson(files.find((file) => file.path === path)?.content ?? new Uint8Array());
    if (!parsed.ok) throw new TypeError(`${path} is no JSON`);
    return parsed.value;
  };
  return {
    kernel,
    files,
    manifest: parsedFile(MANIFEST_PATH) as PackageManifest,
    bundles: parsedFile("proofs.json") as readonly Bundle[],
  };
}
