import { spawnSync } from "node:child_process";
import { test } from "node:test";

test("waits for a process that works", () => {
  spawnSync(process.execPath, ["-e", 'require("node:crypto").pbkdf2Sync("password", "salt", 1e6, 64, "sha512")']);
});
