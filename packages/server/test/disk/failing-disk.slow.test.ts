/**
 * A disk that fails under a real server: strace makes the system calls answer as those of a broken or a full disk do.
 * Acknowledged events are there afterwards, others are recorded once when they are sent again, and no receipt belongs
 * to anything else.
 */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { Channel } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, type RunningChild, startChild } from "@svc/testkit/server/child-process";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { kernel } from "../../src/kernel.ts";
import { diskFailed, failed } from "../../src/notices.ts";
import { openService } from "../../src/serving/open-service.ts";
import { readConfig } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const skip =
  ON_FILE.skip || (hasStrace || process.env.CI ? false : "strace is not installed: a failing disk is NOT TESTED");
const MOST = 200;
const CLIENTS = 64;
/** More than the log ever becomes before the writer itself moves it. */
const MOST_MEGABYTES = 400;

/** Makes some system calls on a file of the data folder fail. */
function failing(folder: string, file: string, calls: string, fault: string): readonly string[] {
  const what = ["-e", `trace=${calls}`, "-e", `inject=${calls}:${fault}`, "-P", join(folder, file)];
  return ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", ...what];
}

interface Recorded {
  readonly number: number;
  readonly text: string;
}

/** Appends one event after another until one is refused. */
async function untilRefused(client: Client, { stream_id }: Made, from: number, receipts: Recorded[]) {
  for (let number = from; number < from + MOST; number++) {
    const answer = await client.append(stream_id, loan(number), `event-${number}`);
    if (answer.status !== 201) return { number, answer };
    receipts.push({ number, text: answer.text });
  }
  return assert.fail(`${MOST} events were recorded, and the disk never failed`);
}

/**
 * Asserts that every receipt is served unchanged, that the events are those that were sent, and that a pack of them
 * verifies.
 */
async function assertWhole(client: Client, made: Made, receipts: readonly Recorded[]): Promise<void> {
  for (const { text } of receipts)
    assert.equal((await client.get(`/v2/receipts/${JSON.parse(text).stream_event_id}`)).text, text);
  const { stream_id } = made;
  const { body: head } = await client.get(`/v2/streams/${stream_id}/head`);
  assert.equal(head.seq_no, receipts.length, "each request is one event");
  await client.witnessed(stream_id, head.seq_no);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: head.seq_no });
  assert.equal(assertVerified(pack.text, made.public_key_hex, "bundle").assurance.complete, true);
  const { code, out, err } = await command(["fsck", "--data", made.data_folder]);
  assert.deepEqual([code, out], [0, "Nothing is wrong.\n"], err);
}

async function started(t: TestContext, file: string, calls: string, fault: string) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const again = async (under: readonly string[] = []): Promise<RunningChild & { readonly client: Client }> => {
    const child = await startChild(t, folder, { SVC_LOG_LEVEL: "silent" }, under);
    return { ...child, client: new Client(child.url, made.api_key ?? "") };
  };
  return { made, again, first: await again(failing(folder, file, calls, fault)) };
}

test("a commit that the disk does not confirm: nothing more is written, the server ends, and after a start all is " +
  "there", {
  skip,
}, async (t) => {
  // The sync fails only once: the next one would succeed, although the pages of the first were never written.
  const { made, again, first } = await started(t, "svc.db-wal", "fsync,fdatasync", "error=EIO:when=4");
  const receipts: Recorded[] = [];
  const { number, answer } = await untilRefused(first.client, made, 1, receipts);
  assert.deepEqual([answer.status, answer.body.detail.code], [503, "store_uncertain"]);
  // The server takes nothing more, neither a request nor a connection.
  const next: Answer | null = await first.client.append(made.stream_id, loan(0), "event-0").catch(() => null);
  assert.ok(next === null || next.body.detail.code === "store_unavailable", next?.text);
  assert.equal(await first.ended, 1);

  const second = await again();
  for (const late of [number, 0]) {
    const repeated = await second.client.append(made.stream_id, loan(late), `event-${late}`);
    assert.equal(repeated.status, 201);
    assert.equal((await second.client.append(made.stream_id, loan(late), `event-${late}`)).text, repeated.text);
    receipts.push({ number: late, text: repeated.text });
  }
  await assertWhole(second.client, made, receipts);
  assert.equal(await second.end("SIGTERM"), 0);
});

for (const [what, calls, fault, code] of [
  ["a wait for the disk fails", "fsync,fdatasync", "error=EIO:when=6", "store_uncertain"],
  ["the disk is full", "pwrite64", "error=ENOSPC:when=400..1200", "store_full"],
] as const)
  test(`${what} while 64 clients wait: each is refused, and sent again, is recorded once`, { skip }, async (t) => {
    const { made, again, first } = await started(t, "svc.db-wal", calls, fault);
    const { stream_id } = made;
    const recorded = new Map<string, string>();
    const refusals = new Set<string>();
    const keys = Array.from({ length: CLIENTS }, (_, number) => `client-${number}`);
    const send = async ({ client }: { readonly client: Client }, key: string, number: number) => {
      const name = `${key}-${number}`;
      const answer = await client.append(stream_id, loan(number), name).catch(() => null);
      if (answer?.status === 201) recorded.set(name, answer.text);
      else refusals.add(answer === null ? "the connection ended" : answer.body.detail.code);
      return answer?.status === 201;
    };
    for (let number = 1; refusals.size === 0 && number < MOST; number++)
      await Promise.all(keys.map((key) => send(first, key, number)));
    assert.ok(refusals.has(code), [...refusals].join());
    const others = [...refusals].filter((refusal) => refusal !== code);
    assert.ok(
      others.every((refusal) => /^(store_unavailable|the connection ended)$/.test(refusal)),
      others.join(),
    );
    if (code === "store_uncertain") assert.equal(await first.ended, 1);
    else assert.equal(await first.end("SIGKILL"), null);

    const second = await again();
    const before = new Map(recorded);
    const last = Math.max(...[...recorded.keys()].map((name) => Number(name.split("-")[2])), 0) + 1;
    for (let number = 1; number <= last; number++)
      assert.ok((await Promise.all(keys.map((key) => send(second, key, number)))).every(Boolean));
    for (const [name, text] of before) assert.equal(recorded.get(name), text, `${name} has one receipt`);
    const { body } = await second.client.get(`/v2/streams/${stream_id}/head`);
    assert.equal(body.seq_no, recorded.size, "each request is one event");
    const { code: status, out, err } = await command(["fsck", "--data", made.data_folder]);
    assert.deepEqual([status, out], [0, "Nothing is wrong.\n"], err);
    assert.equal(await second.end("SIGTERM"), 0);
  });

test("a log that the disk does not let move into the database: the server ends, and after a start all is there", {
  skip,
}, async (t) => {
  // A start moves what was left, which is nothing here. The file is waited for when its log is moved to the end: by the
  // thread if what comes meanwhile is little, or else by the writer, once the log is four times its usual size.
  const { made, again, first } = await started(t, "svc.db", "fsync,fdatasync", "error=EIO:when=1");
  const receipts: Recorded[] = [];
  const payload = { text: "x".repeat(100_000) };
  for (let number = 1; number <= MOST_MEGABYTES; number++) {
    const events = Array.from({ length: 10 }, (_, index) => ({ ...loan(10 * number + index), payload }));
    const answer = await first.client.appendBatch(made.stream_id, events, `batch-${number}`).catch(() => null);
    if (answer?.status !== 201) {
      assert.ok(answer === null || /^store_un/.test(answer.body.detail.code), answer?.text);
      break;
    }
    for (const receipt of answer.body.receipts) receipts.push({ number, text: JSON.stringify(receipt) });
  }
  assert.ok(receipts.length < 10 * MOST_MEGABYTES, "the disk never failed");
  assert.equal(await first.ended, 1);
  const second = await again();
  for (const { text } of receipts)
    assert.equal((await second.client.get(`/v2/receipts/${JSON.parse(text).stream_event_id}`)).text, text);
  const { code, out, err } = await command(["fsck", "--data", made.data_folder]);
  assert.deepEqual([code, out], [0, "Nothing is wrong.\n"], err);
  assert.equal(await second.end("SIGTERM"), 0);
});

test("a disk that is full for a while: store_full, no receipt, and on it goes", { skip }, async (t) => {
  const { made, first } = await started(t, "svc.db-wal", "pwrite64", "error=ENOSPC:when=120..180");
  const receipts: Recorded[] = [];
  const { number, answer } = await untilRefused(first.client, made, 1, receipts);
  assert.deepEqual([answer.status, answer.body.detail.code], [503, "store_full"]);
  for (let attempt = 0; receipts.length < number; attempt++) {
    assert.ok(attempt < MOST, "there is no room again");
    const repeated = await first.client.append(made.stream_id, loan(number), `event-${number}`);
    if (repeated.status === 201) receipts.push({ number, text: repeated.text });
    else assert.equal(repeated.body.detail.code, "store_full");
  }
  await assertWhole(first.client, made, receipts);
  assert.equal(await first.end("SIGTERM"), 0);
});

test("a log that a server left is moved into the database before anything comes behind it", ON_FILE, async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const child = await startChild(t, folder);
  await new Client(child.url, made.api_key ?? "").append(made.stream_id, loan(1));
  assert.equal(await child.end("SIGKILL"), null);
  const logBytes = () => statSync(join(folder, "svc.db-wal")).size;
  assert.ok(logBytes() > 0);
  const never = (error: unknown) => assert.fail(String(error));
  const channel = new Channel();
  for (const topic of [diskFailed, failed]) channel.subscribe<unknown>(topic, never);
  const config = readConfig(THIN_SERVER, { SVC_DATA: folder });
  const service = await openService({ program: THIN_SERVER, config, kernel, clock: systemClock, channel });
  t.after(() => service.close());
  assert.equal(logBytes(), 0);
});
