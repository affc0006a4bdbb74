/**
 * A server in front of a real service: `/honest` passes requests on, `/lying` changes receipts, `/losing` loses the
 * first answer to a write, `/silent` never answers, and `/elsewhere` redirects. Other paths are files, so that a page
 * has the same origin.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { passOn } from "@svc/testkit/malicious-server";

export interface Stage {
  readonly url: string;
  /** Puts a file at a path. */
  put(path: string, type: string, body: string | Uint8Array): void;
  close(): void;
}

export async function startStage(serviceUrl: string): Promise<Stage> {
  const files = new Map<string, { readonly type: string; readonly body: string | Uint8Array }>();
  const lost = new Set<unknown>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, mode = "", path = ""] = /^\/(\w+)(\/.*)$/.exec(request.url ?? "") ?? [];
    const file = files.get(request.url ?? "");
    if (file !== undefined) response.writeHead(200, { "content-type": file.type }).end(file.body);
    else if (mode === "elsewhere") response.writeHead(302, { location: `/honest${path}` }).end();
    else if (mode === "silent") request.resume();
    else await pass(mode, path, request, response);
  }

  async function pass(mode: string, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = request.headers["idempotency-key"];
    const passed = await passOn(request, `${serviceUrl}${path}`);
    const bytes = Buffer.from(await passed.arrayBuffer());
    if (mode === "losing" && key !== undefined && !lost.has(key)) {
      lost.add(key);
      response.destroy();
      return;
    }
    const isLie = mode === "lying" && request.method === "POST" && passed.ok;
    const body = isLie ? JSON.stringify({ ...JSON.parse(bytes.toString()), source_ref: "sensor-5" }) : bytes;
    response.writeHead(passed.status, { "content-type": "application/json" }).end(body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put: (path, type, body) => void files.set(path, { type, body }),
    close: () => void server.close().closeAllConnections(),
  };
}
