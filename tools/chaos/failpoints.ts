/**
 * The failpoints of the server: every `failpoint("...")` in its sources and in those of packages/host, so that a new
 * one is tried at once.
 */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../packages", import.meta.url));
const CALL = /\bfailpoint\("([^"]+)"\)/g;

/** Reached only on the database of an earlier release: tests of the service log kill a server there. */
const OF_EARLIER_RELEASES: ReadonlySet<string> = new Set(["service log: earlier checkpoints queued"]);

/** Returns their names, sorted. */
export function failpointsOfServer(): string[] {
  const names = globSync("{server,host}/src/**/*.ts", { cwd: PACKAGES }).flatMap((file) =>
    [...readFileSync(`${PACKAGES}/${file}`, "utf8").matchAll(CALL)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].filter((name) => !OF_EARLIER_RELEASES.has(name)).sort();
}
