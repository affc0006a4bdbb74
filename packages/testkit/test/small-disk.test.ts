/** A disk that a killed process has left mounted. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { NO_SMALL_DISK, unmountBelow } from "../src/small-disk.ts";

const MODULE = new URL("../src/small-disk.ts", import.meta.url);
const HOLDER = `
  import { mountSmallDisk } from ${JSON.stringify(MODULE)};
  console.log(mountSmallDisk(process.argv[1], "64k"));
  setInterval(() => undefined, 1000);
`;

test("a folder below which a killed process has left its disk can be removed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "svc-small-disk-"));
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER, join(folder, "a blank", "disk")]);
  t.after(() => holder.kill("SIGKILL"));
  const [mounted] = await once(holder.stdout, "data");
  holder.kill("SIGKILL");
  await once(holder, "exit");
  if (`${mounted}`.trim() !== "true") {
    rmSync(folder, { recursive: true });
    return t.skip(NO_SMALL_DISK);
  }
  assert.throws(() => rmSync(folder, { recursive: true }), /busy/);
  unmountBelow(folder);
  rmSync(folder, { recursive: true });
  assert.equal(existsSync(folder), false);
});
