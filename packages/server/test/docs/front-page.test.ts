/**
 * The page at the address that `start` prints: each of its links leads to an existing page, and other paths are still
 * refused as JSON.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { pageInPlace } from "@svc/testkit/built";
import { ORIGIN, startServer } from "@svc/testkit/server/running-server";

test("the front page says whose evidence this is, and leads on", async (t) => {
  await pageInPlace();
  const { client } = await startServer(t);
  const { status, text, headers } = await client.get("/");
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
  assert.ok(text.includes(`<code>${ORIGIN}</code>`));
  const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = ""]) => link);
  assert.deepEqual(links.toSorted(), ["/docs", "/openapi.json", "/ready", "/v2/keys", "/verify.html"]);
  for (const link of links) assert.equal((await client.get(link)).status, 200, link);
});

test("a path that no route has is refused as JSON, as before", async (t) => {
  const { client } = await startServer(t);
  for (const path of ["/index.html", "//", "/favicon.ico"]) {
    const { status, body } = await client.get(path);
    assert.deepEqual([status, body.detail.code], [404, "route_not_found"], path);
  }
});
