/**
 * The client of the Python SDK where something lies or fails: a service whose answers are changed, a network that
 * drops, delays, repeats and reorders, and kills in the middle. `SVC_ROUNDS=100` makes as many rounds of each as a
 * release asks for.
 */
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { buildQueueing, type Ends, Trial } from "../../../tools/chaos/queue/trial.ts";
import { UnreliableProxy } from "../../../tools/chaos/queue/unreliable-proxy.ts";
import { Seeded } from "../../../tools/chaos/seeded.ts";
import { passesWith, startService } from "./service.ts";

const ROUNDS = Number(process.env.SVC_ROUNDS ?? 8);
const SEED = Number(process.env.SVC_SEED ?? 31);
const MISHAP_PERCENT = 40;
/** A machine with other work answers later than the queueing program waits, whose pauses then grow. */
const PATIENCE_MS = 300_000;
const ENDS: readonly Ends[] = ["program", "program", "nothing", "program", "server", "program", "program", "both"];
const QUEUEING = fileURLToPath(new URL("queueing.py", import.meta.url));

const commands = await pythons();
const [command] = commands;

for (const each of commands)
  test(`a client on ${each} records, reads, proves and queues`, async (t) => {
    const { told } = await startService(t);
    await passesWith(each, { SVC_TEST_SERVICE: told }, "tests/service/test_story.py");
  });

test("every program of the guide runs", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const { told } = await startService(t);
  await passesWith(command, { SVC_TEST_SERVICE: told }, "tests/service/test_guide.py");
});

test("a service that lies in any member is noticed", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const { told } = await startService(t);
  await passesWith(command, { SVC_TEST_SERVICE: told }, "tests/service/test_lies.py");
});

test(`${ROUNDS} rounds behind a network that fails: every event once`, async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const { told, running } = await startService(t);
  const proxy = await UnreliableProxy.start(new Seeded(SEED));
  t.after(() => proxy.close());
  proxy.target = running.url;
  proxy.percent = MISHAP_PERCENT;
  const variables = { SVC_TEST_SERVICE: told, SVC_TEST_PROXY: proxy.url, SVC_ROUNDS: `${ROUNDS}` };
  await passesWith(command, variables, "tests/service/test_network.py");
});

/** By name: whether TypeScript queues in turn with Python; the folder of the spool stays. */
const WITH_TYPESCRIPT: Readonly<Record<string, boolean>> = {
  "a queue in Python": false,
  "a spool that Python and TypeScript hand to each other": true,
};

for (const [what, withTypeScript] of Object.entries(WITH_TYPESCRIPT))
  test(`${what}, killed in ${ROUNDS} rounds: nothing is lost, twice or out of order`, async (t) => {
    if (command === undefined) return t.skip(saysMissing());
    const { program, running, dataFolder, apiKey, streamId } = await startService(t);
    const folder = temporaryFolder();
    const random = new Seeded(SEED);
    const proxy = await UnreliableProxy.start(random);
    proxy.percent = MISHAP_PERCENT;
    const python = ["env", `PYTHONPATH=${join(FOLDER, "src")}`, await environment(command), QUEUEING];
    const queueing = withTypeScript ? [python, await buildQueueing(folder)] : [python];
    const context = { program, random, proxy, dataFolder, apiKey, streamId, folder, queueing };
    const trial = new Trial({ ...context, patienceMs: PATIENCE_MS }, running);
    t.after(async () => {
      trial.end();
      // The server, too, which a failed round leaves behind.
      program.end();
      await proxy.close();
    });
    for (let round = 0; round < ROUNDS; round++) await trial.round(ENDS[round % ENDS.length] ?? "program");
    await trial.finish();
    t.diagnostic(
      `${trial.spooled} events, ${trial.receiptsToldAgain} receipts told again, ${[...proxy.counts].join("; ")}`,
    );
  });
