/** A proxy in front of a real server that changes answers on their way, and can sign as the server does. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after } from "node:test";
import {
  issueReceipt,
  type JsonObject,
  type PublicKeyHex,
  type ReceiptRecord,
  referenceKernel,
  type Signer,
} from "@svc/core";

/** Makes another body of an answer's; `path` includes its query. */
// biome-ignore lint/suspicious/noExplicitAny: a lie can be about any answer
export type Lie = (body: any, path: string) => unknown;

/** The server behind the proxy. */
export interface LyingServer {
  readonly baseUrl: string;
  readonly dataFolder: string;
  readonly publicKeyHex: string;
}

export interface MaliciousServer {
  readonly baseUrl: string;
  /** From now on, answers are changed by this lie. */
  tell(lie: Lie): void;
  /**
   * Returns the record, changed and sealed with the server's own key or a stranger's, with its payload and salt kept or
   * replaced.
   */
  resealed(record: ReceiptRecord, changes: Partial<ReceiptRecord>, by?: "a stranger"): Promise<ReceiptRecord>;
}

/** Starts a proxy that ends with the test file. It tells the truth until `tell` gives it a lie. */
export async function startMaliciousServer({
  baseUrl,
  dataFolder,
  publicKeyHex,
}: LyingServer): Promise<MaliciousServer> {
  let lie: Lie = (body) => body;
  const proxy = createServer((request, response) => {
    // A lie that fails is a fault of the test, which reports it.
    answer(request, response).catch((error) => response.destroy(error));
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "" } = request;
    const passed = await passOn(request, `${baseUrl}${url}`);
    const text = passed.ok ? JSON.stringify(await lie(await passed.json(), url)) : await passed.text();
    response.writeHead(passed.status, { "content-type": "application/json" }).end(text);
  }
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const own = signerOf(createPrivateKey(readFileSync(join(dataFolder, "signing-key.pem"))), publicKeyHex);
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const { x = "" } = publicKey.export({ format: "jwk" });
  const stranger = signerOf(privateKey, Buffer.from(x, "base64url").toString("hex"));
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tell: (next) => {
      lie = next;
    },
    resealed: (record, changes, by) => {
      const { source_ref, event_type, occurred_at, payload, payload_salt, ...place } = { ...record, ...changes };
      const event = { source_ref, event_type, occurred_at, payload: payload as JsonObject };
      const { stream_id, stream_event_id, seq_no, previous_event_hash, received_at } = place;
      const salted = { payload_salt: payload_salt as string, received_at, previous_event_hash };
      const signer = by === undefined ? own : stranger;
      return issueReceipt(referenceKernel, signer, event, { stream_id, stream_event_id, seq_no, ...salted });
    },
  };
}

function signerOf(key: KeyObject, publicKeyHex: string): Signer {
  return {
    publicKeyHex: publicKeyHex as PublicKeyHex,
    sign: (message) => new Uint8Array(sign(null, message, key)),
  };
}

/** Sends the same request to another server. */
export async function passOn(request: IncomingMessage, url: string): Promise<Response> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = new Uint8Array(Buffer.concat(pieces));
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const { method = "GET" } = request;
  return fetch(url, { method, headers: headers as Record<string, string>, ...(body.length > 0 && { body }) });
}
