/** Files on the loopback interface, for browsers. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A file on the server. */
export interface Served {
  readonly type: string;
  readonly body: string | Uint8Array;
  /** The content security policy in its header. */
  readonly policy?: string;
}

/** Serves files by path on a free port; resolves to the origin, and to a function that stops the server. */
export async function serve(files: Readonly<Record<string, Served>>): Promise<{ origin: string; stop: () => void }> {
  const server = createServer(({ url = "" }, response) => {
    const file = files[url];
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const policy = file.policy === undefined ? {} : { "content-security-policy": file.policy };
    response.writeHead(200, { "content-type": file.type, ...policy }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, stop: () => void server.close().closeAllConnections() };
}
