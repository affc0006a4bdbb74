/**
 * Many requests at once with one Idempotency-Key are one event, and one answer, byte for byte; also if the server is
 * killed among them.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { setImmediate as immediately, setTimeout as pause } from "node:timers/promises";
import { type RunningChild, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { type Made, makeDeployment, startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { entry, log } from "../event-log/event-log.ts";

const REQUESTS = 200;
const BATCH = [1, 2, 3].map((number) => loan(number));
const KEY = "one-key";
const DEADLINE_MS = 60_000;

type Send = (client: Client, streamId: string) => ReturnType<Client["append"]>;
type List = (streamId: string) => string;
const ofStream: List = (streamId) => `/v2/streams/${streamId}/events`;
/** The request of a kind, the number of its events, and the path of their list. */
const KINDS: Readonly<Record<string, { readonly send: Send; readonly events: number; readonly list: List }>> = {
  "an event": { send: (client, streamId) => client.append(streamId, loan(1), KEY), events: 1, list: ofStream },
  "a batch": {
    send: (client, streamId) => client.appendBatch(streamId, BATCH, KEY),
    events: BATCH.length,
    list: ofStream,
  },
  // The first event of a log, whose stream is made with it.
  "an event of the log": { send: (client) => log(client, entry(1), KEY), events: 1, list: () => "/v1/events" },
};

/** The moments at which the server is killed. */
const MOMENTS: Readonly<Record<string, (made: Made, texts: readonly string[]) => Promise<unknown>>> = {
  "as soon as they are sent": () => immediately(),
  "as soon as the event is on disk": async ({ data_folder }) => {
    const database = new DatabaseSync(join(data_folder, "svc.db"), { readOnly: true });
    const count = database.prepare("SELECT COUNT(*) AS n FROM events");
    await soon(() => Number(count.get()?.n) > 0);
    database.close();
  },
  "after the first answers": (_made, texts) => soon(() => texts.length > 0),
};

for (const [name, { send, events, list }] of Object.entries(KINDS)) {
  test(`${name}: ${REQUESTS} requests at once`, async (t) => {
    const { client, made } = await startServer(t);
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => send(client, made.stream_id)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    await assertOnce(client, list(made.stream_id), events, new Set(answers.map(({ text }) => text)));
  });

  for (const [moment, come] of Object.entries(MOMENTS))
    test(`${name}: ${REQUESTS} requests at once, and kill -9 ${moment}`, async (t) => {
      const { made, first, restart } = await start(t);
      let current = new Client(first.url, made.api_key ?? "");
      const texts: string[] = [];
      const restarted = Promise.withResolvers<void>();
      const sent = Array.from({ length: REQUESTS }, () =>
        untilAnswered(
          () => send(current, made.stream_id),
          restarted.promise,
          (text) => texts.push(text),
        ),
      );
      await come(made, texts);
      assert.equal(await first.end("SIGKILL"), null);
      current = new Client((await restart()).url, made.api_key ?? "");
      restarted.resolve();
      await Promise.all(sent);
      assert.equal(texts.length, REQUESTS);
      texts.push((await send(current, made.stream_id)).text);
      await assertOnce(current, list(made.stream_id), events, new Set(texts));
    });
}

async function start(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const begin = (): Promise<RunningChild> => startChild(t, folder);
  return { made, first: await begin(), restart: begin };
}

/** Looks again without a pause, because the condition must not end before it is seen. */
async function soon(isThere: () => boolean): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  while (!isThere()) {
    assert.ok(performance.now() < deadline, `not within ${DEADLINE_MS} ms`);
    await immediately();
  }
}

/** Sends an interrupted request again after the restart. No answer may be a refusal here. */
async function untilAnswered(
  send: () => ReturnType<Client["append"]>,
  restarted: Promise<void>,
  onAnswer: (text: string) => void,
): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    assert.ok(performance.now() < deadline, `no answer within ${DEADLINE_MS} ms`);
    try {
      const { status, text } = await send();
      assert.equal(status, 201, text);
      onAnswer(text);
      return;
    } catch (error) {
      // fetch throws this error if the connection is refused or cut off.
      if (!(error instanceof TypeError)) throw error;
      await Promise.race([restarted, pause(1000)]);
    }
  }
}

/** Asserts that there is one answer, and that the list has the events of one request. */
async function assertOnce(client: Client, list: string, events: number, texts: ReadonlySet<string>): Promise<void> {
  assert.equal(texts.size, 1, "all answers are the same, byte for byte");
  const { body } = await client.get(list);
  assert.equal(body.items.length, events);
}
