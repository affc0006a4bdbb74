/** Accepting connections, and ending that without losing a request that was begun. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connectionsWithoutRequest, unusedConnections } from "./listener.ts";

/** How long a drain waits for requests in flight. */
const DRAIN_MS = 30_000;
const SWEEP_MS = 20;
/** How long the next request may already be travelling on an idle connection. */
const LAST_REQUESTS_MS = 200;
/** How long the rest of a request's head may be travelling. Without it no request was accepted. */
const LAST_HEADS_MS = 2_000;

/**
 * Resolves to the URL of the server once it listens. `port`: 0 for a free one. `setting`: the option or variable that
 * sets the port, for the error message. Rejects with an Error for a person.
 */
export function listen(server: Server, host: string, port: number, setting: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(listenFault(error, host, port, setting));
    server.once("error", refuse);
    server.listen(port, host, () => {
      server.off("error", refuse);
      const { address, family, port: actual } = server.address() as AddressInfo;
      resolve(`http://${family === "IPv6" ? `[${address}]` : address}:${actual}`);
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number, setting: string): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is in use. Choose another with ${setting}, or 0 for a free one.`,
    EACCES: `Port ${port} may not be opened by this user. Choose one from 1024 up with ${setting}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Choose another with --host.`,
    ENOTFOUND: `${host} cannot be resolved to an address. Choose another with --host.`,
  };
  return new Error(reasons[error.code ?? ""] ?? `Cannot listen on ${host}, port ${port}: ${error.message}`, {
    cause: error,
  });
}

/** Ends a server whose open requests nobody would miss. */
export function endAtOnce(server: Server | undefined): void {
  server?.close();
  server?.closeAllConnections();
}

/**
 * Ends kept-alive connections with the answer to their request, then accepts no new connection. Closing waits for a
 * moment: it would cut off idle connections whose next request is already travelling. A client that never finishes the
 * head of its request is cut off soon, and one that never finishes the body in the end: nothing of either has been
 * recorded. Resolves when the server is closed.
 */
export function drain(server: Server): Promise<void> {
  server.on("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  return new Promise((resolve, reject) => {
    setTimeout(() => {
      let isLastHeadOver = false;
      const lastHeads = setTimeout(() => {
        isLastHeadOver = true;
      }, LAST_HEADS_MS);
      const sweep = setInterval(() => {
        server.closeIdleConnections();
        // Node takes one that has sent nothing for one with a request in flight.
        const ended = isLastHeadOver ? connectionsWithoutRequest(server) : unusedConnections(server);
        for (const connection of ended) connection.destroy();
      }, SWEEP_MS);
      const cutOff = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      server.close((error) => {
        clearInterval(sweep);
        clearTimeout(cutOff);
        clearTimeout(lastHeads);
        if (error === undefined) resolve();
        else reject(error);
      });
    }, LAST_REQUESTS_MS);
  });
}
