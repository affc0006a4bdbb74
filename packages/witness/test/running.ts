/** A witness for tests, in this process, over real sockets and files. */
import { join } from "node:path";
import type { TestContext } from "node:test";
import { selectKernel } from "@svc/core";
import { atLast } from "@svc/testkit/lifetime";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { readConfig } from "../src/config.ts";
import { makeWitness, openDatabase } from "../src/database.ts";
import { addVkey } from "../src/origins/origins-store.ts";
import { type RunningWitness, serve } from "../src/serve.ts";

export const NAME = "witness.example/w1";
export const kernel = selectKernel();

/** The settings of a test, with a free port. */
export function configOf(folder: string, more: Record<string, string> = {}) {
  return readConfig({
    SVC_WITNESS_DATA: join(folder, "data"),
    SVC_WITNESS_KEYS: join(folder, "keys"),
    SVC_WITNESS_PORT: "0",
    SVC_WITNESS_ORIGIN_RATE: "0",
    SVC_WITNESS_ADDRESS_RATE: "0",
    SVC_WITNESS_LOG_LEVEL: "silent",
    ...more,
  });
}

/** Makes a witness that knows these logs, and resolves to its folder. */
export async function madeWitness(...vkeys: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  const config = configOf(folder);
  await makeWitness(kernel, NAME, config);
  const database = await openDatabase(config.dataFolder);
  for (const vkey of vkeys) {
    const origin = vkey.split("+")[0] ?? "";
    await database.write((writer) =>
      addVkey(writer, { origin, vkey, added_at: "2026-11-26T00:00:00.000Z", streams: 0 }),
    );
  }
  await database.close();
  return folder;
}

/** Starts the witness of a folder; the test ends it. */
export async function started(
  t: TestContext,
  folder: string,
  { environment = {}, clock }: { environment?: Record<string, string>; clock?: () => number } = {},
): Promise<RunningWitness> {
  const witness = await serve(configOf(folder, environment), { kernel, ...(clock === undefined ? {} : { clock }) });
  atLast(t, () => witness.close());
  return witness;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly type: string | null;
  readonly headers: Headers;
}

/** Sends a body to `add-checkpoint`. */
export async function add({ url }: { readonly url: string }, body: string | Uint8Array): Promise<Answered> {
  const response = await fetch(`${url}/add-checkpoint`, {
    method: "POST",
    body: body as NonNullable<RequestInit["body"]>,
  });
  const { status, headers } = response;
  return { status, text: await response.text(), type: headers.get("content-type"), headers };
}

export async function get({ url }: { readonly url: string }, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, text: await response.text(), type: response.headers.get("content-type") };
}
