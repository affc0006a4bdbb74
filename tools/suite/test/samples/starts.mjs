import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";

test("waits for a process that stays", async () => {
  await once(spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)", "started-by-a-test"]), "exit");
});
