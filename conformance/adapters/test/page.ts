/** The page adapter on the built page, in the Chromium of the tests; null on a machine without it. */
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "@svc/testkit/built";
import { HAS_CHROMIUM, unpackChromium } from "@svc/testkit/chromium";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

import { type Held, hold, type Sent } from "./hold.ts";

const ADAPTER = fileURLToPath(new URL("../page.mjs", import.meta.url));
const folder = temporaryFolder();

/** Resolves to how the page does on cases. */
export const holdPage: ((cases: readonly Sent[]) => Promise<Held>) | null = HAS_CHROMIUM ? await prepare() : null;

async function prepare() {
  await copyBuilt("page", folder);
  const { executablePath, env } = await unpackChromium(folder);
  // Tests may run as root, for whom Chromium has no sandbox.
  const words = [ADAPTER, "--chromium", executablePath, "--page", join(folder, "verify.html"), "--no-sandbox"];
  return (cases: readonly Sent[]) => hold(words, cases, { ...process.env, ...env });
}
