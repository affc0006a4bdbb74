/** The calls of the API's adapter that no server answers; the slow tests hold a real one. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { ADAPTER } from "./api.ts";

test("a server that is not there fails each case, and a call without one is wrong", () => {
  const request = JSON.stringify({ id: 1, op: "verify", bytes: "e30=" });
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [ADAPTER, ...words], { encoding: "utf8", input: `${request}\n` });
  const nobody = JSON.parse(run("--url", "http://127.0.0.1:1").stdout);
  assert.deepEqual([nobody.id, nobody.ok, nobody.code], [1, false, "internal_error"]);
  const { status, stderr } = run();
  assert.equal(status, 64);
  assert.match(stderr, /^usage: node api\.mjs /m);
});
