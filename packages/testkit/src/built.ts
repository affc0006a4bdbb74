/**
 * The built products, as files: built once for a run of the tests (tools/suite), and on first use if a test file runs
 * by itself. A test that changes a build makes its own.
 */
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { buildCli } from "../../cli/build.ts";
import { buildPlatform, PLATFORM_PROGRAM } from "../../platform/build.ts";
import { buildSdk } from "../../sdk/build.ts";
import { buildServer, SERVER_PROGRAM } from "../../server/build.ts";
import { type BuiltPage, buildPage, PAGE_FILE } from "../../web-verify/build.ts";
import { buildWitness } from "../../witness/build.ts";

/** The variable that names the folder of a run. */
export const BUILT = "SVC_BUILT";
const PAGE = "verify.html";
const WITNESS_PROGRAM = "svc-witness.mjs";
/** The build's facts about the page, beside it. */
const FACTS = "page.json";
/** The packages that stay outside of the built server are found from here. */
const SERVER_PACKAGES = fileURLToPath(new URL("../../server/node_modules", import.meta.url));

const BUILDS = {
  cli: (folder: string) => buildCli(join(folder, "svc.mjs")),
  page: async (folder: string) => {
    const { html: _html, ...facts } = await buildPage(join(folder, PAGE));
    writeFileSync(join(folder, FACTS), JSON.stringify(facts));
  },
  sdk: buildSdk,
  platform: buildPlatform,
  server: buildServer,
  witness: (folder: string) => buildWitness(join(folder, WITNESS_PROGRAM)),
} as const;

/** A product that ships. */
export type Product = keyof typeof BUILDS;
const PRODUCTS = Object.keys(BUILDS) as Product[];

/**
 * Builds all products into a new folder, and resolves to its path; the caller deletes it. The page is also put where a
 * server from the sources finds it.
 */
export async function buildAll(): Promise<string> {
  const folder = mkdtempSync(join(SERVER_PACKAGES, ".svc-built-"));
  const sdk = buildSdkBeside(folder);
  for (const product of PRODUCTS) if (product !== "sdk") await buildInto(folder, product);
  await sdk;
  const isPage = (path: string) => basename(path) !== FACTS;
  cpSync(join(folder, "page"), dirname(PAGE_FILE), { recursive: true, filter: isPage });
  return folder;
}

/** Builds the SDK in a separate thread: it takes about as long as all others, which need the page first. */
async function buildSdkBeside(folder: string): Promise<void> {
  const product: Product = "sdk";
  mkdirSync(join(folder, product));
  const thread = new Worker(new URL("build-sdk.ts", import.meta.url), { workerData: join(folder, product) });
  await once(thread, "exit");
}

async function buildInto(folder: string, product: Product): Promise<void> {
  mkdirSync(join(folder, product));
  await BUILDS[product](join(folder, product));
}

const own = new Map<Product, Promise<string>>();

/** Resolves to the folder of a built product, which nobody changes. */
export function built(product: Product): Promise<string> {
  const ofRun = process.env[BUILT];
  if (ofRun !== undefined) return Promise.resolve(join(ofRun, product));
  const made = own.get(product) ?? buildOwn(product);
  own.set(product, made);
  return made;
}

async function buildOwn(product: Product): Promise<string> {
  const folder = mkdtempSync(join(product === "server" ? SERVER_PACKAGES : tmpdir(), ".svc-built-"));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  await buildInto(folder, product);
  return join(folder, product);
}

/** Copies a built product into a folder, and resolves when it is there. */
export async function copyBuilt(product: Product, folder: string): Promise<void> {
  cpSync(await built(product), folder, { recursive: true });
}

/** Resolves to the path of the built server's program. */
export async function serverProgram(): Promise<string> {
  return join(await built("server"), SERVER_PROGRAM);
}

/** Resolves to the path of the built platform's program. */
export async function platformProgram(): Promise<string> {
  return join(await built("platform"), PLATFORM_PROGRAM);
}

/** Resolves to the path of the built witness's program. */
export async function witnessProgram(): Promise<string> {
  return join(await built("witness"), WITNESS_PROGRAM);
}

/** Resolves to the built page, and the build's facts about it. */
export async function builtPage(): Promise<BuiltPage> {
  const folder = await built("page");
  const facts = JSON.parse(readFileSync(join(folder, FACTS), "utf8")) as Omit<BuiltPage, "html">;
  return { ...facts, html: readFileSync(join(folder, PAGE), "utf8") };
}

/** Resolves when a server from the sources finds the page. */
export async function pageInPlace(): Promise<void> {
  if (process.env[BUILT] === undefined) await buildPage();
}
