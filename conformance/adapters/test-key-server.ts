/**
 * A server whose only key is the test key that seals the fixtures, under the fixtures' origin: on it, `POST /v2/verify`
 * can give the right report about most cases. It is a process of the built program over a fresh folder.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { ORIGIN } from "@svc/testkit/evidence/service";
import { testSeed } from "@svc/testkit/evidence/signer";

/** A running server. */
export interface TestKeyServer {
  readonly url: string;
  /** Ends the process, and resolves when it has ended. */
  stop(): Promise<void>;
}

/** Starts a server on a free port. `program`: the path of the built server. `settings`: further variables. */
export async function startTestKeyServer(
  program: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TestKeyServer> {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-key-"));
  const env = {
    PATH: process.env.PATH ?? "",
    SVC_DATA: join(folder, "data"),
    SVC_SIGNING_KEY: testSeed("service").toString("base64"),
    SVC_LOG_LEVEL: "error",
    ...settings,
  };
  await promisify(execFile)(process.execPath, [program, "init", "--origin", ORIGIN, "--json"], { env });
  const child = spawn(process.execPath, [program, "start", "--json", "--port", "0"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close").finally(() => rmSync(folder, { recursive: true, force: true }));
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), closed]);
  if (typeof line !== "string") throw new Error(`the server ended with exit code ${line} before it listened`);
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}
