/**
 * The programs of docs/sdk-go.md run as they stand, each in a module of a user's, and print what is behind
 * them.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { folderOf, serverEnvironment, startService } from "./service.ts";
import { goTest, succeed } from "./toolchain.ts";

const PAGE = fileURLToPath(new URL("../../../docs/sdk-go.md", import.meta.url));
const HOME = fileURLToPath(new URL("..", import.meta.url));
const FENCE = /^```go\n(.*?)^```$/gms;
const FIRST_LINE = /^\/\/ (\S+\.go)\n/;
const PRINTED = /fmt\.Println\(.*\) +\/\/ (.+)$/gm;

/** A file of the page, with what it prints. */
interface Example {
  readonly path: string;
  readonly code: string;
  readonly prints: readonly string[];
}

/** Returns the files; a block without a name fails. */
function examples(): readonly Example[] {
  return [...readFileSync(PAGE, "utf8").matchAll(FENCE)].map(([, block = ""]) => {
    const [line = "", path = ""] = FIRST_LINE.exec(block) ?? assert.fail(`a block without a file name: ${block}`);
    const code = block.slice(line.length);
    return { path, code, prints: [...code.matchAll(PRINTED)].map(([, printed = ""]) => printed) };
  });
}

goTest("each program of docs/sdk-go.md is formatted, runs, and prints what the page says", async () => {
  const list = examples();
  assert.ok(list.length >= 9, `${list.length}`);
  const folder = folderOf({ after });
  for (const { path, code } of list) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
  writeFileSync(
    join(folder, "go.mod"),
    `module loans.example\n\ngo 1.26\n\nrequire svc.example/go v0.0.0\n\nreplace svc.example/go => ${HOME}\n`,
  );
  assert.equal(succeed(["gofmt", "-l", folder]), "");
  // A module of a user's has what the SDK requires, and nothing else; its sums are those of the SDK.
  writeFileSync(join(folder, "go.sum"), readFileSync(join(HOME, "go.sum")));
  const here = { GOWORK: "off", GOFLAGS: "-mod=mod -buildvcs=false" };
  const bin = join(folder, "bin");
  succeed(["go", "-C", folder, "build", "-o", `${bin}/`, "./..."], ".", here);
  succeed(["go", "-C", folder, "test", "./..."], ".", { ...here, ...(await serverEnvironment()) });
  const { baseUrl, apiKey, streamId, publicKeyHex } = await startService({ after });
  const env = { SVC_URL: baseUrl, SVC_API_KEY: apiKey, SVC_STREAM: streamId, SVC_PUBLIC_KEY: publicKeyHex };
  for (const { path, prints } of list) {
    if (path.endsWith("_test.go")) continue;
    const { stdout } = await promisify(execFile)(join(bin, dirname(path)), [], { cwd: folder, env });
    assert.deepEqual(stdout.trim().split("\n"), prints, path);
  }
});
