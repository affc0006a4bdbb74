/**
 * A real server on a free port over a fresh data folder, and what tests ask of it. Waiting is always for a condition, with a deadline.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { type PublicKeyHex, pinKeys, type Report, referenceKernel, verify } from "@svc/core";
import { type Clock, systemClock } from "@svc/host/clock";
import { temporaryFolder } from "../../testkit/src/temporary-folder.ts";
import { until } from "../../testkit/src/until.ts";
import { type Config, readConfig } from "../src/config.ts";
import { initialize } from "../src/initialize.ts";
import { kernel } from "../src/kernel.ts";
import { type RunningServer, serve } from "../src/serve.ts";
import { Contract } from "./contract.ts";

export { temporaryFolder, until };

export const ORIGIN = "demo.example/evidence";

export type Made = Awaited<ReturnType<typeof initialize>>;

export function makeDeployment(dataFolder: string): Promise<Made> {
  return initialize({
    dataFolder,
    origin: ORIGIN,
    tenantName: "Bank",
    systemName: "Loans",
    useCase: "loan decisions",
    withKey: true,
    kernel,
    clock: systemClock,
  });
}

export interface TestServer {
  readonly made: Made;
  readonly server: RunningServer;
  readonly client: Client;
}

/** A deployment, served. */
export async function startServer(
  t: TestContext,
  changes: Partial<Config> = {},
  clock: Clock = systemClock,
): Promise<TestServer> {
  const dataFolder = join(temporaryFolder(), "data");
  const made = await makeDeployment(dataFolder);
  // All tests of a process come from one address.
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_PORT: "0",
    SVC_DATA: dataFolder,
  };
  const server = await serve({ ...readConfig(environment), ...changes }, { kernel, clock });
  t.after(() => server.close());
  return { made, server, client: new Client(server.url, made.api_key ?? "") };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the members that they expect
  readonly body: any;
}

/** The same for every server of this release. */
let contract: Contract | undefined;

/** Requests as a client of the API sends them. */
export class Client {
  readonly url: string;
  readonly key: string;
  #used = 0;

  constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** What the server itself says of its interface; every answer is held against it. */
  async #contract(): Promise<Contract> {
    if (contract === undefined) {
      const response = await fetch(`${this.url}/openapi.json`);
      contract ??= new Contract(await response.json());
    }
    return contract;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("GET", path, undefined, headers);
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return this.send("POST", path, text, { "content-type": "application/json", ...headers });
  }

  append(streamId: string, event: unknown, key = `key-${++this.#used}`): Promise<Answer> {
    return this.post(`/v2/streams/${streamId}/events`, event, { "idempotency-key": key });
  }

  appendBatch(streamId: string, events: unknown, key = `batch-${++this.#used}`): Promise<Answer> {
    return this.post(`/v2/streams/${streamId}/events/batch`, { events }, { "idempotency-key": key });
  }

  async send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    const answer = { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
    (await this.#contract()).hold(method, path, answer);
    return answer;
  }

  /** Waits until all events up to this one are witnessed; answers the proof state. */
  async witnessed(streamId: string, seqNo: number): Promise<Answer["body"]> {
    return until(`event ${seqNo} of ${streamId} is witnessed`, async () => {
      const { body } = await this.get(`/v2/streams/${streamId}/proof-state`);
      return body.witnessed_to_seq_no >= seqNo ? body : null;
    });
  }
}

/** What is in the files of a folder and of those in it. */
export function contentsOf(folder: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
}

/** A loan decision, as a source system would send it. */
export function loan(number: number, changes: object = {}) {
  return {
    source_ref: `loan-${number}`,
    event_type: "loan.decided",
    occurred_at: "2026-03-01T10:15:30.5+01:00",
    payload: { applicant: `A-${number}`, amount: 1000.25 * number, decision: number % 3 === 0 ? "refused" : "granted" },
    ...changes,
  };
}

/** Core's report on an answer's text, under the pinned key. */
export function report(text: string, publicKeyHex: PublicKeyHex): Report {
  return verify(Buffer.from(text), { trust: pinKeys(referenceKernel, [publicKeyHex]) });
}

export function assertVerified(text: string, publicKeyHex: PublicKeyHex, kind: string): Report {
  const found = report(text, publicKeyHex);
  assert.deepEqual(
    { verdict: found.verdict, kind: found.kind, problems: found.problems },
    { verdict: "verified", kind, problems: [] },
  );
  return found;
}

/** The same of a truth package's bytes. */
export function assertPackageVerified(bytes: Uint8Array, publicKeyHex: PublicKeyHex): Report {
  const found = verify(bytes, { trust: pinKeys(referenceKernel, [publicKeyHex]) });
  assert.deepEqual([found.verdict, found.kind, found.problems], ["verified", "truth-package", []]);
  return found;
}
