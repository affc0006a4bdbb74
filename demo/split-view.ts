/**
 * A split view, played for real: the folder of the service is copied, both copies go on under one key, and each records
 * another event under the same number. Witnesses that cosigned the one history refuse the other, and write evidence.
 * Files are left, and split-audit.ts looks at them when the services are gone.
 */
import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type EventInput, type StreamClient, SvcClient } from "@svc/sdk";
import { earthquakes } from "./earthquakes.ts";
import type { RunningProgram, Settings } from "./program.ts";
import { step } from "./progress.ts";
import { type Initialised, startService } from "./service.ts";
import type { HistoryFiles, SplitFiles } from "./split-audit.ts";
import { until } from "./until.ts";
import type { Witness } from "./witness.ts";

/** The parts of the play. */
export interface Play {
  readonly made: Initialised;
  readonly server: RunningProgram;
  /** The data folder of the server, and the place of its copy. */
  readonly data: string;
  readonly copy: string;
  readonly settings: Settings;
  /** The witnesses that run. */
  readonly witnesses: readonly Witness[];
  /** The auditor's demand of witnesses, a tlog-policy. */
  readonly quorumFile: string;
  /** The folder of what stays. */
  readonly out: string;
}

/** One copy of the service, and the history that it tells. */
interface Side {
  readonly name: string;
  readonly server: RunningProgram;
  readonly client: SvcClient;
  readonly stream: StreamClient;
  readonly files: HistoryFiles;
}

/** Plays it to its end, stops both services, deletes the copy, and resolves to the files that are left. */
export async function playSplitView(play: Play): Promise<SplitFiles> {
  const { made, server, data, copy, settings, witnesses, out } = play;
  assert.equal(await server.stop(), 0, "the server must drain and end with 0");
  cpSync(data, copy, { recursive: true });
  const side = async (name: string, folder: string): Promise<Side> => {
    const running = await startService(folder, settings);
    const client = new SvcClient({ baseUrl: running.url, apiKey: made.api_key });
    const stream = client.stream(made.stream_id);
    const file = `${out}${name}-history`;
    const files = { bundle: `${file}.bundle.json`, withFork: `${file}-with-fork.bundle.json` };
    return { name, server: running, client, stream, files };
  };
  const [first, second] = [await side("first", data), await side("second", copy)];
  step("service stopped, its folder copied", `both copies go on: ${first.server.url} and ${second.server.url}`);

  const [told, other] = twoEvents();
  const { seq_no } = await first.stream.append(told, { idempotencyKey: "split-first" });
  await cosignedByAll(first, witnesses, seq_no);
  step(`first copy records event ${seq_no}`, `cosigned by ${witnesses.map(({ owner }) => owner).join(" and ")}`);
  const receipt = await second.stream.append(other, { idempotencyKey: "split-second" });
  assert.equal(receipt.seq_no, seq_no, "both copies must give their events one number");
  step(`second copy records another ${seq_no}`, "the same earthquake, one magnitude stronger");
  await refusedByAll(second, witnesses, seq_no);
  step("both witnesses refuse the second", "history_contradicted: each has cosigned another one of this size");

  const fork = `${out}fork.json`;
  for (const file of await evidenceOf(witnesses, `${made.origin}/${made.stream_id}`)) copyFileSync(file, fork);
  step("fork evidence written", `by ${witnesses.length} witnesses, each on its own`);
  for (const { client, server: running, files } of [first, second]) {
    const pack = () => client.auditPackBytes({ stream_id: made.stream_id, from_seq_no: 1, to_seq_no: seq_no });
    writeFileSync(files.bundle, await pack());
    await handIn(running, fork);
    writeFileSync(files.withFork, await pack());
  }
  step("evidence handed in to both copies", "each has to put it into its bundles from now on");
  for (const { name, server: running } of [first, second])
    assert.equal(await running.stop(), 0, `the ${name} copy must drain and end with 0`);
  rmSync(copy, { recursive: true });
  return { fork, quorum: play.quorumFile, first: first.files, second: second.files };
}

/** Hands evidence in to a service, which has to keep it. */
async function handIn({ url }: RunningProgram, fork: string): Promise<void> {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/v2/forks`, { method: "POST", headers, body: readFileSync(fork) });
  assert.equal(answer.status, 200, await answer.text());
}

/** Returns the last earthquake, as it was measured and one magnitude stronger. */
function twoEvents(): [EventInput, EventInput] {
  const told = earthquakes().at(-1);
  assert.ok(told !== undefined);
  const other = structuredClone(told) as EventInput & { payload: { properties: { mag: number } } };
  other.payload.properties.mag += 1;
  return [told, other];
}

/** Waits until these witnesses, and no others, have cosigned a side up to an event. */
async function cosignedByAll({ stream }: Side, witnesses: readonly Witness[], seqNo: number): Promise<void> {
  await until(`event ${seqNo} is cosigned`, async () => {
    const state = await stream.proofState();
    if (state.witnessed_to_seq_no !== seqNo) return null;
    const cosigners = state.witnesses.filter((witness) => witness.state === "cosigned");
    return sameOwners(cosigners, witnesses) ? state : null;
  });
}

/** Waits until each of these witnesses has refused the checkpoint of a side, which therefore has no quorum. */
async function refusedByAll({ stream }: Side, witnesses: readonly Witness[], seqNo: number): Promise<void> {
  const state = await until("both witnesses refuse the second history", async () => {
    const now = await stream.proofState();
    const refused = now.witnesses.filter(({ problem }) => problem?.code === "history_contradicted");
    return sameOwners(refused, witnesses) ? now : null;
  });
  assert.equal(state.checkpointed_to_seq_no, seqNo);
  assert.equal(state.witnessed_to_seq_no, seqNo - 1, "no quorum may have cosigned the second history");
}

function sameOwners(states: readonly { readonly witness_id: string }[], witnesses: readonly Witness[]): boolean {
  const ids = states.map(({ witness_id }) => witness_id);
  return ids.length === witnesses.length && witnesses.every(({ owner }) => ids.includes(owner));
}

/** Resolves to the file of each witness's evidence about a log. */
async function evidenceOf(witnesses: readonly Witness[], origin: string): Promise<string[]> {
  const files: string[] = [];
  for (const { owner, forks } of witnesses) {
    const [file, ...more] = await forks(origin);
    assert.ok(file !== undefined, `the witness of the ${owner} must have evidence`);
    assert.deepEqual(more, [], `the witness of the ${owner} must have one piece of evidence`);
    files.push(file);
  }
  return files;
}
