/** The servers that `bench server` compares, each a separate process, and the process that loads them. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serverProgram } from "@svc/testkit/built";
import { freePort } from "@svc/testkit/free-port";
import type { Load, Served } from "./load.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const UNSIGNED_KINDS = join(ROOT, "bench/yardsticks/bare-express.mjs");
/** The time without a commit after which a server has nothing left to seal. */
const QUIET_MS = 1000;
const METRICS_TOKEN = "a-token-for-the-bench";

/** A data folder of ours, and the output of its making. */
export interface OurFolder {
  readonly path: string;
  /** The built server. */
  readonly program: string;
  readonly apiKey: string;
  readonly publicKeyHex: string;
  readonly systemId: string;
  readonly tenantId: string;
  /** The database on a server; null for the file in the folder. */
  readonly databaseUrl: string | null;
}

/** A running server to compare with. */
export interface Yardstick {
  readonly port: number;
  readonly pid: number;
  close(): Promise<void>;
}

/** A running server of ours, and its own figures. */
export interface OurServer extends OurFolder {
  readonly port: number;
  readonly pid: number;
  /** From before the process was started until it listened. */
  readonly startMs: number;
  /** Makes so many streams under a policy, `default` unless it is named, and resolves to their ids. */
  streams(count: number, policyId?: string): Promise<string[]>;
  /** Makes another system of the same tenant, a key of it, and a stream. */
  otherSystem(): Promise<{ readonly apiKey: string; readonly streamId: string }>;
  /** The number of events of a stream. */
  head(streamId: string): Promise<number>;
  /** The number of commits. */
  commits(): Promise<number>;
  /** Resolves when it has sealed what it was given: nothing has been committed for a second. */
  settled(): Promise<void>;
  /** Peak memory so far, in MiB. */
  peakMib(): number;
  /** Memory at the moment, in MiB. */
  residentMib(): Promise<number>;
  close(): Promise<void>;
}

/** Makes a data folder for our server, built as it is deployed. `databaseUrl`: an empty one on a server. */
export async function makeOurs(path: string, databaseUrl: string | null = null): Promise<OurFolder> {
  const program = await serverProgram();
  const init = [program, "init", "--origin", "bench.example/evidence", "--data", path, "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, init, { env: environmentOf(databaseUrl) });
  const { api_key, public_key_hex, system_id, tenant_id } = JSON.parse(stdout);
  return {
    path,
    program,
    apiKey: api_key,
    publicKeyHex: public_key_hex,
    systemId: system_id,
    tenantId: tenant_id,
    databaseUrl,
  };
}

function environmentOf(databaseUrl: string | null): NodeJS.ProcessEnv {
  return databaseUrl === null ? process.env : { ...process.env, SVC_DATABASE_URL: databaseUrl };
}

/** Starts our server on a folder, without limits of requests, and with some more settings. */
export async function startOurs(folder: OurFolder, settings: NodeJS.ProcessEnv = {}): Promise<OurServer> {
  const start = performance.now();
  const child = spawn(process.execPath, [folder.program, "start", "--port", "0", "--data", folder.path, "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...environmentOf(folder.databaseUrl),
      SVC_KEY_REQUESTS_PER_SECOND: "0",
      SVC_METRICS_TOKEN: METRICS_TOKEN,
      SVC_LOG_LEVEL: "error",
      ...settings,
    },
  });
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  const startMs = performance.now() - start;
  const authorization = `Bearer ${folder.apiKey}`;
  const metric = async (name: string) => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const [, value] = new RegExp(`^${name} (\\S+)$`, "m").exec(await response.text()) ?? [];
    if (value === undefined) throw new Error(`there is no metric ${name}`);
    return Number(value);
  };
  const commits = () => metric("svc_database_commits");
  const newStream = async (key: string, system_id: string, policy_id: string) => {
    const response = await fetch(`${url}/v2/streams`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ system_id, use_case: "bench", policy_id, metadata: {} }),
    });
    if (response.status !== 201) throw new Error(await response.text());
    return ((await response.json()) as { stream_id: string }).stream_id;
  };
  const command = async (...words: string[]) => {
    const all = [folder.program, ...words, "--data", folder.path, "--json"];
    const { stdout } = await promisify(execFile)(process.execPath, all, { env: environmentOf(folder.databaseUrl) });
    return JSON.parse(stdout);
  };
  return {
    ...folder,
    port: Number(new URL(url).port),
    pid: child.pid ?? Number.NaN,
    startMs,
    streams: async (count, policy_id = "default") => {
      const ids: string[] = [];
      for (let number = 0; number < count; number++)
        ids.push(await newStream(folder.apiKey, folder.systemId, policy_id));
      return ids;
    },
    otherSystem: async () => {
      const { system_id } = await command("systems", "create", "--name", "other");
      const { api_key } = await command("keys", "create", "--system", system_id);
      return { apiKey: api_key, streamId: await newStream(api_key, system_id, "default") };
    },
    head: async (streamId) => {
      const response = await fetch(`${url}/v2/streams/${streamId}/head`, { headers: { authorization } });
      return ((await response.json()) as { seq_no: number }).seq_no;
    },
    commits,
    settled: async () => {
      for (let [before, now] = [Number.NaN, await commits()]; now !== before; ) {
        await pause(QUIET_MS);
        [before, now] = [now, await commits()];
      }
    },
    peakMib: () => {
      const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      return Number(kib) / 1024;
    },
    residentMib: () => metric("process_resident_memory_bytes").then((bytes) => bytes / 2 ** 20),
    close: () => end(child),
  };
}

/** Starts the yardstick: Express that parses a body and answers, and does nothing else. */
export async function startBare(): Promise<Yardstick> {
  // It is used unchanged, and looks for Express from its own place; it gets ours.
  const express = createRequire(join(ROOT, "packages/host/package.json")).resolve("express");
  const port = await freePort();
  const hook = `import { registerHooks } from "node:module";
    registerHooks({ resolve: (name, context, next) => name === "express" ? { url: ${JSON.stringify(`file://${express}`)}, shortCircuit: true } : next(name, context) });`;
  const child = spawn(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, UNSIGNED_KINDS, `${port}`],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  await firstLine(child);
  return { port, pid: child.pid ?? Number.NaN, close: () => end(child) };
}

/** Loads a server from another process. Throws if an answer is not 201. */
export async function loaded(load: Load): Promise<Served> {
  const program = fileURLToPath(new URL("load.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, JSON.stringify(load)], {
    cwd: ROOT,
  });
  return JSON.parse(stdout) as Served;
}

/** Resolves to the first line that a server prints. Throws if it ends before. */
export async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("a server has no output");
  const lines = createInterface({ input: child.stdout });
  const [line] = await Promise.race([once(lines, "line"), once(child, "close")]);
  if (typeof line !== "string") throw new Error(`a server ended with ${line} before it listened`);
  return line;
}

/** Ends a server, and resolves when it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, "close");
  if (child.kill("SIGTERM")) await closed;
}
