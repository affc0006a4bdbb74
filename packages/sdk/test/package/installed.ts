/**
 * The package as a stranger gets it: built, packed by npm, and unpacked into a project that contains nothing of this
 * repository.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { built } from "@svc/testkit/built";
import { build } from "esbuild";

/** The stranger's project. */
export const PROJECT: string = realpathSync(mkdtempSync(join(tmpdir(), "svc-stranger-")));
after(() => rmSync(PROJECT, { recursive: true }));

const npm = ["pack", await built("sdk"), "--pack-destination", PROJECT, "--json", "--offline", "--ignore-scripts"];
const [packed] = JSON.parse(execFileSync("npm", npm, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));

/** The archive that `npm publish` would send. */
export const ARCHIVE: Uint8Array = readFileSync(join(PROJECT, packed.filename));
/** The package in the stranger's project. */
export const INSTALLED: string = join(PROJECT, "node_modules/@svc/sdk");

mkdirSync(INSTALLED, { recursive: true });
execFileSync("tar", ["-xzf", join(PROJECT, packed.filename), "-C", INSTALLED, "--strip-components=1"]);

/**
 * Puts an entry of these tests into the stranger's project: for processes as a module, for workers and pages bundled
 * with the package.
 */
export async function bundle(entry: "process" | "worker" | "page"): Promise<string> {
  const source = fileURLToPath(new URL(`entry.${entry}.ts`, import.meta.url));
  const module = join(PROJECT, `entry.${entry}.mjs`);
  const common = { bundle: true, target: "es2022", charset: "utf8", logLevel: "warning" } as const;
  await build({
    ...common,
    entryPoints: [source],
    outfile: module,
    platform: "neutral",
    external: ["@svc/sdk", "node:process"],
  });
  if (entry === "process") return module;
  const outfile = join(PROJECT, `${entry}.js`);
  const conditions = entry === "worker" ? ["workerd", "worker", "browser"] : ["browser"];
  const format = entry === "worker" ? "esm" : "iife";
  await build({ ...common, entryPoints: [module], outfile, platform: "browser", format, conditions });
  return outfile;
}
