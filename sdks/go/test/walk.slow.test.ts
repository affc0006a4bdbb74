/** A stranger's walk: an empty folder, the module fetched from its own folder, and the guide's ten lines. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { folderOf, startService } from "./service.ts";
import { goTest } from "./toolchain.ts";

const MODULE = fileURLToPath(new URL("..", import.meta.url));
const { version: VERSION } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));
const GUIDE = fileURLToPath(new URL("../../../docs/sdk-go.md", import.meta.url));

goTest("ten lines of the guide, in a module of a stranger's own, print verified", async () => {
  const service = await startService({ after });
  const folder = folderOf({ after });
  const [, program = ""] = /```go\n\/\/ first\/main\.go\n(.*?)```/s.exec(readFileSync(GUIDE, "utf8")) ?? [];
  writeFileSync(join(folder, "main.go"), program);
  const env = {
    ...process.env,
    GOWORK: "off",
    GOFLAGS: "-mod=mod -buildvcs=false",
    SVC_URL: service.baseUrl,
    SVC_API_KEY: service.apiKey,
    SVC_PUBLIC_KEY: service.publicKeyHex,
    SVC_STREAM: service.streamId,
  };
  const go = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync("go", words, { cwd: folder, env, encoding: "utf8" });
    assert.equal(status, 0, `go ${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  go("mod", "init", "stranger.example/first");
  go("mod", "edit", "-replace", `svc.example/go=${MODULE}`);
  go("get", `svc.example/go@v${VERSION}`);
  assert.equal(go("run", "."), "1 verified\n");
  // One requirement, and nothing else, came with it.
  const modules = go("list", "-m", "-f", "{{.Path}}", "all").trim().split("\n");
  assert.deepEqual(modules.sort(), ["filippo.io/edwards25519", "stranger.example/first", "svc.example/go"]);
});
