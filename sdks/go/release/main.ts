/**
 * `pnpm build:go`: writes `svc` in Go for every machine into `sdks/go/dist`, and beside the programs SHA256SUMS, as
 * `sha256sum -c` reads it, the bill of materials and the texts of the licences. It removes what an earlier call left
 * there.
 */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { VERSION } from "@svc/core";
import { buildProgram, TARGETS, type Target } from "./build.ts";
import { licenceTexts } from "./licences.ts";
import { billOfMaterials, type Program } from "./sbom.ts";

const MODULES = fileURLToPath(new URL("..", import.meta.url));
const SUMS = "SHA256SUMS";

/** Writes a release of these targets into a folder, and calls `built` for each program. */
export async function release(
  out: string,
  targets: readonly Target[] = TARGETS,
  built: (line: string) => void = console.log,
): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  const programs: Program[] = [];
  // One after the other: Go uses every processor for each.
  for (const target of targets) {
    const path = await buildProgram(MODULES, out, VERSION, target);
    programs.push({ path, sha256: sha256Of(path) });
    built(`built ${basename(path)}: ${readFileSync(path).length} bytes`);
  }
  const bom = join(out, `svc-${VERSION}.cdx.json`);
  writeFileSync(bom, `${JSON.stringify(await billOfMaterials(VERSION, programs), null, 2)}\n`);
  const licences = join(out, "LICENSES.txt");
  writeFileSync(licences, await licenceTexts(MODULES));
  const lines = [...programs.map(({ path }) => path), bom, licences].map(
    (path) => `${sha256Of(path)}  ${basename(path)}\n`,
  );
  writeFileSync(join(out, SUMS), lines.join(""));
}

function sha256Of(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await release(join(MODULES, "dist"));
