/** The program as a person meets it: init, start, keys, and its ends. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

test("init says what it made, once, and never makes it twice", async () => {
  const folder = join(temporaryFolder(), "data");
  const words = ["init", "--origin", "demo.example/evidence", "--data", folder];
  const made = await command([...words, "--tenant", "Bank"]);
  assert.equal(made.code, 0, made.err);
  for (const part of ["demo.example/evidence", folder, "ed25519-", "tnt_", "sys_", "str_", "svc_sk_", "start --data"])
    assert.ok(made.out.includes(part), part);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of ["signing-key.pem", "witness-key.pem", "pepper", ON_POSTGRES ? "database.json" : "svc.db"])
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  const again = await command(words);
  assert.deepEqual([again.code, again.out], [1, ""]);
  assert.match(again.err, /already initialised.*start --data/);
});

test("wrong usage ends with exit code 64 and says what to do", async () => {
  const folder = join(temporaryFolder(), "data");
  const wrong: { words: string[]; says: RegExp; environment?: Record<string, string> }[] = [
    { words: ["init", "--data", folder], says: /--origin/ },
    { words: ["init", "--origin", "https://demo.example", "--data", folder], says: /schema-less/ },
    { words: ["frobnicate"], says: /unknown command/ },
    {
      words: ["start", "--data", folder, "--port", "x"],
      says: /SVC_LOG_LEVEL[\s\S]*whole number|whole number[\s\S]*SVC_LOG_LEVEL/,
      environment: { SVC_LOG_LEVEL: "loud" },
    },
  ];
  for (const { words, says, environment } of wrong) {
    const { code, err } = await command(words, environment);
    assert.equal(code, 64, words.join(" "));
    assert.match(err, says);
  }
});

test("in production start makes no deployment without a name that somebody chose", async () => {
  const folder = join(temporaryFolder(), "data");
  const { code, err, out } = await command(["start", "--data", folder], { NODE_ENV: "production" });
  assert.deepEqual([code, out], [64, ""], err);
  assert.match(err, /SVC_ORIGIN is missing.*such as "evidence\.example\.com".*can never be changed/);
  assert.ok(!existsSync(folder));
});

test("start makes a missing deployment; a key made while it runs works at once; SIGTERM drains", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const child = await startChild(t, folder);
  const created = await command(["--", "keys", "create", "--data", folder, "--json"]);
  assert.equal(created.code, 0, created.err);
  const { api_key, system_id } = JSON.parse(created.out);
  assert.match(api_key, /^svc_sk_[0-7][0-9a-hjkmnp-tv-z]{25}_[A-Za-z0-9_-]{43}$/);
  const client = new Client(child.url, api_key);
  const request = { system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { body: stream } = await client.post("/v2/streams", request);
  const { body: keys } = await client.get("/v2/keys");
  assert.match(keys.origin, /^localhost\/[0-9a-f]{16}$/);
  assert.equal(`ed25519-${keys.origin.slice("localhost/".length)}`, keys.keys[0].kid);

  const inFlight = client.appendBatch(
    stream.stream_id,
    Array.from({ length: 500 }, (_, index) => loan(index)),
  );
  const head = await client.get(`/v2/streams/${stream.stream_id}/head`);
  assert.ok([200, 404].includes(head.status));
  const code = child.end("SIGTERM");
  assert.equal((await inFlight).status, 201);
  assert.equal(await code, 0);
});

test("a second signal ends at once where a request never finishes", async (t) => {
  const child = await startChild(t, join(temporaryFolder(), "data"));
  const { hostname, port } = new URL(child.url);
  const socket = connect(Number(port), hostname);
  t.after(() => socket.destroy());
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("POST /v2/verify HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{");
  await until("the server has taken the request up", async () => (socket.bytesWritten > 0 ? true : null));
  const code = child.end("SIGTERM");
  await until("the server takes no more connections", () =>
    fetch(`${child.url}/health`).then(
      () => null,
      () => true,
    ),
  );
  // Signals within a moment of the first count as one, so more than one may be needed.
  const exit = await until("a later signal ends it", () => {
    void child.end("SIGTERM");
    return Promise.race([
      code.then((value) => ({ value })),
      new Promise<null>((resolve) => setImmediate(resolve, null)),
    ]);
  });
  assert.equal(exit.value, 1);
});

test("a port in use is said so", async (t) => {
  const folder = temporaryFolder();
  const child = await startChild(t, join(folder, "data"));
  const { port } = new URL(child.url);
  const second = await command(["start", "--data", join(folder, "other"), "--port", port]);
  assert.equal(second.code, 1);
  assert.match(second.err, new RegExp(`Port ${port} .*--port`));
  assert.equal(await child.end("SIGINT"), 0);
});

test("keys create asks which system where there are several, and refuses a folder without deployment", async () => {
  const folder = join(temporaryFolder(), "data");
  const nothing = await command(["keys", "create", "--data", folder]);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /holds no deployment/);
  await command(["init", "--origin", "demo.example/evidence", "--data", folder]);
  const unknown = await command(["keys", "create", "--data", folder, "--system", "sys_none"]);
  assert.equal(unknown.code, 64);
  assert.match(unknown.err, /sys_0/);
});
