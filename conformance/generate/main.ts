/**
 * `pnpm conformance:cases`: writes the cases of the kit that are not fixtures, one JSON object a line, the same bytes
 * each time; both kernels must give every answer. `--check` writes nothing, asks the compiled kernel alone, and fails
 * if the files are out of date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { BOTH_KERNELS, ONE_KERNEL } from "./draft.ts";
import { FAMILIES, textOf } from "./families.ts";

const folder = fileURLToPath(new URL("../cases/", import.meta.url));
const checks = process.argv.includes("--check");
const names = Object.keys(FAMILIES).map((family) => `${family}.jsonl`);
mkdirSync(folder, { recursive: true });
const wrong = readdirSync(folder).filter((name) => !names.includes(name));
if (!checks) for (const name of wrong.splice(0)) rmSync(folder + name);
let count = 0;
for (const family of Object.keys(FAMILIES)) {
  const path = `${folder}${family}.jsonl`;
  const text = await textOf(family, checks ? ONE_KERNEL : BOTH_KERNELS);
  count += text.split("\n").length - 1;
  if (!checks) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) wrong.push(`${family}.jsonl`);
}
if (wrong.length > 0) {
  console.error(
    `conformance/cases is not what the generator gives (run \`pnpm conformance:cases\`): ${wrong.join(", ")}`,
  );
  process.exit(1);
}
console.log(`${count} cases`);
