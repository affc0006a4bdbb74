/** The deployments of the tests of programs: served by one program after the other, and looked at by their commands. */
import { execFile } from "node:child_process";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "@svc/testkit/server/client";
import { environmentOf, settingsOf } from "@svc/testkit/server/folder-database";
import { type Made, makeDeployment, openDatabaseOf } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import type { Program } from "../../src/entries/program.ts";
import { serveOnThreads } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";

const TOKEN = "a-token-for-the-test";
const MAINS = {
  "svc-server": fileURLToPath(new URL("../../src/main.ts", import.meta.url)),
  "svc-notes": fileURLToPath(new URL("./throw-away/main.ts", import.meta.url)),
};

/** A served deployment: a client for its evidence, and calls for the notes, which the thin server does not have. */
interface Served {
  readonly client: Client;
  readonly add: (text: string) => Promise<number>;
  readonly list: () => Promise<{ readonly status: number; readonly body: { notes: string[]; colour: string } }>;
  readonly metrics: () => Promise<string>;
  /** Asks the main port for a path under the name of a host, and resolves to status, headers and text. */
  readonly under: (host: string, path: string) => Promise<Asked>;
  /** Asks the port of the dashboard alone. */
  readonly dashboard: (path: string) => Promise<Asked>;
}

interface Asked {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a GET, with a Host header of any kind, which `fetch` cannot. */
function asked(url: string, path: string, host: string): Promise<Asked> {
  return new Promise((resolve, reject) => {
    request(`${url}${path}`, { headers: { host }, agent: false }, async (response) => {
      let text = "";
      for await (const piece of response.setEncoding("utf8")) text += piece;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    })
      .on("error", reject)
      .end();
  });
}

/** Serves a deployment by a program until `work` is done. */
export async function serving<Value>(
  program: Program,
  { data_folder, api_key }: Made,
  work: (served: Served) => Promise<Value>,
): Promise<Value> {
  const config = readConfig(program, {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_METRICS_TOKEN: TOKEN,
    SVC_PORT: "0",
    SVC_DATA: data_folder,
    SVC_NOTE_COLOUR: "blue",
    SVC_DASHBOARD_URL: "https://dash.example.com",
    SVC_DASHBOARD_PORT: "0",
  });
  const server = await serveOnThreads(program, { ...config, ...(await settingsOf(data_folder)) }, {});
  const ask = (path: string, key: string | null, init: RequestInit = {}) =>
    fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${key}`, ...init.headers }, ...init });
  try {
    return await work({
      client: new Client(server.url, api_key ?? ""),
      add: async (text) => {
        const headers = { authorization: `Bearer ${api_key}`, "content-type": "application/json" };
        return (await ask("/v1/notes", api_key, { method: "POST", headers, body: JSON.stringify({ text }) })).status;
      },
      list: async () => {
        const answer = await ask("/v1/notes", null);
        return { status: answer.status, body: (await answer.json()) as { notes: string[]; colour: string } };
      },
      metrics: async () => (await ask("/metrics", TOKEN)).text(),
      under: (host, path) => asked(server.url, path, host),
      dashboard: (path) => asked(server.faceUrls.dashboard ?? "", path, "127.0.0.1"),
    });
  } finally {
    await server.close();
  }
}

/** Runs a command of a program, and resolves to its exit code and its output. */
export async function command(name: keyof typeof MAINS, words: readonly string[], folder: string) {
  const env = { PATH: process.env.PATH ?? "", ...(await environmentOf(folder)), SVC_PORT: "0" };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [MAINS[name], ...words, "--data", folder], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, out, err }),
    );
  });
}

/** Makes a deployment that nobody serves. */
export const made = (): Promise<Made> => makeDeployment(join(temporaryFolder(), "data"));

/** Changes the database of a deployment that nobody serves. */
export async function change(t: TestContext, { data_folder }: Made, sql: string): Promise<void> {
  const database = await openDatabaseOf(t, data_folder);
  await database.write((writer) => writer.script(sql));
  await database.close();
}
