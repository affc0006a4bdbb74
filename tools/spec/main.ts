/**
 * Writes spec/, what implementations in all languages share, from core, its words and the contract of the server, and
 * from spec/ the generated files of the SDKs: `pnpm spec`. `--check` writes nothing, and fails for each file that is
 * not as it should be, or that nothing gives.
 */
import { fileURLToPath } from "node:url";
import { faultsOf, write } from "./compare.ts";
import { specFiles } from "./files.ts";
import { goFiles } from "./go/files.ts";
import { pythonFiles } from "./python/files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const spec = specFiles();
const files = new Map([...spec, ...pythonFiles(spec), ...goFiles(spec)]);

if (!process.argv.includes("--check")) write(ROOT, files);
else {
  const faults = faultsOf(ROOT, files);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
}
