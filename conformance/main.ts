/**
 * `pnpm conformance --command "<program>"`: the runner of the kit over the cases of this repository, unless the call
 * names others with `--cases`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { writeCases } from "./case-set/case-set.ts";
import { main } from "./src/main.ts";

const words = process.argv.slice(2);

if (words.some((word) => word === "--cases" || word.startsWith("--cases="))) process.exitCode = await main(words);
else {
  const folder = mkdtempSync(join(tmpdir(), "svc-cases-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  writeCases(folder);
  process.exitCode = await main([...words, "--cases", folder]);
}
