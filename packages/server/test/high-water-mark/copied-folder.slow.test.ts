/**
 * A data folder that was rolled back or copied as a whole, with its progress.json: the second file notices it, and its
 * place tells of it.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

const copy = (from: string, to: string) => execFileSync("cp", ["-rp", from, to]);

async function deployment(t: TestContext) {
  const home = temporaryFolder();
  const [data, second] = [join(home, "data"), join(home, "elsewhere.json")];
  const made = await makeDeployment(data);
  /** Starts a server whose log goes into a file. */
  const start = async (folder = data, environment: Record<string, string> = { SVC_PROGRESS_FILE: second }) => {
    const log = join(temporaryFolder(), "log");
    const under = ["sh", "-c", `exec "$@" 2>"${log}"`, "sh"];
    const child = await startChild(t, folder, { SVC_LOG_LEVEL: "warn", ...environment }, under);
    const logged = () => readFileSync(log, "utf8");
    return { ...child, logged, client: new Client(child.url, made.api_key ?? "") };
  };
  const run = (words: readonly string[], environment: Record<string, string> = { SVC_PROGRESS_FILE: second }) =>
    command([...words, "--data", data], environment);
  const refused = async (environment?: Record<string, string>) => {
    const { code, err } = await run(["start", "--port", "0"], environment);
    assert.equal(code, 1, err);
    return err;
  };
  const noted = (id: string) =>
    until(`${id} is noted`, async () =>
      existsSync(second) && readFileSync(second, "utf8").includes(id) ? true : null,
    );
  return { home, data, second, made, start, run, refused, noted };
}

test(
  "a folder that is rolled back as a whole is refused by the second file, until the loss is accepted",
  ON_FILE,
  async (t) => {
    const { home, data, second, made, start, run, refused, noted } = await deployment(t);
    const first = await start();
    await first.client.append(made.stream_id, loan(1), "event-1");
    assert.equal(await first.end("SIGTERM"), 0);
    copy(data, join(home, "snapshot"));
    const again = await start();
    const { body: lost } = await again.client.append(made.stream_id, loan(2), "event-2");
    await noted(lost.stream_event_id);
    assert.equal(await again.end("SIGTERM"), 0);
    rmSync(data, { recursive: true });
    copy(join(home, "snapshot"), data);

    const says = await refused();
    for (const part of [lost.stream_event_id, second, "is not in it", "accept-loss"])
      assert.ok(says.includes(part), says);
    // The setting may be gone with the machine: progress.json knows the path of the file.
    assert.ok((await refused({})).includes(lost.stream_event_id));
    assert.match((await run(["doctor"])).out, /fail +progress .*is not in it/);
    const accepted = await run(["accept-loss", "--json"]);
    assert.equal(JSON.parse(accepted.out).lost_event_id, lost.stream_event_id, accepted.err);
    const { client } = await start();
    assert.equal((await client.append(made.stream_id, loan(3), "event-3")).body.detail.code, "stream_closed");
  },
);

test(
  "a second file that is gone is no reason to trust: the start is refused until somebody says that it is lost",
  ON_FILE,
  async (t) => {
    const { data, second, made, start, run, refused, noted } = await deployment(t);
    const plain = await start(data, {});
    await plain.client.append(made.stream_id, loan(1), "event-1");
    assert.equal(await plain.end("SIGTERM"), 0);
    assert.match((await run(["doctor"])).out, /warn +progress .*elsewhere\.json is not there/);
    const first = await start();
    assert.match(first.logged(), /elsewhere\.json was not there, and is made now/);
    assert.equal(JSON.parse(readFileSync(second, "utf8")).origin, made.origin, "on the disk before anything is served");
    const { body: record } = await first.client.append(made.stream_id, loan(2), "event-2");
    await noted(record.stream_event_id);
    assert.equal(await first.end("SIGTERM"), 0);
    const kept = readFileSync(second, "utf8");
    // Without the setting the file is kept on.
    const unset = await start(data, {});
    assert.match(unset.logged(), /SVC_PROGRESS_FILE is not set/);
    const { body: third } = await unset.client.append(made.stream_id, loan(3), "event-3");
    await noted(third.stream_event_id);
    assert.equal(await unset.end("SIGTERM"), 0);

    rmSync(second);
    for (const environment of [undefined, {}])
      assert.match(
        await refused(environment),
        /elsewhere\.json is not there, and progress\.json says.*--renew-progress-file/,
      );
    assert.match((await run(["doctor"])).out, /fail +progress .*--renew-progress-file/);
    assert.ok(!existsSync(second));
    writeFileSync(second, "{");
    assert.match(await refused(), /elsewhere\.json is damaged/);
    // A file that is behind, as after a crash between the two writes, is no loss, and is brought up to date.
    writeFileSync(second, kept);
    const behind = await start();
    await noted(third.stream_event_id);
    assert.equal(await behind.end("SIGTERM"), 0);
    rmSync(second);
    const renewed = await startRenewed(t, data, second);
    await noted(third.stream_event_id);
    assert.equal(await renewed.end("SIGTERM"), 0);
    assert.equal(await (await start()).end("SIGTERM"), 0);
  },
);

/** Starts a server with the option, which startChild does not know. */
async function startRenewed(t: TestContext, data: string, second: string) {
  const under = ["sh", "-c", 'exec "$@" --renew-progress-file', "sh"];
  return startChild(t, data, { SVC_PROGRESS_FILE: second }, under);
}

test("the second file of another deployment is refused, and never written over", ON_FILE, async (t) => {
  const [one, other] = [await deployment(t), await deployment(t)];
  const of = { SVC_PROGRESS_FILE: one.second };
  // The origin tells deployments apart, and those of tests have the same one.
  const { code, err } = await command(["init", "--origin", "other.example", "--data", join(other.home, "second")]);
  assert.equal(code, 0, err);
  const late = await startChild(t, join(other.home, "second"), { ...of, SVC_LOG_LEVEL: "silent" });
  const first = await one.start();
  const { body: record } = await first.client.append(one.made.stream_id, loan(1), "event-1");
  await one.noted(record.stream_event_id);
  const kept = readFileSync(one.second, "utf8");
  const { out } = await command(["keys", "create", "--data", join(other.home, "second"), "--json"]);
  const { api_key } = JSON.parse(out);
  const client = new Client(late.url, api_key);
  const { body: streams } = await client.get("/v2/streams");
  await client.append(streams.items[0].stream_id, loan(1));
  assert.equal(await late.end("SIGTERM"), 0);
  assert.equal(readFileSync(one.second, "utf8"), kept);
  const refused = await command(["start", "--port", "0", "--data", join(other.home, "second")], of);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /elsewhere\.json is of another deployment, demo\.example\/evidence/);
});

test(
  "a copy logs that it is in another place; with a shared second file, it logs the other copy too",
  ON_FILE,
  async (t) => {
    const { home, data, second, made, start, noted } = await deployment(t);
    const token = "sixteen-letters!";
    const environment = { SVC_PROGRESS_FILE: second, SVC_METRICS_TOKEN: token };
    const first = await start(data, environment);
    const elsewhere = async ({ client }: typeof first) => {
      const answer = await fetch(`${client.url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
      const text = await answer.text();
      return /^svc_data_folder_elsewhere (\d)$/m.exec(text)?.[1];
    };
    await first.client.append(made.stream_id, loan(1), "event-1");
    assert.equal(await first.end("SIGTERM"), 0);
    const clone = join(home, "clone");
    copy(data, clone);
    const { out } = await command(["doctor", "--data", clone], environment);
    assert.match(out, /warn +place .*another database file.*If it is a copy, stop one/);

    const [original, copied] = [await start(data, environment), await start(clone, environment)];
    assert.deepEqual([await elsewhere(original), await elsewhere(copied)], ["0", "1"]);
    assert.match(copied.logged(), /in another place than at the last start/);
    assert.equal(original.logged(), "");
    const { body: ours } = await original.client.append(made.stream_id, loan(2), "event-2");
    await noted(ours.stream_event_id);
    const { body: theirs } = await copied.client.append(made.stream_id, loan(3), "event-3");
    assert.equal(theirs.seq_no, ours.seq_no, "which no folder can know by itself");
    await until("the copy logs it", async () =>
      copied.logged().includes("another copy of this deployment") ? true : null,
    );
    assert.ok(readFileSync(second, "utf8").includes(ours.stream_event_id));
    assert.equal(await copied.end("SIGTERM"), 0);
    const moved = await start(clone, {}).catch(() => null);
    assert.equal(moved, null, "the second file is ahead of it by now");
  },
);
