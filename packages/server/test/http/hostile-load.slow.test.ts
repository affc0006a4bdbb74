/**
 * A real server among a thousand clients that retry, and others with bad intent: slow, half closed, huge, deep, many at
 * once, and deaf. It answers each with its code, records each event once, stays up for everybody else, and its memory
 * has a bound.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

/** An address of the machine that the other clients do not use: limits by address apply to each. */
const ELSEWHERE = "127.0.0.2";
const CLIENTS = 1000;
const MIB = 1024 * 1024;
/** A measured run peaks at less than half of it. */
const MAX_RESIDENT_MIB = 800;
const skip =
  process.platform === "linux" ? false : "only Linux has more than one local address: hostile load is NOT TESTED";

/** Returns the peak memory of a process, in MiB. */
function peakMib(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kib) / 1024;
}

test("a thousand clients that retry, among hostile ones", { skip }, async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const child = await startChild(t, folder, { logLevel: "silent" });
  const client = new Client(child.url, made.api_key ?? "");
  const { stream_id } = made;
  const port = Number(new URL(child.url).port);
  const sockets = new Set<Socket>();
  const open = (localAddress = ELSEWHERE) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    sockets.add(socket.on("error", () => undefined));
    return socket;
  };
  let isOver = false;
  t.after(() => {
    isOver = true;
    for (const socket of sockets) socket.destroy();
  });
  const head = (path: string, rest: readonly string[] = [], method = "POST") =>
    [
      `${method} ${path} HTTP/1.1`,
      "Host: a",
      `Authorization: Bearer ${made.api_key}`,
      "Content-Type: application/json",
      ...rest,
      "\r\n",
    ].join("\r\n");
  const events = `/v2/streams/${stream_id}/events`;

  /** Sends a text, and resolves to status and code of the first answer. */
  const exchange = (text: string, { end = false, from = ELSEWHERE } = {}): Promise<string> =>
    new Promise((resolve) => {
      const socket = open(from);
      let received = "";
      const finish = () => {
        const [, status = "none"] = /^HTTP\/1\.1 (?!100)(\d{3})/.exec(received) ?? [];
        const [, code = ""] = /"code":"(\w+)"/.exec(received) ?? [];
        resolve(`${status} ${code}`.trim());
      };
      socket.setEncoding("utf8").on("data", (chunk) => {
        received += chunk;
        if (received.includes("\r\n\r\n") && /\}$/.test(received)) socket.destroy();
      });
      socket.on("close", finish);
      if (end) socket.end(text);
      else socket.write(text);
    });
  const append = (number: number, rest: readonly string[] = []) => {
    const body = JSON.stringify(loan(number));
    return head(events, [`Idempotency-Key: event-${number}`, `Content-Length: ${body.length}`, ...rest]) + body;
  };

  let healthy = 0;
  const watch = (async () => {
    while (!isOver) {
      const answer = await exchange("GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", {
        from: "127.0.0.1",
      });
      assert.ok(answer === "200" || isOver, answer);
      healthy += 1;
      await pause(20);
    }
  })();

  // These requests are begun and never ended.
  const held = [
    ...Array.from(
      { length: 200 },
      (_, number) => `${head(events, [`Idempotency-Key: slow-${number}`, "Content-Length: 200000"])}{`,
    ),
    ...Array.from(
      { length: 100 },
      (_, number) => `${head(events, [`Idempotency-Key: large-${number}`, "Content-Length: 1000000"])}{`,
    ),
    ...Array.from({ length: 100 }, () => "POST /v2/verify HTTP/1.1\r\nHost: a\r\nX-Slow: "),
    ...Array.from({ length: 50 }, () => `${head("/v2/verify", ["Content-Length: 60000000"])}{`),
  ];
  for (const text of held) open().write(text);
  // These clients ask for much, and read nothing.
  await client.appendBatch(
    stream_id,
    Array.from({ length: 1000 }, (_, index) => loan(index)),
    "listed",
  );
  for (let number = 0; number < 40; number++)
    open()
      .pause()
      .write(head(`${events}?limit=500`, [], "GET").repeat(3));
  for (let number = 0; number < 5; number++)
    open().pause().write("GET /health HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2000));

  /** Returns a client that sends each event until it is recorded, and once more. */
  const insistent = async (number: number) => {
    for (const _ of [1, 2])
      await until(`event ${number} is recorded`, async () => {
        const answer = await exchange(append(number));
        if (!["201", "none"].includes(answer)) assert.match(answer, /^(429 rate_limited|503 store_unavailable)$/);
        return answer === "201" ? true : null;
      });
  };
  const bad: [text: string, expected: RegExp][] = [
    [head(events, ["Idempotency-Key: huge", `Content-Length: ${100 * MIB}`]), /^413 body_too_large$/],
    [
      head(`${events}/batch`, ["Idempotency-Key: many", "Content-Length: 3023"]) +
        `{"events":[${"{},".repeat(1000)}{}]}`.padEnd(3023),
      /^422 invalid_request$/,
    ],
    [`${head("/v2/verify", ["Content-Length: 200000"])}${"[".repeat(200_000)}`, /^400 too_deep$|^429 rate_limited$/],
    [`${head(events, ["Idempotency-Key: deep", "Content-Length: 200000"])}${"[".repeat(200_000)}`, /^400 too_deep$/],
    [head("/health", [`X: ${"x".repeat(70_000)}`], "GET"), /^431 headers_too_large$/],
    [
      head(
        "/health",
        Array.from({ length: 3000 }, (_, number) => `X-${number}: x`),
        "GET",
      ),
      /^431 headers_too_large$/,
    ],
  ];
  const evil = bad.flatMap(([text, expected]) =>
    Array.from({ length: 10 }, async () => assert.match(await exchange(text), expected, text.slice(0, 100))),
  );
  // An answer can be lost on the way; a recorded event is found under its key below.
  const halfClosed = Array.from({ length: 50 }, async (_, index) =>
    assert.match(await exchange(append(CLIENTS + index), { end: true }), /^201$|^429 rate_limited$|^none$/),
  );
  await Promise.all([...Array.from({ length: CLIENTS }, (_, number) => insistent(number)), ...evil, ...halfClosed]);
  for (let index = 0; index < halfClosed.length; index++) await insistent(CLIENTS + index);
  isOver = true;
  await watch;
  assert.ok(healthy >= 10, `${healthy} looks at /health`);
  const { body } = await client.get(`/v2/streams/${stream_id}/head`);
  assert.equal(body.seq_no, 1000 + CLIENTS + halfClosed.length, "each event once");
  const peak = peakMib(child.pid);
  t.diagnostic(`${Math.round(peak)} MiB at most`);
  assert.ok(peak < MAX_RESIDENT_MIB, `${peak} MiB`);
  for (const socket of sockets) socket.destroy();
  assert.equal(await child.end("SIGTERM"), 0);
});
