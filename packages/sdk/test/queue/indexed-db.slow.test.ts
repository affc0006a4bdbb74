/**
 * The spool in IndexedDB in a real Chromium, against the real server behind a server that adds the key, as programs
 * with pages do.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { HAS_CHROMIUM, launchBrowser } from "@svc/testkit/chromium";
import { runtimeTest } from "@svc/testkit/runtimes";
import { build } from "esbuild";
import { SvcClient } from "../../src/index.ts";
import { startServer } from "../server.ts";
import type { QueuePage } from "./queue-page.ts";

declare const queuePage: QueuePage;

const folder = mkdtempSync(join(tmpdir(), "svc-indexed-db-"));
const service = await startServer();
const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("page/entry.ts", import.meta.url))],
  write: false,
  bundle: true,
  platform: "browser",
  format: "iife",
  target: "es2022",
  charset: "utf8",
  logLevel: "warning",
});
const script = outputFiles[0]?.text ?? "";
let isAway = false;
const keys: string[] = [];
const site = createServer(async (request, response) => {
  const { url = "/", method = "GET", headers } = request;
  if (url === "/")
    return void response.setHeader("content-type", "text/html").end('<!doctype html><script src="page.js"></script>');
  if (url === "/page.js") return void response.setHeader("content-type", "text/javascript").end(script);
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  keys.push(String(headers["idempotency-key"]));
  const answer = await fetch(service.baseUrl + url, {
    method,
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": keys.at(-1) ?? "",
    },
    body: Buffer.concat(pieces),
  });
  const body = Buffer.from(await answer.arrayBuffer());
  // The answer is lost for the page, after the service has recorded.
  if (isAway) response.destroy();
  else response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
const browser = HAS_CHROMIUM ? await launchBrowser(folder) : null;
after(async () => {
  await browser?.close();
  site.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const readings = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    source_ref: `reading-${from + index}`,
    event_type: "sensor.read",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { sensor: "S-17", note: "ü", number: from + index },
  }));
const refs = (from: number, to: number) => readings(from, to).map(({ source_ref }) => source_ref);

runtimeTest("what waits in IndexedDB outlives its page, and one page uses it at a time", browser, async (running) => {
  const context = await running.newContext();
  const client = new SvcClient(service);
  const { streamId } = service;
  const open = async () => {
    const page = await context.newPage();
    await page.goto(origin);
    return page;
  };
  isAway = true;
  const first = await open();
  assert.equal(await first.evaluate((id) => queuePage.open(id, "sensors"), streamId), null);
  await first.evaluate((events) => queuePage.append(events), readings(1, 1200));
  await first.waitForFunction(() => queuePage.waiting().lastError === "no_answer");
  const [once = assert.fail()] = readings(1201, 1201);
  assert.equal(await first.evaluate((event) => queuePage.appendOnce(event, "S-17/1201"), once), null);
  assert.equal(await first.evaluate((event) => queuePage.appendOnce(event, "S-17/1201"), once), "key_taken");
  const { events, bytes } = await first.evaluate(() => queuePage.waiting());
  const sum = readings(1, 1201).reduce((total, event) => total + Buffer.byteLength(JSON.stringify(event)), 0);
  assert.deepEqual([events, bytes], [1201, sum]);

  const second = await open();
  assert.equal(await second.evaluate((id) => queuePage.open(id, "sensors"), streamId), "spool_in_use");
  await first.close();
  const [key] = keys.splice(0);
  isAway = false;
  const other = "str_00000000000000000000000001";
  // The browser releases the lock of a closed page in its own time.
  const openOther = () => second.evaluate((id) => queuePage.open(id, "sensors"), other);
  let foreign = await openOther();
  for (let tries = 1; foreign === "spool_in_use" && tries < 1000; tries++) foreign = await openOther();
  assert.equal(foreign, "spool_foreign");
  assert.equal(await second.evaluate((id) => queuePage.open(id, "sensors"), streamId), null);
  assert.deepEqual((await second.evaluate(() => queuePage.waiting())).bytes > 0, true);
  await second.evaluate((more) => queuePage.append(more), readings(1202, 1210));
  assert.deepEqual(await second.evaluate(() => queuePage.flush()), refs(1, 1210));
  assert.equal(await second.evaluate((event) => queuePage.appendOnce(event, "S-17/1201"), once), "key_taken");
  assert.equal(keys[0], key, "the batch of the page before, under its key");

  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await client.stream(streamId).events({ limit: 500, ...(cursor === "" ? {} : { cursor }) });
    found.push(...page.items.map(({ source_ref }) => source_ref));
    cursor = page.next_cursor;
  }
  assert.deepEqual(found, refs(1, 1210));
  await context.close();
});
