/**
 * The repeated queries of jobs, and the first queries of many requests, look at waiting rows, and not at all past ones.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { MAX_EXPORT_STREAMS } from "@svc/api/limits";
import { serviceTime, systemClock } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { anyMessageDue } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { ON_FILE } from "@svc/testkit/drivers";
import { unclearedErasures } from "../../src/erasure/erasures-store.ts";
import { newestLogStream } from "../../src/event-log/log-store.ts";
import { anyTicketBefore } from "../../src/exports/accesses-store.ts";
import { chooseEvents } from "../../src/exports/choose-events.ts";
import {
  expiredExports,
  exportsAtWork,
  exportsWithFiles,
  storedExports,
  waitingExports,
} from "../../src/exports/exports-store.ts";
import { oldestRecordFrom } from "../../src/idempotency/store.ts";
import { uncheckpointedWindows, unwindowedEvents } from "../../src/sealing/backlog-store.ts";
import {
  earlierWithOpenMessage,
  firstWitnessedOver,
  newestWitnessedSeqNo,
} from "../../src/sealing/checkpoints-store.ts";
import { anyWindowDue } from "../../src/sealing/close-windows.ts";
import { anyCheckpointDue, COSIGN } from "../../src/sealing/make-checkpoints.ts";
import { makeLargeDeployment, openCounted } from "./large-deployment.ts";

test("what is asked again and again does not grow with what is done", ON_FILE, async () => {
  const large = await makeLargeDeployment(10_000);
  const { service, database } = await openCounted(large);
  const { context } = service;
  const { tenant_id: tenantId, system_id: systemId } = large.made;
  const now = serviceTime(systemClock());
  const limits = { actions: null, streams: null };
  const principal: Principal = { tenantId, kind: "system", id: systemId, roles: [], limits };
  const read =
    <T>(work: (reader: Reader) => Promise<T>) =>
    () =>
      database.read(work);
  const asked: Record<string, () => Promise<unknown>> = {
    "a window is due": () => anyWindowDue(context),
    "a checkpoint is due": () => anyCheckpointDue(context),
    "an outbox message is due": () => anyMessageDue(context, COSIGN),
    "an earlier checkpoint has its outbox message": read((reader) =>
      earlierWithOpenMessage(reader, COSIGN, { stream_id: large.streamId, window_count: 1000 }, 997),
    ),
    "an export waits": read(exportsAtWork),
    "an export has expired": read((reader) => expiredExports(reader, now, 1)),
    "a deleted export has its file": read((reader) => exportsWithFiles(reader, 1)),
    "a ticket has ended": read((reader) => anyTicketBefore(reader, now)),
    "an erasure waits": read((reader) => unclearedErasures(reader, 1)),
    "a record is old": read((reader) => oldestRecordFrom(reader, "")),
    "how many exports are kept": read((reader) => storedExports(reader, principal)),
    "what the metrics say of what waits": read(async (reader) => [
      await unwindowedEvents(reader),
      await uncheckpointedWindows(reader),
      await waitingExports(reader),
    ]),
    "how far a stream is witnessed": read((reader) => newestWitnessedSeqNo(reader, large.streamId)),
    "which checkpoint witnesses an event": read((reader) => firstWitnessedOver(reader, large.streamId, 5)),
    "which log takes events": read((reader) => newestLogStream(reader, tenantId, systemId)),
    "all streams of a system are to be exported": read((reader) =>
      chooseEvents(reader, principal, { systems: [systemId] }).catch((error: unknown) => {
        assert.ok(error instanceof ServiceError && error.code === "range_too_large");
      }),
    ),
  };
  const grown: string[] = [];
  for (const [what, ask] of Object.entries(asked)) {
    await ask();
    const { rows, total, plans } = database.looked();
    assert.ok(plans.length > 0, what);
    const isScanned = plans.some(({ plain }) => plain.some((step) => /^SCAN \w+$/.test(step)));
    if (isScanned || total > MAX_EXPORT_STREAMS + 1)
      grown.push(`${what}: ${JSON.stringify(rows)} ${JSON.stringify(plans.map(({ plain }) => plain))}`);
  }
  assert.deepEqual(grown, []);

  // Many streams wait for the witness: each asks about its own checkpoints.
  await database.write((writer) => writer.run("UPDATE outbox SET done_at = NULL"));
  const own = { stream_id: large.streamId, window_count: 1000 };
  assert.ok(await database.read((reader) => earlierWithOpenMessage(reader, COSIGN, own, 997)));
  assert.deepEqual(database.looked().rows, { checkpoints: 1, outbox: 1 });

  // Many streams wait for a checkpoint: one of them answers whether any does.
  await database.write((writer) => writer.run("UPDATE streams SET window_count = 1 WHERE window_count = 0"));
  assert.equal(await anyCheckpointDue(context), true);
  assert.deepEqual(database.looked().rows, { streams: 1 });

  // Many have a window open, and none is due: requests are served during the search for one.
  const since = serviceTime(systemClock() - 60_000);
  await database.write((writer) => writer.run("UPDATE streams SET unwindowed_since = $1, policy_id = 'none'", since));
  let turns = 0;
  let isLooking = true;
  const turning = (async () => {
    while (isLooking) {
      await turnOfEventLoop();
      turns += 1;
    }
  })();
  assert.equal(await anyWindowDue(context), false, "a window of no policy is never due");
  isLooking = false;
  await turning;
  assert.ok(turns >= 10_000 / 1000, `${turns} turns of the event loop`);
  assert.ok((database.looked().rows.streams ?? 0) >= 10_000);
  await service.close();
});
