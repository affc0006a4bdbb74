/** The directest of the Go SDK's tests: its form, and every fixture by the kernel in Go. */
import assert from "node:assert/strict";
import { go, goTest, succeed } from "./toolchain.ts";

goTest("Go sources are formatted", () => {
  assert.equal(succeed(["gofmt", "-l", "."]), "", "gofmt -w sdks/go");
});

goTest("every fixture gives its report", () => {
  const out = go(".", ["test", "-count=1", "-run", "^TestFixtures$", "-v", "."]);
  assert.match(out, /^--- PASS: TestFixtures /m);
});
