/** A real Chromium, and a server on the loopback interface for what it shows. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";
import { TIMEOUT_MS } from "./found.ts";

/** The libraries that Chromium needs and a small machine does not have. */
const LIBRARIES = fileURLToPath(new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium")));

/** A file that the server has. */
export interface Served {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** The content security policy that it is sent with. */
  readonly policy?: string;
}

/** Whether the package has a Chromium for this machine. */
export const HAS_CHROMIUM: boolean = process.platform === "linux" && process.arch === "x64";

/**
 * Starts Chromium with Playwright's own arguments: those of the package switch the web's security off. It is unpacked into the folder, which the
 * caller takes away.
 */
export async function launchBrowser(folder: string): Promise<Browser> {
  // The package unpacks into the folder for temporary files, where it would take a half unpacked or foreign file for its own.
  const home = join(folder, "chromium");
  mkdirSync(home);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = home;
  const unpacked = Promise.all([chromium.executablePath(), inflate(LIBRARIES)]).finally(() => {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  });
  const [executablePath, libraries] = await unpacked;
  const env = { PATH: process.env.PATH, HOME: home, LD_LIBRARY_PATH: join(libraries, "lib") };
  return playwright.launch({ executablePath, timeout: TIMEOUT_MS, env });
}

/** Serves files by path on a free port; answers with the origin, and with what stops it. */
export async function serve(files: Readonly<Record<string, Served>>): Promise<{ origin: string; stop: () => void }> {
  const server = createServer(({ url = "" }, response) => {
    const file = files[url];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const policy = file.policy === undefined ? {} : { "content-security-policy": file.policy };
    response.writeHead(200, { "content-type": file.type, ...policy }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => void server.close().closeAllConnections() };
}
