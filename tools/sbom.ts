/**
 * The bill of materials of a built file: every package with code in it, with version, licence and the hash that the
 * lockfile has of it, as CycloneDX 1.6. It is made from esbuild's metafile, so that omitted packages are omitted here
 * too. The same build gives the same bytes: no time, no random number. The compiled kernel is one component;
 * packages/wasm/Cargo.lock lists the Rust crates that it was built from.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Metafile } from "esbuild";

/** This file holds the compiled kernel, as base64. */
const KERNEL_FILE = "packages/wasm/src/generated/kernel-base64.ts";

/** The package.json of a package with a part in the file. */
interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * Returns the bill of materials of all outputs of a build. `root`: the folder that its paths are relative to.
 * `program`: the folder of the package that was built, and the hash of its program. Throws Error for a missing licence.
 */
export function billOfMaterials(
  root: string,
  metafile: Metafile,
  program: { readonly folder: string; readonly sha256Hex: string },
): object {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = new Map<string, PackageJson>();
  for (const [path] of files) {
    // Plugins put a namespace in front of paths that are no file; that is this build's own.
    if (/^\w+:/.test(path)) continue;
    const own = packageOf(root, dirname(path));
    packages.set(own.name, own);
  }
  const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
  const { name, version, license = "" } = packageOf(root, program.folder);
  packages.delete(name);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: license } }],
        hashes: [{ alg: "SHA-256", content: program.sha256Hex }],
      },
    },
    components: [
      ...[...packages.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map((one) => component(one, lockfile)),
      ...(files.some(([path]) => path === KERNEL_FILE) ? [kernelComponent(root)] : []),
    ],
  };
}

function component({ name, version, license }: PackageJson, lockfile: string): object {
  if (license === undefined) throw new Error(`${name} is in the file and names no licence`);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const integrity = integrityOf(lockfile, `${name}@${version}`);
  return {
    type: "library",
    "bom-ref": purl,
    name,
    version,
    licenses: [{ license: { id: license } }],
    purl,
    // Packages of this workspace are in no lockfile.
    ...(integrity === null ? {} : { hashes: [{ alg: "SHA-512", content: integrity }] }),
  };
}

function kernelComponent(root: string): object {
  const { sha256 } = JSON.parse(readFileSync(join(root, "packages/wasm/kernel.lock.json"), "utf8"));
  const { version, license = "" } = packageOf(root, "packages/wasm");
  return {
    type: "file",
    "bom-ref": `kernel.wasm@${version}`,
    name: "kernel.wasm",
    version,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: "SHA-256", content: sha256 }],
  };
}

/**
 * Returns the SHA-512 of a package's archive in hex, as the lockfile pins it; null for a package that it does not name.
 */
function integrityOf(lockfile: string, id: string): string | null {
  const before = `\n  ${id.startsWith("@") ? `'${id}'` : id}:\n    resolution: {integrity: sha512-`;
  const at = lockfile.indexOf(before);
  if (at < 0) return null;
  const base64 = lockfile.slice(at + before.length, lockfile.indexOf("}", at + before.length));
  return Buffer.from(base64, "base64").toString("hex");
}

/** Returns the nearest package.json with a name and a version at or above a folder. */
function packageOf(root: string, folder: string): PackageJson {
  for (let at = folder; ; at = dirname(at)) {
    const read = readPackage(join(root, at, "package.json"));
    if (read !== null) return read;
    if (at === "." || at === "/") throw new Error(`${folder} is in no package`);
  }
}

function readPackage(path: string): PackageJson | null {
  try {
    const { name, version, license } = JSON.parse(readFileSync(path, "utf8"));
    return name === undefined || version === undefined ? null : { name, version, license };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
