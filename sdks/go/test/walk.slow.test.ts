/** A stranger's walk: an empty folder, the module fetched as the guide says, and the guide's ten lines. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { folderOf, startService } from "./service.ts";
import { goTest } from "./toolchain.ts";

const MODULE = fileURLToPath(new URL("..", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../../docs/sdk-go.md", import.meta.url));

goTest("ten lines of the guide, in a module of a stranger's own, print verified", async () => {
  const service = await startService({ after });
  const folder = folderOf({ after });
  const guide = readFileSync(GUIDE, "utf8");
  const [, commands = ""] = /```sh\n(go mod init .*?)```/s.exec(guide) ?? [];
  const [, program = ""] = /```go\n\/\/ first\/main\.go\n(.*?)```/s.exec(guide) ?? [];
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
  assert.equal(commands.trimEnd().split("\n").length, 3);
  for (const command of commands.trimEnd().split("\n")) {
    const [name, ...words] = command.replace("=../svc/sdks/go", `=${MODULE}`).split(" ");
    assert.equal(name, "go");
    go(...words);
  }
  assert.equal(go("run", "."), "1 verified\n");
  // One requirement, and nothing else, came with it.
  const modules = go("list", "-m", "-f", "{{.Path}}", "all").trim().split("\n");
  assert.deepEqual(modules.sort(), ["example.com/first", "filippo.io/edwards25519", "svc.example/go"]);
});
