/** A server beside a test says why it did not start, and leaves nothing. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { type ServerFolder, serverFolder } from "../src/server-folder.ts";

const limited = { timeout: 10_000 };
const server = { name: "It", options: {}, isReady: async () => false, signal: "SIGKILL" } as const;

for (const [what, file, words, cause] of [
  ["a program that is not there", "/nowhere/program", [], /ENOENT/],
  ["a program that ends", "sh", ["-c", "echo no such luck; exit 3"], /it ended with 3/],
] as const)
  test(`${what} did not start, and its folder goes`, limited, async (t) => {
    let folder: ServerFolder | undefined;
    await t.test("its test", async (inner) => {
      folder = serverFolder(inner);
      const program = folder.program({ ...server, file, words });
      await assert.rejects(program.start(), (error: Error) => {
        assert.match(error.message, file === "sh" ? /^It did not start:\nno such luck\n$/ : /^It did not start:\n$/);
        assert.match(`${error.cause}`, cause);
        return true;
      });
      assert.throws(() => program.pid, /It is stopped/);
    });
    assert.equal(existsSync(folder?.path ?? ""), false);
  });
