/** Headers of every answer, and the rights of pages. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { download, prepared, readyExport } from "../exports/export-client.ts";

test("no answer may be taken for another type than it says: errors, evidence, pages, packages and metrics", async (t) => {
  const { client, made, server } = await startServer(t, { metricsPort: 0 });
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const ready = await readyExport(client, { streams: [made.stream_id] });
  await download(client, ready);
  const { path } = await prepared(client, ready.export_id);
  const asked: readonly (readonly [string, number, RequestInit?])[] = [
    [`${client.url}/health`, 200],
    [`${client.url}/v2/keys`, 200],
    [`${client.url}/v2/keys`, 204, { method: "OPTIONS" }],
    [`${client.url}/v2/keys`, 405, { method: "DELETE" }],
    [`${client.url}/v2/streams`, 401],
    [`${client.url}/nothing`, 404],
    [`${client.url}/openapi.json`, 200],
    [`${client.url}/docs`, 200],
    [`${client.url}/`, 200],
    [client.url + path, 200],
    [client.url + path, 410],
    [`${server.metricsUrl}`, 200],
    [`${server.metricsUrl}/nothing`, 404],
  ];
  for (const [url, expected, init] of asked) {
    const response = await fetch(url, init);
    await response.arrayBuffer();
    const { status, headers } = response;
    assert.deepEqual([status, headers.get("x-content-type-options")], [expected, "nosniff"], url);
  }
});

for (const path of ["/", "/docs"])
  test(`the page at ${path} loads and runs nothing, and is in no other page`, async (t) => {
    const { client } = await startServer(t);
    const { headers, text } = await client.get(path);
    const policy = headers.get("content-security-policy") ?? "";
    const [, inPage] = /<meta http-equiv="Content-Security-Policy" content="([^"]+)">/.exec(text) ?? [];
    assert.equal(policy, `${inPage}; frame-ancestors 'none'`);
    const rules = new Map(policy.split("; ").map((rule) => rule.split(/ (.*)/) as [string, string]));
    assert.deepEqual([...rules.keys()].sort(), [
      "base-uri",
      "default-src",
      "form-action",
      "frame-ancestors",
      "style-src",
    ]);
    for (const rule of ["base-uri", "default-src", "form-action", "frame-ancestors"])
      assert.equal(rules.get(rule), "'none'", rule);
    assert.match(rules.get("style-src") ?? "", /^'sha256-[A-Za-z0-9+/]{43}='$/, "its own style, and no other");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.doesNotMatch(text, /<script|<img|<link|@import|url\(|https?:/i);
  });
