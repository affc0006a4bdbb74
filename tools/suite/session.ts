/**
 * The things that test files of a run share: the built products, the bundled modules, and a PostgreSQL server. A run
 * inside of another one takes over those of the other.
 */
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
export const MODULES = "SVC_TEST_MODULES";
/**
 * The variable with a file in which a run leaves the environment of its products for the next run on the same sources;
 * the script that sets it deletes them.
 */
export const PRODUCTS = "SVC_TEST_PRODUCTS";
/** Variables of a unit on PostgreSQL. Each process of it refuses to open another store, and properties are sampled. */
export const ON_POSTGRES = {
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
    const common = { ...process.env, ...products?.environment, ...cliOf(products?.folder, folder), ...shared };
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

/** Returns the variable with a folder of `svc` that is below no `node_modules`, and that other users can read. */
function cliOf(products: string | undefined, folder: string): NodeJS.ProcessEnv {
  if (products === undefined) return {};
  chmodSync(folder, 0o755);
  cpSync(join(products, "cli"), join(folder, "cli"), { recursive: true });
  return { SVC_TEST_CLI: join(folder, "cli") };
}

/** The built products of a run. */
interface Products {
  readonly folder: string;
  /** The variables that name them. */
  readonly environment: NodeJS.ProcessEnv;
  readonly close: () => void;
}

async function makeProducts(): Promise<Products> {
  const note = process.env[PRODUCTS];
  if (note === undefined) return makeNewProducts();
  const keep = () => {};
  if (existsSync(note)) {
    const environment = JSON.parse(readFileSync(note, "utf8")) as NodeJS.ProcessEnv;
    return { folder: environment[BUILT] ?? "", environment, close: keep };
  }
  const products = await makeNewProducts();
  writeFileSync(note, JSON.stringify(products.environment));
  return { ...products, close: keep };
}

async function makeNewProducts(): Promise<Products> {
  const built = await buildAll();
  const close = () => rmSync(built, { recursive: true, force: true });
  try {
    const environment = { [BUILT]: built, [MODULES]: JSON.stringify(await bundleModules(built)) };
    return { folder: built, environment, close };
  } catch (error) {
    close();
    throw error;
  }
}
