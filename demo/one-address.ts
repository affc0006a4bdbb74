/**
 * One address for several servers, as a balancer would be: requests go to one after the other, and to none any more
 * that refuses a connection. A request that was cut off is not repeated here: its client knows its Idempotency-Key.
 */
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** The address, until it is closed. */
export interface Address {
  readonly url: string;
  close(): Promise<void>;
}

/** Forwards to the servers of these URLs, on a free loopback port. */
export async function forwardTo(urls: readonly string[]): Promise<Address> {
  let alive = [...urls];
  let turn = 0;
  const forwarder = createServer((incoming, outgoing) => {
    const { method, headers, url = "/" } = incoming;
    const server = alive[turn++ % alive.length];
    if (server === undefined) return void outgoing.destroy();
    const onward = request(new URL(url, server), { method, headers, agent: false });
    onward.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("error", () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    onward.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNREFUSED") alive = alive.filter((one) => one !== server);
      outgoing.destroy();
    });
    incoming.pipe(onward);
  });
  forwarder.listen(0, "127.0.0.1");
  await once(forwarder, "listening");
  return {
    url: `http://127.0.0.1:${(forwarder.address() as AddressInfo).port}`,
    async close() {
      const closed = once(forwarder, "close");
      forwarder.close();
      forwarder.closeAllConnections();
      await closed;
    },
  };
}
