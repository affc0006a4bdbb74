/** Which application answers by the host that a request names, however it is written. */
import assert from "node:assert/strict";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { test } from "node:test";
import { byHost } from "../../src/http/faces.ts";

/** Returns the function that tells which of these faces answers a Host header; undefined for a request without one. */
function answering(origins: readonly string[]) {
  let answered = "";
  const listener =
    (name: string): RequestListener =>
    () => {
      answered = name;
    };
  const listen = byHost(new Map(origins.map((origin) => [origin, listener(origin)])), listener("fallback"));
  return (host: string | undefined) => {
    const headers = host === undefined ? {} : { host };
    listen({ headers } as IncomingMessage, {} as ServerResponse & { req: IncomingMessage });
    return answered;
  };
}

test("a host is a face's in upper case, with a dot at its end, and with the port of its scheme or without", () => {
  const [dashboard, audit, local] = [
    "https://dash.example.com",
    "https://audit.example.com:8443",
    "http://dashboard.localhost:8787",
  ];
  const of = answering([dashboard, audit, local]);
  for (const host of [
    "dash.example.com",
    "DASH.Example.COM",
    "dash.example.com.",
    "dash.example.com:443",
    "dash.example.com.:443",
  ])
    assert.equal(of(host), dashboard, host);
  for (const host of ["audit.example.com:8443", "AUDIT.EXAMPLE.COM.:8443"]) assert.equal(of(host), audit, host);
  for (const host of ["dashboard.localhost:8787", "Dashboard.localhost.:8787"]) assert.equal(of(host), local, host);
});

test("every other host, and no host, is the fallback's", () => {
  const of = answering(["https://dash.example.com", "http://[::1]:8787"]);
  assert.equal(of("[::1]:8787"), "http://[::1]:8787");
  for (const host of [
    undefined,
    ...["", ":443", ".", "example.com", "dash.example.com.evil.example", "evil.example/dash.example.com"],
    ...[
      "dash.example.com:80:443",
      "dash.example.com:8443",
      "dash.example.com..",
      " dash.example.com",
      "dash.example.com,x",
    ],
    ...["user@dash.example.com", "dash.example.com:", "dash.example.com:x", "[::1]", "[::1]:443", "[::1"],
  ])
    assert.equal(of(host), "fallback", host);
});

test("without faces there is no step between a request and its application", () => {
  const listener: RequestListener = () => undefined;
  assert.equal(byHost(new Map(), listener), listener);
});
