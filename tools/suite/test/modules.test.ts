/** Tests of a run load bundles in place of libraries, and of the sources of threads. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { type Bundled, bundleModules, LIBRARIES } from "../bundled.ts";

const HOOK = new URL("../modules.mjs", import.meta.url).href;

/** Runs a module of one of our packages with the hook, and returns what it writes. */
function written(room: string, code: string, modules?: Bundled): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["--import", HOOK, "--input-type=module", "--eval", code], {
    cwd: fileURLToPath(new URL(`../../../packages/${room}`, import.meta.url)),
    encoding: "utf8",
    env: modules === undefined ? {} : { SVC_TEST_MODULES: JSON.stringify(modules) },
  });
  assert.equal(stderr, "");
  return stdout;
}

test("a bundled library has the names that Node finds in the library", async () => {
  const bundled = await bundleModules(temporaryFolder());
  assert.deepEqual(Object.keys(bundled.libraries), Object.keys(LIBRARIES));
  for (const [specifier, room] of Object.entries(LIBRARIES)) {
    const code = `import * as all from "${specifier}";
      const names = Object.keys(all).filter((name) => name !== "module.exports" && all[name] !== undefined);
      console.log(import.meta.resolve("${specifier}"), names.length, names.sort().join());`;
    const [own, ofRun] = [written(room, code), written(room, code, bundled)];
    assert.ok(own.includes("/node_modules/"), own);
    assert.match(own, / [1-9]\d* /);
    assert.equal(ofRun, own.replace(/^\S+/, bundled.libraries[specifier] ?? ""));
  }
});

test("a thread runs the built program in a run, and its source outside of one", () => {
  const source = "data:text/javascript,console.log('source')";
  const threads = { [source]: "data:text/javascript,console.log('built')" };
  const code = `import { Worker } from "node:worker_threads";
    new Worker(new URL(${JSON.stringify(source)}), { execArgv: [] });`;
  assert.equal(written("host", code), "source\n");
  assert.equal(written("host", code, { libraries: {}, threads }), "built\n");
});
