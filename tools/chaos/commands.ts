/**
 * Failpoints of commands that run without the server, or beside it: how to bring each command to a failpoint, and what
 * must hold after it was killed there. By the first word of the failpoint's name; all other failpoints are the server's
 * own.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sharedPostgres } from "@svc/testkit/postgres";
import { until } from "@svc/testkit/until";
import { anchoringTrial } from "./anchoring-trial.ts";
import { archiveTrial } from "./archive-trial.ts";
import type { Program } from "./program.ts";
import { read } from "./requests.ts";
import { must } from "./violation.ts";

interface Stream {
  readonly head_seq_no: number;
}

/** Kills a command at a failpoint, in its own folder. Throws Violation. */
type Trial = (program: Program, folder: string, failpoint: string) => Promise<void>;

export const COMMANDS: Readonly<Record<string, Trial>> = {
  /** A deployment is there whole or not at all: either it is made again, or it works and wants a key. */
  init: async (program, folder, failpoint) => {
    const data = join(folder, "data");
    const init = ["init", "--origin", "chaos.example/evidence", "--data", data, "--json"];
    const { code } = await program.run(init, { kill: { failpoint, nth: 1 } });
    must(code === null, `init ended with ${code} before its failpoint ${failpoint}`);
    const again = await program.run(init);
    if (again.code !== 0) {
      const key = await program.run(["keys", "create", "--data", data, "--json"]);
      must(key.code === 0, `a deployment that was cut off can neither be made nor used: ${again.err}${key.err}`);
    }
    const fsck = await program.run(["fsck", "--data", data, "--json"]);
    must(fsck.code === 0, `fsck ends with ${fsck.code}: ${fsck.out}${fsck.err}`);
    const running = await program.mustStart(data);
    running.kill("SIGTERM");
    await running.ended;
  },
  /** A backup gets its name only when it is whole, and another one can be made in its place. */
  backup: async (program, folder, failpoint) => {
    const data = await deployment(program, folder);
    const backup = [
      "backup",
      "--with-keys",
      "--passphrase-file",
      passphrase(folder),
      "--to",
      join(folder, "backup"),
      "--data",
      data,
    ];
    await cutOff(program, backup, failpoint);
    if (!existsSync(join(folder, "backup"))) await succeed(program, backup);
    await restored(program, folder, data);
  },
  /** A half restored folder does not start, as if it were empty, and can be restored again. */
  restore: async (program, folder, failpoint) => {
    const data = await deployment(program, folder);
    await succeed(program, ["backup", "--to", join(folder, "backup"), "--data", data]);
    const target = join(folder, "restored");
    const restore = ["restore", "--from", join(folder, "backup"), "--keys", data, "--data", target];
    await cutOff(program, restore, failpoint);
    if (!existsSync(join(target, "svc.db"))) await succeed(program, restore);
    await succeed(program, ["fsck", "--data", target]);
  },
  /** A server that archives, on either store: its payloads are served, and the erased one is in no file. */
  archive: async (program, folder, failpoint) => {
    await archiveTrial(program, join(folder, "file"), failpoint);
    await archiveTrial(await withServer(program), join(folder, "server"), failpoint);
  },
  /** A server that anchors: each epoch is in the contract once, by one transaction. */
  anchoring: (program, folder, failpoint) => anchoringTrial(program, folder, failpoint),
  /** The change that a command made beside a server has its event after the next start, once. */
  administration: async (program, folder, failpoint) => {
    const data = await deployment(program, folder);
    const key = await program.run(["keys", "create", "--allow", "read,read_administration", "--data", data, "--json"]);
    must(key.code === 0, `keys create ends with ${key.code}: ${key.err}`);
    const { code, err } = await (await program.mustStart(data, { kill: { failpoint, nth: 1 } })).ended;
    must(code === null, `the server ended with ${code} before its failpoint ${failpoint}: ${err}`);
    const running = await program.mustStart(data);
    const api = { url: running.url, apiKey: JSON.parse(key.out).api_key };
    const path = "/v2/streams?class=lifecycle&use_case=administration";
    await until("the change has its event", async () => {
      const answer = await read(api, path);
      const heads = JSON.parse(answer?.text ?? '{"items":[]}').items.map(({ head_seq_no }: Stream) => head_seq_no);
      must(
        heads.every((head: number) => head <= 1),
        `one change has ${heads} events`,
      );
      return heads[0] === 1 || null;
    });
    running.kill("SIGTERM");
    await running.ended;
    await succeed(program, ["fsck", "--data", data]);
  },
  /** The old key seals or the new one, and another rotation succeeds. */
  rotation: (program, folder, failpoint) => rotationTrial(program, folder, failpoint, "rotate-signing"),
  /** The same of the key that cosigns. */
  "witness rotation": (program, folder, failpoint) => rotationTrial(program, folder, failpoint, "rotate-witness"),
  /** Every key works under the old pepper or the new one, and what was cut off is finished or begun anew. */
  "pepper rotation": pepperTrial,
  /** A database that goes to a server is served here or there, and the same command goes on. */
  "migrate-store": async (program, folder, failpoint) => {
    const data = await deployment(program, folder);
    const there = await withServer(program);
    const move = ["migrate-store", "--to", "--data", data];
    await cutOff(there, move, failpoint);
    await endMove(there, move, data);
  },
  /** The same on its way back. */
  "migrate-back": async (program, folder, failpoint) => {
    const data = await deployment(program, folder);
    const there = await withServer(program);
    await succeed(there, ["migrate-store", "--to", "--data", data]);
    const move = ["migrate-store", "--to-file", "--data", data];
    await cutOff(there, move, failpoint);
    await endMove(there, move, data, program);
  },
};

async function rotationTrial(program: Program, folder: string, failpoint: string, command: string): Promise<void> {
  const data = await deployment(program, folder);
  const rotate = ["keys", command, "--data", data];
  await cutOff(program, rotate, failpoint);
  const running = await program.mustStart(data);
  running.kill("SIGTERM");
  await running.ended;
  await succeed(program, ["fsck", "--data", data]);
  await succeed(program, rotate);
  await succeed(program, ["fsck", "--data", data]);
}

async function pepperTrial(program: Program, folder: string, failpoint: string): Promise<void> {
  const data = await deployment(program, folder);
  const rotate = ["keys", "rotate-pepper", "--data", data];
  const finish = [...rotate, "--finish", "--revoke-unused"];
  const isAtEnd = ["pepper rotation: earlier forgotten", "pepper rotation: settled"].includes(failpoint);
  if (isAtEnd) await succeed(program, rotate);
  await cutOff(program, isAtEnd ? finish : rotate, failpoint);
  const running = await program.mustStart(data);
  running.kill("SIGTERM");
  await running.ended;
  await succeed(program, ["fsck", "--data", data]);
  await succeed(program, finish);
  await succeed(program, rotate);
  await succeed(program, ["fsck", "--data", data]);
}

/** The same program with the address of a new database on a server. */
async function withServer(program: Program): Promise<Program> {
  const url = await (await sharedPostgres()).newDatabase();
  return program.under(["env", `SVC_DATABASE_URL=${url}`, "SVC_DATABASE_RISKS=fsync,full_page_writes"]);
}

/** Ends a move that was cut off, unless that was at its very end. `after`: the program to which it is moved. */
async function endMove(program: Program, move: readonly string[], data: string, after = program): Promise<void> {
  const { code, err } = await program.run(move);
  must(code === 0 || err.includes(" already."), `${move.join(" ")} does not go on: ${err}`);
  await succeed(after, ["fsck", "--data", data]);
  const running = await after.mustStart(data);
  running.kill("SIGTERM");
  await running.ended;
}

async function deployment(program: Program, folder: string): Promise<string> {
  const data = join(folder, "data");
  await succeed(program, ["init", "--origin", "chaos.example/evidence", "--data", data]);
  return data;
}

function passphrase(folder: string): string {
  const file = join(folder, "passphrase");
  writeFileSync(file, "correct horse battery staple\n", { mode: 0o600 });
  return file;
}

async function restored(program: Program, folder: string, data: string): Promise<void> {
  const target = join(folder, "restored");
  await succeed(program, ["restore", "--from", join(folder, "backup"), "--keys", data, "--data", target]);
  await succeed(program, ["fsck", "--data", target]);
}

async function succeed(program: Program, words: readonly string[]): Promise<void> {
  const { code, out, err } = await program.run(words);
  must(code === 0, `${words[0]} ends with ${code}: ${out}${err}`);
}

async function cutOff(program: Program, words: readonly string[], failpoint: string): Promise<void> {
  const { code, err } = await program.run(words, { kill: { failpoint, nth: 1 } });
  must(code === null, `${words[0]} ended with ${code} before its failpoint ${failpoint}: ${err}`);
}
