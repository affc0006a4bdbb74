/**
 * Ctrl-C in a real terminal, made by `script` of util-linux: the server drains, and everything in front of it sees exit
 * code 0.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environmentOf } from "@svc/testkit/server/folder-database";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const hasScript = spawnSync("script", ["--version"]).status === 0;
const skip =
  hasScript || process.env.CI ? false : "script (util-linux) is not installed: Ctrl-C in a terminal is NOT TESTED";

test("Ctrl-C in the terminal drains and ends with 0, also for the shell in front", { skip }, async (t) => {
  const folder = join(temporaryFolder(), "data");
  // The shell dies by SIGINT itself, as the shells of package managers do.
  const command = `"${process.execPath}" "${MAIN}" start --port 0 --data "${folder}"; exit $?`;
  const terminal = spawn("script", ["-qec", command, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...(await environmentOf(folder)) },
  });
  t.after(() => terminal.kill("SIGKILL"));
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    if (!shown.includes("Stop with Ctrl-C") && (shown + text).includes("Stop with Ctrl-C"))
      terminal.stdin.write("\u0003");
    shown += text;
  });
  const [code] = (await once(terminal, "close")) as [number | null];
  assert.match(shown, /Ctrl-C: finishing what is in flight\.\r?\nStopped\. Everything that was answered is on disk\./);
  assert.equal(code, 0);
});
