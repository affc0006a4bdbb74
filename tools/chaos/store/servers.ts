/** One deployment, served by three processes on copies of its folder, over one PostgreSQL cluster. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ended, Program, Running } from "../program.ts";
import { type Api, write } from "../requests.ts";
import { must } from "../violation.ts";
import type { Cluster } from "./cluster.ts";

const ORIGIN = "chaos.example/store";
export const SERVERS = 3;
const STREAMS = 12;
const POLICY = { policy_id: "chaos", window_max_events: 16, window_max_seconds: 1, checkpoint_max_windows: 8 };

/** One of the servers: its folder, and the process that serves it. */
interface Server {
  readonly folder: string;
  readonly program: Program;
  running: Running;
}

/** The parts of a deployment that its clients know. */
interface Known {
  readonly apiKey: string;
  readonly publicKeyHex: string;
  readonly streams: readonly string[];
}

export class Servers {
  readonly known: Known;
  readonly #folder: string;
  readonly #all: readonly Server[];

  private constructor(folder: string, all: readonly Server[], known: Known) {
    this.known = known;
    this.#folder = folder;
    this.#all = all;
  }

  /** Makes a deployment in a new folder and on a new database, and serves it. */
  static async make(program: Program, cluster: Cluster, folder: string): Promise<Servers> {
    mkdirSync(folder, { recursive: true });
    const database = new URL(await cluster.primary.newDatabase()).pathname.slice(1);
    const exports = join(folder, "exports");
    const places = Array.from({ length: SERVERS }, (_, way) => ({
      folder: join(folder, `data-${way}`),
      program: program.under(["env", `SVC_DATABASE_URL=${cluster.url(way, database)}`, `SVC_EXPORTS=${exports}`]),
    }));
    const [first, ...others] = places;
    if (first === undefined) throw new RangeError("there is no server");
    const command = async (...words: string[]) =>
      done(await first.program.run([...words, "--data", first.folder, "--json"]));
    const made = await command("init", "--origin", ORIGIN);
    const policy = join(folder, "policy.json");
    writeFileSync(policy, JSON.stringify(POLICY));
    await command("policies", "declare", "--file", policy);
    for (const other of others) cpSync(first.folder, other.folder, { recursive: true });
    const all: Server[] = [];
    for (const place of places) all.push({ ...place, running: await place.program.mustStart(place.folder) });
    const api = { url: all[0]?.running.url ?? "", apiKey: made.api_key };
    const streams = await makeStreams(api, made.system_id);
    return new Servers(folder, all, { apiKey: made.api_key, publicKeyHex: made.public_key_hex, streams });
  }

  /** The interface of each server. */
  get apis(): readonly Api[] {
    return this.#all.map(({ running }) => ({ url: running.url, apiKey: this.known.apiKey }));
  }

  /** Returns the process of a server. */
  process(number: number): Running {
    return this.#server(number).running;
  }

  /** Kills a server, waits as told, and starts it again. */
  async restart(number: number, meanwhile: () => Promise<void>): Promise<void> {
    const server = this.#server(number);
    server.running.kill("SIGKILL");
    await server.running.ended;
    await meanwhile();
    server.running = await server.program.mustStart(server.folder);
  }

  /** Throws Violation unless fsck finds every row in order. */
  async mustBeSound(): Promise<void> {
    const { folder, program } = this.#server(0);
    const { code, out, err } = await program.run(["fsck", "--data", folder, "--json"]);
    must(code === 0, `fsck ends with ${code}: ${out}${err}`);
  }

  /** Stops the servers in good order. */
  async close(): Promise<void> {
    for (const { running } of this.#all) running.kill("SIGTERM");
    for (const { running } of this.#all) {
      const { code, err } = await running.ended;
      must(code === 0, `a server was asked to stop, and ended with ${code}: ${err}`);
    }
  }

  /** Ends the servers after a violation, and keeps their logs. */
  async keepLogs(): Promise<void> {
    for (const [number, { running }] of this.#all.entries()) {
      running.kill("SIGKILL");
      writeFileSync(join(this.#folder, `server-${number}.log`), (await running.ended).err);
    }
  }

  #server(number: number): Server {
    const server = this.#all[number];
    if (server === undefined) throw new RangeError(`there is no server ${number}`);
    return server;
  }
}

async function makeStreams(api: Api, systemId: string): Promise<string[]> {
  const streams: string[] = [];
  for (let number = 0; number < STREAMS; number++) {
    const body = { system_id: systemId, use_case: "loans", policy_id: POLICY.policy_id, metadata: {} };
    const request = { path: "/v2/streams", body: JSON.stringify(body), idempotencyKey: `stream-${number}` };
    const answer = await write(api, request);
    must(answer?.status === 201, `a stream cannot be made: ${answer?.text}`);
    streams.push(JSON.parse(answer.text).stream_id);
  }
  return streams;
}

/** Returns the output of a command, which must have succeeded. */
function done({ code, out, err }: Ended) {
  must(code === 0, `a command ended with ${code}: ${err}`);
  return JSON.parse(out);
}
