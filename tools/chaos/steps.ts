/** The named steps of the server: every `reached("...")` in its sources, so that a new one is tried as soon as it stands there. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../../packages/server/src", import.meta.url));
const CALL = /\breached\("([^"]+)"\)/g;

/** Their names, sorted. */
export function stepsOfServer(): string[] {
  const names = globSync("**/*.ts", { cwd: SOURCES }).flatMap((file) =>
    [...readFileSync(`${SOURCES}/${file}`, "utf8").matchAll(CALL)].map(([, name = ""]) => name),
  );
  return [...new Set(names)].sort();
}
