/** Requests as a client of the API sends them. Each answer is checked against the OpenAPI document. */
import { until } from "../until.ts";
import { Contract } from "./contract.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers by the members that they expect
  readonly body: any;
}

/** A window waits a second for more events: to ask for its witness more often costs more than the wait. */
const WITNESSED_PAUSE_MS = 100;

/** The document is the same for every server of this release. */
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

  /** Resolves to the server's own description of its interface, which every answer must match. */
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

  put(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    return this.send("PUT", path, JSON.stringify(body), { "content-type": "application/json", ...headers });
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

  /** Waits until all events up to this one are witnessed; resolves to the proof state. */
  async witnessed(streamId: string, seqNo: number): Promise<Answer["body"]> {
    const ask = async () => {
      const { body } = await this.get(`/v2/streams/${streamId}/proof-state`);
      return body.witnessed_to_seq_no >= seqNo ? body : null;
    };
    return until(`event ${seqNo} of ${streamId} is witnessed`, ask, WITNESSED_PAUSE_MS);
  }
}
