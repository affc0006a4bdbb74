/**
 * The bill of materials of a release of `svc` in Go, as CycloneDX 1.6: its programs by their hashes, and every module
 * with code in one of them, as the programs themselves name it. The same programs give the same bytes: no time, no
 * random number.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { releaseGo } from "./build.ts";

/** The licence of every module that may be in a program. `std` is Go's own library. */
const LICENCES: Readonly<Record<string, string>> = {
  std: "BSD-3-Clause",
  "filippo.io/edwards25519": "BSD-3-Clause",
  "github.com/tetratelabs/wazero": "Apache-2.0",
  "golang.org/x/sys": "BSD-3-Clause",
};
const OWN_LICENCE = "Apache-2.0";
const OWN = "svc.example/go";

/** A module in a program: Go's sum of it is the SHA-256 of a list of its files, in base64 behind `h1:`. */
interface Module {
  readonly name: string;
  readonly version: string;
  readonly sum?: string | undefined;
}

/** A program with the SHA-256 of its file, in hex. */
export interface Program {
  readonly path: string;
  readonly sha256: string;
}

/** Resolves to the bill of materials. Rejects for a module whose licence nobody has looked up. */
export async function billOfMaterials(version: string, programs: readonly Program[]): Promise<object> {
  const modules = new Map<string, Module>();
  for (const { path } of programs)
    for (const module of modulesOf(await releaseGo(".", ["version", "-m", path]), version))
      modules.set(`${module.name}@${module.version}`, module);
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": `pkg:golang/${OWN}/cmd/svc@v${version}`,
        name: "svc",
        version,
        licenses: licence(OWN_LICENCE),
        components: programs.map(({ path, sha256 }) => ({
          type: "file",
          "bom-ref": basename(path),
          name: basename(path),
          hashes: [{ alg: "SHA-256", content: sha256 }],
        })),
      },
    },
    components: [
      ...[...modules.values()].sort((a, b) => (a.name < b.name ? -1 : 1)).map(component),
      kernelComponent(version),
    ],
  };
}

/** Returns the modules in a program, from the output of `go version -m`, which gives our own no version. */
function modulesOf(said: string, own: string): Module[] {
  const [, go] = /: go(\S+)\n/.exec(said) ?? [];
  if (go === undefined) throw new Error(`this is no program of Go: ${said}`);
  const found: Module[] = [{ name: "std", version: go }];
  for (const [, name = "", version = "", sum] of said.matchAll(/^\tdep\t(\S+)\t(\S+)(?:\t(\S+))?/gm))
    found.push({ name, version: isOwn(name) ? `v${own}` : version, sum });
  return found;
}

function component({ name, version, sum }: Module): object {
  const id = isOwn(name) ? OWN_LICENCE : LICENCES[name];
  if (id === undefined) throw new Error(`${name} is in a program: look up its licence, and add it to the list`);
  const purl = `pkg:golang/${name}@${version}`;
  const hashes = sum === undefined ? {} : { hashes: [{ alg: "SHA-256", content: hexOf(sum) }] };
  return { type: "library", "bom-ref": purl, name, version, ...hashes, licenses: licence(id), purl };
}

/** The Rust crates that it was built from are listed in packages/wasm/Cargo.lock. */
function kernelComponent(version: string): object {
  const lock = fileURLToPath(new URL("../../../packages/wasm/kernel.lock.json", import.meta.url));
  const { sha256 } = JSON.parse(readFileSync(lock, "utf8"));
  return {
    type: "file",
    "bom-ref": `kernel.wasm@${version}`,
    name: "kernel.wasm",
    version,
    hashes: [{ alg: "SHA-256", content: sha256 }],
    licenses: licence(OWN_LICENCE),
  };
}

function licence(id: string): object[] {
  return [{ license: { id } }];
}

function isOwn(name: string): boolean {
  return name === OWN || name.startsWith(`${OWN}/`);
}

function hexOf(sum: string): string {
  if (!sum.startsWith("h1:")) throw new Error(`not a sum of Go: ${sum}`);
  return Buffer.from(sum.slice("h1:".length), "base64").toString("hex");
}
