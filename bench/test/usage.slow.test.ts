/** `pnpm bench` measures nothing that it does not know, and says so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { run } from "./run-bench.ts";

const UNKNOWN: readonly (readonly string[])[] = [
  [],
  ["other"],
  ["kernel", "other"],
  ["verify", "bulk"],
  ["cli", "bulk"],
  ["toString"],
  ["kernel", "--other"],
];

for (const words of UNKNOWN)
  test(`pnpm bench ${words.join(" ")}`, () => {
    const { status, stdout, stderr } = run(words);
    assert.equal(status, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /^usage: pnpm bench kernel /m);
  });
