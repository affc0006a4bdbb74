/** The secrets of a deployment: rotated beside a running server, backed up, lost, and given up. */
import assert from "node:assert/strict";
import { readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { listening, ran } from "../platform-process.ts";

test(
  "rotated beside a running server, restored with its keys, and given up when the key is lost",
  ON_FILE,
  async (t) => {
    const home = temporaryFolder();
    const folder = join(home, "data");
    await makeDeployment(folder);
    const file = join(folder, "secrets-key");
    const { end } = await listening(t, folder);
    const first = readFileSync(file);
    const rotated = await ran(t, folder, ["secrets", "rotate", "--json"]);
    assert.equal(rotated.code, 0, rotated.err);
    assert.equal(JSON.parse(rotated.out).secrets, 1);
    assert.notDeepEqual(readFileSync(file), first);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(await end(), [0, null]);

    const passphrase = join(home, "passphrase");
    writeFileSync(passphrase, "correct horse battery staple", { mode: 0o600 });
    const backup = join(home, "backup");
    const sealed = ["--with-keys", "--passphrase-file", passphrase];
    assert.equal((await ran(t, folder, ["backup", "--to", backup, ...sealed])).code, 0);
    const target = join(home, "target");
    const restore = ["restore", "--from", backup, "--data", target, "--passphrase-file", passphrase];
    const restored = await ran(t, folder, restore);
    assert.equal(restored.code, 0, restored.err);
    assert.deepEqual(readFileSync(join(target, "secrets-key")), readFileSync(file));
    assert.equal((await ran(t, target, ["fsck"])).code, 0);

    const lost = join(home, "lost");
    renameSync(file, lost);
    const start = await ran(t, folder, ["start", "--port", "0"]);
    assert.equal(start.code, 1);
    assert.match(start.err, /Secrets in the database are sealed under the key [0-9a-f]{16}.*secrets forget/s);
    const doctor = await ran(t, folder, ["doctor"]);
    assert.equal(doctor.code, 1);
    assert.match(doctor.out, /secrets .*is not here/);
    const fsck = await ran(t, folder, ["fsck"]);
    assert.equal(fsck.code, 1);
    assert.match(fsck.out, /^secrets .*key-check/m);
    const forgotten = await ran(t, folder, ["secrets", "forget"]);
    assert.deepEqual([forgotten.code, forgotten.out], [0, "Given up: key-check of service.\n"]);
    assert.equal((await ran(t, folder, ["fsck"])).code, 0);
    const again = await listening(t, folder);
    assert.deepEqual(await again.end(), [0, null]);
    assert.equal(statSync(file).size, 32);
  },
);
