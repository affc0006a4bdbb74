/** fsck and the epochs of the service log: none that comes meanwhile is a fault, and one over nothing is. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Fault } from "@svc/host/checks";
import { Lease } from "@svc/host/jobs";
import type { Database } from "@svc/host/store";
import { checkEvidence } from "../../src/fsck/check-evidence.ts";
import { appendQueued, queueEarlier } from "../../src/service-log/append-checkpoints.ts";
import { newestEpoch } from "../../src/service-log/epochs-store.ts";
import { makeEpoch } from "../../src/service-log/make-epoch.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { append, contextUnderTest, ONE_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS } from "../store-under-test.ts";

/** Resolves to a context whose log can be appended to, and to what fsck finds in it with a way to read. */
async function logUnderTest(t: TestContext) {
  const { context } = await contextUnderTest(t);
  const { database, kernel, origin, keyedHash } = context;
  const lease = new Lease(context, "service-log");
  assert.ok(await lease.acquire());
  await queueEarlier(context, lease, new AbortController().signal);
  const appendLeaf = async () => {
    await append(context, LOANS, ONE_STREAM, 1);
    await seal(context, BANK, ONE_STREAM);
    assert.equal(await appendQueued(context, lease), true);
  };
  const faultsWith = async (read: Database["read"] = (work) => database.read(work)) => {
    const faults: Fault[] = [];
    const files = { exportsPath: null, archivePath: null, witnessMemory: null };
    for await (const fault of checkEvidence({
      program: THIN_SERVER,
      database: { read },
      kernel,
      origin,
      keyedHash,
      ...files,
    }))
      faults.push(fault);
    return faults;
  };
  return { context, lease, appendLeaf, faultsWith };
}

test("an epoch that is published between any two reads is no fault", async (t) => {
  const { context, lease, appendLeaf, faultsWith } = await logUnderTest(t);
  // One of the streams here has a policy that does not exist.
  const before = await faultsWith();
  let reads = 0;
  let number = 1;
  for (; number === 1 || number <= reads; number += 1) {
    await appendLeaf();
    reads = 0;
    const faults = await faultsWith(async (work) => {
      reads += 1;
      if (reads === number) await makeEpoch(context, lease);
      return context.database.read(work);
    });
    assert.deepEqual(faults, before, `before read ${number}`);
  }
  const newest = await context.database.read(newestEpoch);
  assert.equal(newest?.epoch_no, number - 1);
});

test("an epoch that a changed row puts over no checkpoint is a fault, whatever the log has", async (t) => {
  const { context, lease, appendLeaf, faultsWith } = await logUnderTest(t);
  await appendLeaf();
  await makeEpoch(context, lease);
  const { database } = context;
  await database.write((writer) => writer.run("UPDATE epochs SET log_size = 0"));
  assert.ok((await faultsWith()).some(({ table }) => table === "epochs"));
  await database.write((writer) => writer.run("DELETE FROM service_log_leaves"));
  const faults = await faultsWith();
  assert.ok(faults.some(({ fault }) => fault === "it covers 0 checkpoints, and the log has 0"));
});
