/** The demo's one address passes requests on to each server in its turn, and to none that is gone. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { forwardTo } from "../one-address.ts";

/** Starts a server that answers with its name and what it was sent; a request to /die ends it without an answer. */
async function named(name: string) {
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    if (incoming.url === "/die") {
      server.close();
      server.closeAllConnections();
      return;
    }
    outgoing.writeHead(201, { "x-server": name }).end(`${incoming.method} ${incoming.url} ${body.length}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("requests go to one server after the other, and to those that are left once one is gone", async (t) => {
  const all = [await named("one"), await named("other")];
  const address = await forwardTo(all.map(({ url }) => url));
  t.after(async () => {
    await address.close();
    for (const { server } of all) server.close();
  });
  const body = "x".repeat(300_000);
  const ask = async (path = "/path?a=b") => {
    const answer = await fetch(address.url + path, { method: "POST", body });
    assert.deepEqual([answer.status, await answer.text()], [201, `POST ${path} ${body.length}`]);
    return answer.headers.get("x-server");
  };
  assert.deepEqual([await ask(), await ask(), await ask()], ["one", "other", "one"]);
  await assert.rejects(ask("/die"), TypeError, "a request that was cut off is not sent again");
  assert.equal(await ask(), "one");
  await assert.rejects(ask(), TypeError, "the other refuses, which is noticed now");
  assert.deepEqual([await ask(), await ask(), await ask()], ["one", "one", "one"]);
});
