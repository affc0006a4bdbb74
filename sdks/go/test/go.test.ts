/** The quick part of the Go SDK's tests: its form, and what its own tests of the kernel say. */
import assert from "node:assert/strict";
import { go, goTest, succeed } from "./toolchain.ts";

goTest("Go sources are formatted", () => {
  assert.equal(succeed(["gofmt", "-l", "."]), "", "gofmt -w sdks/go");
});

goTest("the kernel in Go passes its tests", () => {
  const out = go(".", ["test", "./internal/..."]);
  assert.match(out, /^ok\s+svc\.example\/go\/internal\/jsonx\b/m);
});
