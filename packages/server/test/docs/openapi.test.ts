/** The OpenAPI document and the page of routes: whole, true, and readable without a network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ERRORS } from "@svc/api";
import { startServer } from "@svc/testkit/server/running-server";

test("the document refers to nothing outside of itself, and every reference leads somewhere", async (t) => {
  const { client } = await startServer(t);
  const { body, text } = await client.get("/openapi.json");
  assert.equal(body.openapi, "3.1.0");
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference ?? "");
  assert.ok(references.length > 20);
  for (const reference of references) {
    const [, name = ""] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? [];
    assert.equal(typeof body.components.schemas[name], "object", reference);
  }
  assert.ok(!text.includes('"$id"'));
});

test("every route is described once, with who may ask and every code that it can answer", async (t) => {
  const { client } = await startServer(t);
  const { body } = await client.get("/openapi.json");
  const operations = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation })),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const { name, operation } of operations) {
    assert.match(operation.summary, /\.$/, name);
    const statuses = Object.keys(operation.responses).map(Number);
    const [scheme = "none"] = operation.security.flatMap((one: object) => Object.keys(one));
    assert.equal(statuses.includes(401), scheme === "systemKey", name);
    const needs = {
      none: /Anybody may ask\.$/,
      ticket: /Needs a ticket, and no key\.$/,
      systemKey: /Needs a system key that may `[a-z_]+`[^.]*\.$/,
    }[scheme as string];
    assert.ok(needs !== undefined, scheme);
    assert.match(operation.description, needs, name);
    for (const status of statuses.filter((one) => one >= 400)) {
      const { detail } = operation.responses[status].content["application/json"].schema.properties;
      const codes: (keyof typeof ERRORS)[] = detail.properties.code.enum;
      assert.deepEqual([...new Set(codes.map((code) => ERRORS[code].status))], [status], name);
    }
  }
  const named = new Set(
    JSON.stringify(body)
      .match(/\b[a-z]+(?:_[a-z]+)+\b|"unauthorized"/g)
      ?.map((word) => word.replaceAll('"', "")),
  );
  // No route promises these codes: they refuse requests that reach no route, or a method that a path lacks.
  const unnamed = Object.keys(ERRORS).filter((code) => !named.has(code));
  const beforeRoutes = ["request_malformed", "method_not_allowed", "expectation_failed"];
  assert.deepEqual(
    unnamed.toSorted(),
    [...beforeRoutes, "headers_too_large", "transfer_coding_unsupported"].toSorted(),
  );
});

test("query parameters that a route does not have are refused, not passed over", async (t) => {
  const { client } = await startServer(t);
  const { status, body } = await client.get("/v2/keys?page=2");
  assert.deepEqual([status, body.detail.code], [422, "invalid_request"]);
  assert.deepEqual(body.detail.problems, [{ path: "?page", message: "is no parameter of this route" }]);
  const window = await client.get("/v2/windows/win_1?leaves=yes&leafs=true&event=1&event=2");
  assert.deepEqual(
    window.body.detail.problems.map(({ path }: { path: string }) => path),
    ["?leafs", "?leaves", "?event"],
  );
});

test("the page for people names every route", async (t) => {
  const { client } = await startServer(t);
  const { text, headers } = await client.get("/docs");
  assert.match(headers.get("content-type") ?? "", /^text\/html/);
  const { body } = await client.get("/openapi.json");
  for (const path of Object.keys(body.paths)) assert.ok(text.includes(`<code class="path">${path}</code>`), path);
  assert.match(text, /<p>Needs a system key that may <code>erase<\/code>, which it must be granted by name\.<\/p>/);
});

test("the document names the API's origin where it is set, and its own where it is not", async (t) => {
  const { client } = await startServer(t);
  assert.deepEqual((await client.get("/openapi.json")).body.servers, [{ url: "/" }]);
  const { client: named } = await startServer(t, { apiUrl: "https://api.example" });
  assert.deepEqual((await named.get("/openapi.json")).body.servers, [{ url: "https://api.example" }]);
});
