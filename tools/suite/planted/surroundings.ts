/**
 * The test files of this tool share bundled libraries, which no fault is in, a folder for what they leave behind, and a
 * PostgreSQL server once a file needs one. Products have the fault in them: products.ts builds them for each hunt.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { NO_POSTGRES, SHARED, sharedPostgres } from "@svc/testkit/postgres";
import { PART } from "@svc/testkit/runs";
import { unmountBelow } from "@svc/testkit/small-disk";
import { bundleModules } from "../bundled.ts";
import type { Unit } from "../plan.ts";
import { groupOf, MODULES, ON_POSTGRES } from "../session.ts";

/** A bundle finds the packages of the server from here, and so does a server that a test builds. */
const PACKAGES = fileURLToPath(new URL("../../../packages/server/node_modules", import.meta.url));

/** The surroundings of test files. */
export interface Surroundings {
  /** Whether a unit can run here. */
  allows(unit: Unit): boolean;
  /** Resolves to the environment of a unit's process. */
  environmentOf(unit: Unit): Promise<NodeJS.ProcessEnv>;
  /** Deletes what files that were ended have left behind. */
  tidy(): void;
  close(): void;
}

/** Bundles the libraries, and resolves to the surroundings. */
export async function surroundings(): Promise<Surroundings> {
  const folder = mkdtempSync(join(PACKAGES, ".svc-planted-"));
  const { libraries } = await bundleModules(folder);
  const before = new Set(readdirSync(PACKAGES));
  const temporary = mkdtempSync(join(tmpdir(), "svc-planted-"));
  // PostgreSQL runs as another user, who finds its folders here.
  chmodSync(temporary, 0o755);
  const common = {
    ...process.env,
    [MODULES]: JSON.stringify({ libraries, threads: {} }),
    TMPDIR: temporary,
    // A file that is changed twice within a second must not be taken for its compiled form.
    PYTHONDONTWRITEBYTECODE: "1",
    PYTEST_ADDOPTS: "-x",
  };
  const shared = async () => ({ [SHARED]: (await sharedPostgres()).url() });
  let postgres: Promise<NodeJS.ProcessEnv> | null = null;
  return {
    allows: ({ form }) => form !== "postgres" || !NO_POSTGRES,
    environmentOf: async (unit) => {
      const group = groupOf(unit);
      if (group !== "postgres") return { ...common, [PART]: group };
      postgres ??= shared();
      return { ...common, ...(await postgres), ...ON_POSTGRES };
    },
    tidy: () => {
      unmountBelow(temporary);
      for (const name of readdirSync(temporary)) rmSync(join(temporary, name), { recursive: true, force: true });
      for (const name of readdirSync(PACKAGES))
        if (name.startsWith(".svc-built-") && !before.has(name))
          rmSync(join(PACKAGES, name), { recursive: true, force: true });
    },
    close: () => {
      for (const each of [folder, temporary]) rmSync(each, { recursive: true, force: true });
    },
  };
}
