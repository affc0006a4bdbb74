/** A backup from before a rotation of the witness's key: the keys that were copied after it lead the database on. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

test(
  "a database from before a rotation, restored with the keys of after it, goes on under the same policy",
  ON_FILE,
  async (t) => {
    const home = temporaryFolder();
    const [data, restored] = [join(home, "data"), join(home, "restored")];
    const made = await makeDeployment(data);
    const { stream_id } = made;
    const run = async (...words: string[]) => {
      const { code, out, err } = await command([...words, "--json"]);
      assert.equal(code, 0, err);
      return JSON.parse(out);
    };
    const server = await startChild(t, data);
    const client = new Client(server.url, made.api_key ?? "");
    await client.append(stream_id, loan(1), "one");
    await client.witnessed(stream_id, 1);
    await run("backup", "--to", join(home, "backup"), "--data", data);
    // The rotation is an event too, which the backup lacks.
    const progress = join(home, "progress.json");
    await until("the event is noted", async () => existsSync(join(data, "progress.json")) || null);
    copyFileSync(join(data, "progress.json"), progress);
    const { key_epoch } = await run("keys", "rotate-witness", "--data", data);
    const { body: policy } = await client.get("/v2/witness/policies/default");
    assert.deepEqual([key_epoch, policy.policy_version], [2, 2]);
    assert.equal(await server.end("SIGINT"), 0);
    const keys = join(home, "keys");
    mkdirSync(keys);
    for (const name of readdirSync(data).filter((one) => /\.pem$|^pepper$|^witness-keys\.json$/.test(one)))
      copyFileSync(join(data, name), join(keys, name));

    const from = ["--from", join(home, "backup"), "--keys", keys, "--progress", progress];
    await run("restore", ...from, "--data", restored);
    assert.ok(existsSync(join(restored, "witness-keys.json")));
    const next = await startChild(t, restored);
    const again = new Client(next.url, made.api_key ?? "");
    assert.deepEqual((await again.get("/v2/witness/policies/default")).body, policy);
    await again.append(stream_id, loan(2), "two");
    await again.witnessed(stream_id, 2);
    const pack = await again.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 });
    assertVerified(pack.text, made.public_key_hex, "bundle");
    assert.deepEqual((await run("fsck", "--data", restored)).faults, []);
  },
);
