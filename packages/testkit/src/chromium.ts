/** A real Chromium. file-server.ts serves its pages. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { TIMEOUT_MS } from "./runtimes.ts";

/** The libraries that Chromium needs and a small machine does not have. */
const LIBRARIES = fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium")));

/** Whether the package has a Chromium for this machine. */
export const HAS_CHROMIUM: boolean = process.platform === "linux" && process.arch === "x64";

/** A Chromium on the disk, and the environment that it needs. */
export interface Unpacked {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Unpacks Chromium into the folder, which the caller deletes. */
export async function unpackChromium(folder: string): Promise<Unpacked> {
  // The package unpacks into the folder for temporary files, and would take a half unpacked or foreign file there for
  // its own.
  const home = join(folder, "chromium");
  mkdirSync(home);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = home;
  const unpacked = Promise.all([chromium.executablePath(), inflate(LIBRARIES)]).finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const [executablePath, libraries] = await unpacked;
  return { executablePath, env: { PATH: process.env.PATH, HOME: home, LD_LIBRARY_PATH: join(libraries, "lib") } };
}

/**
 * Starts Chromium with Playwright's own arguments: those of the package switch web security off. It is unpacked into
 * the folder, which the caller deletes.
 */
export async function launchBrowser(folder: string): Promise<Browser> {
  const { executablePath, env } = await unpackChromium(folder);
  return playwright.launch({ executablePath, timeout: TIMEOUT_MS, env });
}
