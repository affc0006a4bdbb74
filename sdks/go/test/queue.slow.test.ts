/**
 * The append queue in Go under kill -9, alone and with spools that it and the other SDKs hand to each other, behind a
 * proxy that drops, delays, repeats and mixes answers: nothing is lost, appears twice or is out of order.
 * `SVC_GO_ROUNDS` says how many rounds; CI takes a sample of the hundred that a release is tried with.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import { FileSpool } from "../../../packages/sdk/src/node/index.ts";
import { Program } from "../../../tools/chaos/program.ts";
import { buildQueueing, type Ends, Trial } from "../../../tools/chaos/queue/trial.ts";
import { UnreliableProxy } from "../../../tools/chaos/queue/unreliable-proxy.ts";
import { Seeded } from "../../../tools/chaos/seeded.ts";
import { must } from "../../../tools/chaos/violation.ts";
import { buildCommand, folderOf, startService } from "./service.ts";
import { goTest } from "./toolchain.ts";

const QUEUEING_IN_PYTHON = fileURLToPath(new URL("../../python/test/queueing.py", import.meta.url));
const ROUNDS = Number(process.env.SVC_GO_ROUNDS ?? 20);
const MISHAP_PERCENT = 40;
/** Requests wait 150 ms for their answers: on a machine that is busy with other tests most are repeated. */
const PATIENCE_MS = 240_000;
/** In turn: starting a server takes longest. */
const ENDS: readonly Ends[] = [
  "program",
  "program",
  "program",
  "nothing",
  "program",
  "server",
  "program",
  "program",
  "both",
  "program",
];

/** Runs rounds with queueing programs in turn. */
async function trials(seed: number, programs: (folder: string) => Promise<readonly (readonly string[])[]>) {
  const folder = folderOf({ after });
  const program = await Program.build(folder);
  const random = new Seeded(seed);
  const dataFolder = join(folder, "data");
  const made = await program.run(["init", "--origin", "go.example/queue", "--data", dataFolder, "--json"]);
  must(made.code === 0, `no deployment can be made: ${made.err}`);
  const { api_key: apiKey, stream_id: streamId } = JSON.parse(made.out);
  const queueing = await programs(folder);
  const running = await program.mustStart(dataFolder);
  const proxy = await UnreliableProxy.start(random);
  proxy.percent = MISHAP_PERCENT;
  const context = { program, random, proxy, dataFolder, apiKey, streamId, folder, queueing, patienceMs: PATIENCE_MS };
  const trial = new Trial(context, running);
  try {
    for (let round = 0; round < ROUNDS; round++) await trial.round(ENDS[round % ENDS.length] ?? "program");
    await trial.finish();
    assert.ok(trial.spooled >= ROUNDS);
  } finally {
    trial.end();
    await proxy.close();
    program.end();
  }
}

goTest(`a queue in Go that is killed loses nothing, ${ROUNDS} rounds`, () =>
  trials(30, async (folder) => [[buildCommand("queueing", folder)]]),
);

goTest(`spools are handed between Go and TypeScript, both killed, ${ROUNDS} rounds`, () =>
  trials(31, async (folder) => [[buildCommand("queueing", folder)], await buildQueueing(folder)]),
);

goTest(`spools are handed between Go and Python, both killed, ${ROUNDS} rounds`, async () => {
  const [command] = await pythons();
  if (command === undefined) {
    saysMissing();
    return;
  }
  const python = ["env", `PYTHONPATH=${join(FOLDER, "src")}`, await environment(command), QUEUEING_IN_PYTHON];
  await trials(32, async (folder) => [[buildCommand("queueing", folder)], python]);
});

goTest("each keeps the other out of a spool", async () => {
  const { baseUrl, apiKey, streamId } = await startService({ after });
  const folder = folderOf({ after });
  const command = buildCommand("queueing", folderOf({ after }));
  const run = (to: number) => {
    const task = JSON.stringify({ url: baseUrl, apiKey, streamId, folder: join(folder, "spool"), from: 1, to });
    return spawn(command, [task], { stdio: ["ignore", "pipe", "pipe"] });
  };
  const own = new FileSpool({ folder: join(folder, "spool") });
  await own.open(streamId);
  const refused = run(1);
  let said = "";
  refused.stderr.on("data", (piece) => {
    said += piece;
  });
  assert.deepEqual(await once(refused, "close"), [1, null]);
  assert.match(said, /spool_in_use/);
  await own.close();
  // A hundred thousand events are not recorded before it is killed.
  const child = run(100_000);
  try {
    await once(createInterface({ input: child.stdout }), "line");
    await assert.rejects(new FileSpool({ folder: join(folder, "spool") }).open(streamId), { code: "spool_in_use" });
  } finally {
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  }
  const later = new FileSpool({ folder: join(folder, "spool") });
  assert.ok((await later.open(streamId)).last >= 5);
  await later.close();
});
