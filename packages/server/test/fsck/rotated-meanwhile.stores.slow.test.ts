/** fsck beside a server that rotates its key: it finds no fault, with the rotation between any two of its reads. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "@svc/host/clock";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { checkDatabase } from "../../src/fsck/check-database.ts";
import { checkEvidence } from "../../src/fsck/check-evidence.ts";
import { rotateSigningKey } from "../../src/keys/rotate.ts";
import { openKeySource } from "../../src/signing/key-source.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const EVERY = 3;
/** Whatever fsck checks on this store: a server has no file to check. */
const check = ON_POSTGRES ? checkEvidence : checkDatabase;

test("a rotation, and an event under its key, between any two reads is no fault", async (t) => {
  const { client, made, server } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const { database, kernel, origin, keyedHash, folder } = server.service.context;
  const source = openKeySource({ kind: "file" }, kernel, folder.path);
  t.after(() => source.close());
  let reads = 0;
  for (let number = 1; number === 1 || number <= reads; number += EVERY) {
    reads = 0;
    const read: typeof database.read = async (work) => {
      reads += 1;
      if (reads === number) {
        await rotateSigningKey(
          { database, kernel, clock: systemClock, source, dataFolder: folder.path },
          async () => undefined,
        );
        assert.equal((await client.append(made.stream_id, loan(number + 1))).status, 201);
      }
      return database.read(work);
    };
    const faults: unknown[] = [];
    const files = { exportsPath: null, archivePath: null, witnessMemory: null };
    for await (const fault of check({ program: THIN_SERVER, database: { read }, kernel, origin, keyedHash, ...files }))
      faults.push(fault);
    assert.deepEqual(faults, [], `before read ${number}`);
  }
  assert.ok(reads > 2 * EVERY, `${reads} reads`);
});
