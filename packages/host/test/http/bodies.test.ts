/**
 * The reading of bodies: a body whose sender has left, or that has to give way, ends the reading and holds nothing for
 * ever.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { readBytes } from "../../src/http/body.ts";

/** Returns a request whose body has a stated size, and of which the first half has been sent. */
async function begun(t: TestContext, bytes: number) {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = send({
    port: (server.address() as AddressInfo).port,
    method: "POST",
    headers: { "content-type": "application/json", "content-length": bytes },
  });
  client.on("error", () => undefined);
  client.write("x".repeat(bytes / 2));
  const [request] = (await once(server, "request")) as [IncomingMessage];
  return { client, request };
}

test("the body of a client that has left before it is read is refused at once", { timeout: 30_000 }, async (t) => {
  const { client, request } = await begun(t, 10);
  request.on("error", () => undefined);
  const left = new Promise((resolve) => request.once("close", resolve));
  client.destroy();
  await left;
  await assert.rejects(readBytes(request, { maxBytes: 100 }), /connection was closed/);
});

test("a body that has to give way while its bytes are counted flows on, and is not paused", {
  timeout: 30_000,
}, async (t) => {
  const { client, request } = await begun(t, 200);
  const controller = new AbortController();
  const arrived = () => {
    controller.abort(new Error("give way"));
    return new Promise<void>(() => undefined);
  };
  await assert.rejects(readBytes(request, { maxBytes: 1000, arrived, signal: controller.signal }), /give way/);
  assert.equal(request.isPaused(), false);
  const ended = once(request, "end");
  client.end("x".repeat(100));
  await ended;
});
