/** A tiny server in the place of a witness, which answers as a test wants. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { cosignatureLine, cosignedBytes, encodeHex, encodeNoteLine, parseNote, type SignatureHex } from "@svc/core";
import { testSigner } from "@svc/testkit/evidence/signer";
import { kernel } from "../../src/kernel.ts";
import type { Named } from "./fed-deployment.ts";

/** One answer to a request. */
export type Answers = (request: AddCheckpoint, response: ServerResponse) => void | Promise<void>;

/** A request. */
export interface AddCheckpoint {
  /** The whole body. */
  readonly body: string;
  readonly old: number;
  /** The signed text of the checkpoint. */
  readonly text: string;
  readonly origin: string;
  readonly size: number;
}

/** Returns the time in Unix seconds. */
export const nowS = () => Math.floor(Date.now() / 1000);

/** Resolves to the note line of a cosignature. */
export async function lineOf(label: string, text: string, at = nowS(), name = nameOf(label)): Promise<string> {
  const signer = testSigner(label);
  const signature = encodeHex(await signer.sign(cosignedBytes(at, text))) as SignatureHex;
  return encodeNoteLine(cosignatureLine(kernel, name, signer.publicKeyHex, at, signature));
}

/** Returns the key name of a witness. */
export function nameOf(label: string): string {
  return `${label}.example/witness`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += piece;
  return body;
}

/** Starts a server that answers `add-checkpoint` by `answers`; it keeps nothing. */
export async function startMaliciousServer(t: TestContext, label: string, answers: Answers): Promise<Named> {
  const server = createServer(async (request, response) => {
    response.on("error", () => undefined);
    const body = await bodyOf(request);
    const end = body.indexOf("\n\n");
    const text = parseNote(body.slice(end + 2))?.text ?? "";
    const [origin = "", size = ""] = text.split("\n");
    const old = Number(/^old (\d+)/.exec(body)?.[1]);
    await answers({ body, old, text, origin, size: Number(size) }, response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { name: nameOf(label), publicKeyHex: testSigner(label).publicKeyHex, url };
}

/** Answers with a status and a text. */
export const status =
  (code: number, text = "no", type = "text/plain"): Answers =>
  (_request, response) => {
    response.writeHead(code, { "Content-Type": type });
    response.end(text);
  };
/** Answers 200 with some lines. */
export const lines =
  (make: (request: AddCheckpoint) => Promise<string> | string): Answers =>
  async (request, response) => {
    response.end(await make(request));
  };
/** Answers 409 with a size. */
export const size =
  (of: (request: AddCheckpoint) => number): Answers =>
  (request, response) => {
    response.writeHead(409, { "Content-Type": "text/x.tlog.size" });
    response.end(`${of(request)}\n`);
  };
