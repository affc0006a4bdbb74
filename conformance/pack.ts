/**
 * `pnpm conformance:pack`: writes the kit as one ZIP archive, the same bytes each time, and its SHA-256 beside it. The
 * archive is written as packages are (protocol section 15): stored, sorted, at one fixed time.
 */
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { storedEntry, VERSION, writeArchive } from "@svc/core";
import { buildRunner, RUNNER_FILE } from "./build.ts";
import { caseFiles } from "./case-set/case-set.ts";
import { kitPages } from "./pages.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Files that the kit has as they are here; the templates are in its own folder, where the README finds them. */
const AS_THEY_ARE = ["adapters/*.mjs", "templates/*.{py,go}"];

/** Resolves to the archive. `runner`: the bytes of run.mjs. */
export async function packKit(runner: Uint8Array): Promise<Uint8Array> {
  const files = new Map<string, Uint8Array>([
    ["run.mjs", runner],
    ["LICENSE", new Uint8Array(readFileSync(new URL("../LICENSE", import.meta.url)))],
  ]);
  for (const path of globSync(AS_THEY_ARE, { cwd: FOLDER }))
    files.set(path.replaceAll("\\", "/").replace("templates/", ""), new Uint8Array(readFileSync(join(FOLDER, path))));
  for (const [path, text] of kitPages()) files.set(path, new TextEncoder().encode(text));
  for (const [path, bytes] of caseFiles()) files.set(`cases/${path}`, bytes);
  const entries = [...files].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, bytes]) => storedEntry(path, bytes));
  const pieces: Uint8Array[] = [];
  for await (const piece of writeArchive(entries)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildRunner();
  const name = `svc-conformance-${VERSION}.zip`;
  const bytes = await packKit(new Uint8Array(readFileSync(RUNNER_FILE)));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const folder = join(FOLDER, "dist");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), bytes);
  writeFileSync(join(folder, `${name}.sha256`), `${sha256}  ${name}\n`);
  console.log(`conformance/dist/${name}: ${bytes.length} bytes, SHA-256 ${sha256}`);
}
