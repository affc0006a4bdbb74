/** A deployment on a separate PostgreSQL server, that is backed up, and its folder and servers after a recovery. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type Postgres, startPostgres } from "@svc/testkit/postgres";
import { type Archive, newArchive } from "@svc/testkit/postgres-backup";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

export const PASSPHRASE = "correct horse battery staple";
/** The role that owns the database, and may do nothing else. */
const OWNER = "svc";
const PASSWORD = "owner";
const KEY_FILES = ["signing-key.pem", "witness-key.pem", "pepper"];

/** Returns the URL of the deployment's database on a server. */
export function urlOn({ host, port }: Pick<Postgres, "host" | "port">): string {
  return `postgres://${OWNER}:${PASSWORD}@${host}:${port}/${OWNER}`;
}

/** Returns the variables for the deployment's database on a server. */
export function environmentOn(server: Pick<Postgres, "host" | "port">): Record<string, string> {
  return { SVC_DATABASE_URL: urlOn(server), SVC_BACKUP_PASSPHRASE: PASSPHRASE };
}

/** Runs a command, and resolves to its JSON. */
export async function run(environment: Record<string, string>, ...words: string[]) {
  const { code, out, err } = await command([...words, "--json"], environment);
  assert.equal(code, 0, `${words.join(" ")}: ${out}${err}`);
  return JSON.parse(out);
}

/** Runs a command that refuses, and resolves to its one line. */
export async function refused(environment: Record<string, string>, ...words: string[]): Promise<string> {
  const { code, out, err } = await command(words, environment);
  assert.deepEqual([code, out], [1, ""], err);
  assert.match(err, /^svc-server: [^\n]+\n$/);
  assert.ok(!err.includes(`${PASSWORD}@`), err);
  return err;
}

/** A deployment that nobody serves, and a copy of its keys. */
export interface Deployment {
  readonly home: string;
  readonly data: string;
  readonly keys: string;
  readonly server: Postgres;
  readonly archive: Archive;
  readonly environment: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: what init prints
  readonly made: any;
  /** Serves a folder of the deployment, the first one unless told, on a server. */
  start(at?: { readonly data?: string; readonly server?: Postgres }): Promise<Served>;
}

/** A server, and a client of it. */
export interface Served extends Awaited<ReturnType<typeof startChild>> {
  readonly client: Client;
  /** Appends events one by one; resolves to the receipts. */
  append(...numbers: readonly number[]): Promise<Receipt[]>;
}

/** The members of a receipt by which its event is recognised. */
export interface Receipt {
  readonly stream_event_id: string;
  readonly event_hash: string;
  readonly seq_no: number;
}

/** Makes a deployment whose database belongs to an ordinary role, on a server that archives its log. */
export async function deployment(t: TestContext, origin = "demo.example/evidence"): Promise<Deployment> {
  const archive = await newArchive(t);
  const server = await startPostgres(t, { settings: archive.settings });
  await server.run(`CREATE ROLE ${OWNER} LOGIN PASSWORD '${PASSWORD}'`);
  await server.run(`CREATE DATABASE ${OWNER} OWNER ${OWNER} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8'`);
  const home = temporaryFolder();
  const [data, keys] = [join(home, "data"), join(home, "keys")];
  const environment = environmentOn(server);
  const made = await run(environment, "init", "--origin", origin, "--data", data);
  mkdirSync(keys);
  for (const name of KEY_FILES) copyFileSync(join(data, name), join(keys, name));
  const start: Deployment["start"] = async (at = {}) => {
    const settings = { ...environmentOn(at.server ?? server), SVC_EXPORTS: join(data, "exports") };
    const child = await startChild(t, at.data ?? data, settings);
    const client = new Client(child.url, made.api_key);
    const append = async (...numbers: readonly number[]) => {
      const receipts: Receipt[] = [];
      for (const number of numbers) {
        const { status, text, body } = await client.append(made.stream_id, loan(number), `key-${number}`);
        assert.equal(status, 201, text);
        receipts.push(body);
      }
      return receipts;
    };
    return { ...child, client, append };
  };
  return { home, data, keys, server, archive, environment, made, start };
}

/** Asserts that a server has the event of each receipt. */
export async function assertHas(client: Client, receipts: readonly Receipt[]): Promise<void> {
  for (const { stream_event_id, event_hash } of receipts)
    assert.equal((await client.get(`/v2/receipts/${stream_event_id}`)).body.event_hash, event_hash, stream_event_id);
}
