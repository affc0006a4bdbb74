/** The adapter of the API: what the server is, requests that it refuses, pauses that it asks for, a lost connection. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { VERSION } from "@svc/core";
import { serverProgram } from "@svc/testkit/built";
import { KERNEL_SHA256 } from "@svc/wasm";
import { caseFiles } from "../../case-set/case-set.ts";
import { allCases } from "../../test/cases.ts";
import { startTestKeyServer } from "../test-key-server.ts";
import { holdApi } from "./api.ts";
import type { Sent } from "./hold.ts";

const CASES = allCases(caseFiles());
const server = await startTestKeyServer(await serverProgram(), { SVC_ADDRESS_REQUESTS_PER_SECOND: "20" });
after(() => server.stop());

/** Statuses that the server has answered with, beside 200. */
const refusals: number[] = [];
/** The verify requests so far. */
let asked = 0;
/** It is between, cuts the first verify request off, and notes what it passes on. */
const between = createServer(async (request, response) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = "", url = "" } = request;
  if (url === "/v2/verify" && asked++ === 0) return void request.socket.destroy();
  const body = method === "POST" ? { body: Buffer.concat(chunks) } : {};
  const answer = await fetch(new URL(url, server.url), {
    method,
    headers: { "Content-Type": "application/json" },
    ...body,
  });
  if (answer.status !== 200) refusals.push(answer.status);
  const pause = answer.headers.get("Retry-After");
  response.writeHead(answer.status, pause === null ? {} : { "Retry-After": pause }).end(await answer.text());
}).listen(0, "127.0.0.1");
await once(between, "listening");
after(() => between.close());
const url = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;

test("the server gives the right reports, paused or not, and says what it is", async () => {
  const named = (name: string): Sent => {
    const found = CASES.find((one) => one.name === name);
    assert.ok(found !== undefined, name);
    return found;
  };
  const hello = {
    ok: true,
    implementation: "POST /v2/verify",
    version: VERSION,
    kernel_sha256: KERNEL_SHA256,
    protocol: "SVC-PROOFSTREAM-001",
    ops: ["hello"],
  };
  const good = ["5/bundle/good", "5/truth-package/good", "4/receipt/good", "4/checkpoint/good"].map(named);
  const bad = ["5/bundle/payload-edited", "5/truth-package/content-damaged"].map(named);
  // The server counts bodies by their size, and so asks for pauses soon.
  const malformed = [
    { name: "hello with a member", request: { op: "hello", name: "x" } },
    { name: "kind that is no text", request: { op: "verify", bytes: "e30=", kind: 1 } },
    { name: "links that are no array", request: { op: "verify", bytes: "e30=", links: {} } },
  ].map((one) => ({ ...one, level: 0, answer: { ok: false, code: "malformed_request" } }));
  const supported = [
    { name: "hello", level: 0, request: { op: "hello" }, answer: hello },
    ...malformed,
    ...[...good, ...bad, ...good],
  ];
  const left = ["4/receipt/unpinned", "4/receipt/duplicate-name", "4/checkpoint/good-known-by-two-links"].map(named);
  const other = { name: "digest", level: 1, request: { op: "digest", tag: "t", bytes: "e30=" }, answer: { ok: true } };
  const held = await holdApi(url, [...supported, ...left, other]);
  assert.deepEqual(held.failed, []);
  assert.deepEqual(
    held.passed,
    supported.map(({ name }) => name),
  );
  assert.deepEqual(
    held.unsupported.map(({ name }) => name),
    [...left, other].map(({ name }) => name),
  );
  assert.ok(refusals.includes(429), `${refusals}`);
});
