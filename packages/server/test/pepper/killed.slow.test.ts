/** A rotation of the pepper that is killed in each step, and one that a backup was made within. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, killedAt, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { failpointsOfServer } from "../../../../tools/chaos/failpoints.ts";

const ROTATE = ["keys", "rotate-pepper"];
const FINISH = [...ROTATE, "--finish", "--revoke-unused"];
/** The steps of the end of a rotation. */
const AT_END = ["pepper rotation: earlier forgotten", "pepper rotation: settled"];

async function run(folder: string, ...words: string[]) {
  const { code, out, err } = await command([...words, "--data", folder, "--json"]);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test("kill -9 in each step of a rotation: every key works, and the next start and rotation go through", async (t) => {
  const failpoints = failpointsOfServer().filter((name) => name.startsWith("pepper rotation: "));
  assert.equal(failpoints.length, 5);
  for (const failpoint of failpoints) {
    const folder = join(temporaryFolder(), "data");
    const made = await makeDeployment(folder);
    const isAtEnd = AT_END.includes(failpoint);
    if (isAtEnd) {
      await run(folder, ...ROTATE);
      await run(folder, "keys", "create");
    }
    const pepper = (name: string) => readFileSync(join(folder, name), "hex");
    const [old, next] = [pepper("pepper"), isAtEnd ? pepper("pepper.next") : null];
    await killedAt(failpoint, [...(isAtEnd ? FINISH : ROTATE), "--data", folder]);
    assert.deepEqual((await run(folder, "fsck")).faults, [], failpoint);
    const server = await startChild(t, folder);
    // The finish had to revoke the key that was never used.
    const { status } = await new Client(server.url, made.api_key ?? "").append(made.stream_id, loan(1), "one");
    assert.equal(status, isAtEnd ? 401 : 201, failpoint);
    assert.equal(await server.end("SIGINT"), 0);
    if (isAtEnd) assert.deepEqual([pepper("pepper"), existsSync(join(folder, "pepper.next"))], [next, false]);
    else assert.equal(pepper("pepper"), old);
    const { code, err } = await command([...ROTATE, "--data", folder]);
    // The only key was used, and no request of before is kept: nothing needs the earlier pepper any more.
    assert.equal(code, 0, `${failpoint}: ${err}`);
    assert.deepEqual((await run(folder, "fsck")).faults, []);
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const { mode } = statSync(join(folder, entry.name));
      assert.equal(mode & 0o777, entry.isDirectory() ? 0o700 : 0o600, entry.name);
    }
  }
});

test("a backup within a rotation holds both peppers, and a restored server knows every key", ON_FILE, async (t) => {
  const home = temporaryFolder();
  const [data, restored] = [join(home, "data"), join(home, "restored")];
  const made = await makeDeployment(data);
  const first = await startChild(t, data);
  await new Client(first.url, made.api_key ?? "").append(made.stream_id, loan(1), "one");
  assert.equal(await first.end("SIGINT"), 0);
  await run(data, ...ROTATE);
  const { api_key } = await run(data, "keys", "create");
  writeFileSync(join(home, "passphrase"), "correct horse battery staple\n", { mode: 0o600 });
  const secret = ["--passphrase-file", join(home, "passphrase")];
  await run(data, "backup", "--with-keys", ...secret, "--to", join(home, "backup"));
  await run(restored, "restore", ...secret, "--from", join(home, "backup"), "--progress", join(data, "progress.json"));
  const server = await startChild(t, restored);
  for (const key of [made.api_key, api_key]) {
    const { status } = await new Client(server.url, key).get(`/v2/streams/${made.stream_id}/events`);
    assert.equal(status, 200);
  }
});

test("no output of a rotation shows a pepper", async () => {
  const folder = join(temporaryFolder(), "data");
  await makeDeployment(folder);
  const { out, err } = await command([...ROTATE, "--data", folder, "--json"]);
  for (const name of ["pepper", "pepper.next"])
    for (const encoding of ["hex", "base64", "base64url"] as const)
      assert.ok(!`${out}${err}`.includes(readFileSync(join(folder, name), encoding)));
});
