/**
 * The things that test files of a run share: the built products, the bundled modules, and a PostgreSQL server. A run
 * inside of another one takes over those of the other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { BUILT, buildAll } from "@svc/testkit/built";
import { STORE } from "@svc/testkit/drivers";
import { NO_POSTGRES, SHARED, sharedPostgres } from "@svc/testkit/postgres";
import { PART } from "@svc/testkit/runs";
import { bundleModules } from "./bundled.ts";
import { tierOf, type Unit } from "./plan.ts";

/** The variable with the bundled modules, for modules.mjs. */
const MODULES = "SVC_TEST_MODULES";
/** Variables of a unit on PostgreSQL. Each process of it refuses to open another store, and properties are sampled. */
const ON_POSTGRES = {
  [STORE]: "postgres",
  [PART]: "quick",
  NODE_OPTIONS: `--import ${new URL("no-sqlite.mjs", import.meta.url).href}`,
};

/** An open session. */
export interface Session {
  /** A folder for what a run writes down, which is deleted at the end. */
  readonly folder: string;
  /** Whether a PostgreSQL server runs. */
  readonly hasPostgres: boolean;
  /** Returns the environment of a unit's process: units of equal `groupOf` have the same. */
  environmentOf(unit: Unit): NodeJS.ProcessEnv;
  close(): void;
}

/** Returns the name of the group of units that share an environment. */
export function groupOf({ file, form }: Unit): "postgres" | "quick" | "slow" {
  if (form === "postgres") return "postgres";
  return form === "plain" && tierOf(file) === "quick" ? "quick" : "slow";
}

/** Builds the products and starts PostgreSQL, which ends with this process. Rejects with what cannot be built. */
export async function openSession(): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), "svc-suite-"));
  const close = () => rmSync(folder, { recursive: true, force: true });
  try {
    const products = process.env[MODULES] === undefined ? await makeProducts() : null;
    const shared = NO_POSTGRES ? {} : { [SHARED]: (await sharedPostgres()).url() };
    const common = { ...process.env, ...products?.environment, ...shared };
    return {
      folder,
      hasPostgres: !NO_POSTGRES,
      environmentOf: (unit) => {
        const group = groupOf(unit);
        return group === "postgres" ? { ...common, ...ON_POSTGRES } : { ...common, [PART]: group };
      },
      close: () => {
        products?.close();
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Builds the products, and resolves to the variables that name them. */
async function makeProducts(): Promise<{ readonly environment: NodeJS.ProcessEnv; readonly close: () => void }> {
  const built = await buildAll();
  const close = () => rmSync(built, { recursive: true, force: true });
  try {
    return { environment: { [BUILT]: built, [MODULES]: JSON.stringify(await bundleModules(built)) }, close };
  } catch (error) {
    close();
    throw error;
  }
}
