/** The Go client against the real server: one story, from a first event to a verified package. */
import assert from "node:assert/strict";
import { serverEnvironment } from "./service.ts";
import { go, goTest } from "./toolchain.ts";

goTest("a program in Go records, reads, proves, exports and erases", async () => {
  const out = go(".", ["test", "-count=1", "-run", "^TestStory$", "-v", "./client"], await serverEnvironment());
  assert.match(out, /^--- PASS: TestStory/m);
});
