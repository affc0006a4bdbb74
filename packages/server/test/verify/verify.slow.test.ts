/** The verify routes: core's own report on every kind, and bodies that would exceed the memory. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { BODY_GRACE_MS, MAX_LARGE_VERIFY_BODIES, MAX_SMALL_VERIFY_BODY_BYTES } from "@svc/api/limits";
import { referenceKernel, type TrustPolicy, verify } from "@svc/core";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { MAX_SMALL_VERIFY_BYTES } from "../../src/limits.ts";

const CASES = fileURLToPath(new URL("../../../../fixtures/cases/", import.meta.url));
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const MIB = 1024 * 1024;

test("the report on every fixture of every kind is core's, under the service's own keys", async (t) => {
  const { server, made } = await startServer(t);
  const anybody = new Client(server.url, "");
  const own = { kid: made.kid, public_key_hex: made.public_key_hex, origin: made.origin };
  const trust = { signers: [own] } as TrustPolicy;
  // A truth package is an archive, and these routes take JSON.
  const kinds = readdirSync(CASES).filter((kind) => kind !== "truth-package");
  assert.equal(kinds.length, 19);
  for (const kind of kinds) {
    const names = readdirSync(join(CASES, kind));
    // The good ones, and a few of the others.
    const chosen = names.filter((name, index) => name.startsWith("good") || index % 10 === 0);
    assert.ok(chosen.length > 0, kind);
    for (const name of chosen) {
      const { input } = JSON.parse(readFileSync(join(CASES, kind, name), "utf8")) as { input: string };
      const expected = verify(Buffer.from(input), { trust, kernel: referenceKernel });
      const answer = await anybody.post("/v2/verify", input);
      const isJson = expected.checks.find(({ id }) => id === "json")?.status === "pass";
      if (isJson && expected.kind !== null) {
        const { verifier: _ours, ...report } = answer.body;
        const { verifier: _theirs, ...wanted } = JSON.parse(JSON.stringify(expected));
        // The server adds the names of the pinned keys.
        for (const check of [...report.checks, ...wanted.checks]) if (check.id === "trust") check.note = null;
        assert.deepEqual([answer.status, report], [200, wanted], `${kind}/${name}`);
      } else assert.equal(answer.status, 400, `${kind}/${name}`);
    }
  }
});

test("own evidence is verified under the service's key, and the report names it", async (t) => {
  const { client, made } = await startServer(t);
  const { text, body } = await client.append(made.stream_id, loan(1));
  const state = await client.witnessed(made.stream_id, 1);
  const texts = [
    text,
    JSON.stringify({ stream_id: made.stream_id, records: [body] }),
    (await client.get(`/v2/windows/${state.latest_window_id}`)).text,
    (await client.get(`/v2/checkpoints/${state.latest_checkpoint_id}`)).text,
    (await client.post("/v2/audit/packs", { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 1 })).text,
  ];
  for (const one of texts) {
    const { body: report } = await client.post("/v2/verify", one);
    assert.equal(report.verdict, "verified");
    const { note } = report.checks.find(({ id }: { id: string }) => id === "trust");
    assert.equal(note, `Only keys of this service itself were pinned: ${made.kid}.`);
  }
});

test("an object of another kind than the route's, in every size", async (t) => {
  const { client, made } = await startServer(t);
  const events = Array.from({ length: 300 }, (_, index) => loan(index, { payload: { text: "x".repeat(3000) } }));
  await client.appendBatch(made.stream_id, events);
  await client.witnessed(made.stream_id, 300);
  const pack = await client.post("/v2/audit/packs", { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 300 });
  assert.ok(pack.text.length > MAX_SMALL_VERIFY_BYTES);
  const wrong = await client.post("/v2/verify/receipt", pack.text);
  assert.deepEqual([wrong.status, wrong.body.detail.code, wrong.body.detail.kind], [422, "wrong_kind", "bundle"]);
  const { verifier: _verifier, ...expected } = assertVerified(pack.text, made.public_key_hex, "bundle");
  const { verifier: _own, ...report } = (await client.post("/v2/verify", pack.text)).body;
  assert.deepEqual([report.verdict, report.assurance], [expected.verdict, expected.assurance]);
  const cut = await client.post("/v2/verify", pack.text.slice(0, -1));
  assert.deepEqual(
    [cut.status, cut.body.detail.code, cut.body.detail.offset],
    [400, "json_malformed", Buffer.byteLength(pack.text) - 1],
  );
  const unknown = await client.post("/v2/verify", JSON.stringify({ text: "x".repeat(MAX_SMALL_VERIFY_BYTES) }));
  assert.deepEqual([unknown.status, unknown.body.detail.code], [400, "unsupported_object"]);
});

/** Returns junk of 64 MiB: a beginning, a repeated part, an end. */
function junk(start: string, part: string, end: string): Buffer<ArrayBuffer> {
  const body = Buffer.alloc(64 * MIB - 1000, part);
  const whole = Math.floor(body.length / part.length) * part.length;
  return Buffer.concat([Buffer.from(start), body.subarray(0, whole), Buffer.from(end)]);
}

test("eight bodies of junk at once are refused, and the server goes on", async (t) => {
  const words = ["start", "--json", "--port", "0", "--data", join(temporaryFolder(), "data")];
  const child = spawn(process.execPath, ["--max-old-space-size=1024", MAIN, ...words], {
    env: { PATH: process.env.PATH ?? "", SVC_LOG_LEVEL: "error", SVC_ADDRESS_REQUESTS_PER_SECOND: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout ?? process.stdin }), "line")) as [string];
  const client = new Client((JSON.parse(line) as { url: string }).url, "");
  const records = '{"stream_id":"str_01k3c0h7wz0000000000000000","records":[';
  const bodies: [code: string | null, Buffer<ArrayBuffer>][] = [
    ["object_too_complex", junk("[", "[],", "[]]")],
    ["object_too_complex", junk(records, "{},", "{}]}")],
    ["object_too_complex", junk(records, `${"[".repeat(60)}${"]".repeat(60)},`, "[]]}")],
    ["object_too_complex", junk("[", '"a",', "0]")],
    ["json_malformed", junk("", "\\", "")],
    ["json_malformed", junk("", " ", "")],
    ["unsupported_object", junk('{"a":"', "x", '"}')],
    [null, junk(records, `"${"x".repeat(60)}",`, "0]}")],
  ];
  // On a slow machine some are refused because others are in the way: they retry, as the refusal says.
  const verified = async (body: Buffer<ArrayBuffer>): Promise<Answer> => {
    const answer = await client.send("POST", "/v2/verify", body, { "content-type": "application/json" });
    return answer.body.detail?.code === "verifier_busy" ? verified(body) : answer;
  };
  const answers = Promise.all(bodies.map(([, body]) => verified(body)));
  let done = false;
  void answers.finally(() => {
    done = true;
  });
  let asked = 0;
  for (; !done; asked++) assert.equal((await client.get("/health")).status, 200);
  assert.ok(asked > 10, `health answered ${asked} times meanwhile`);
  const codes = (await answers).map(({ status, body }) => (status === 200 ? null : body.detail.code));
  assert.deepEqual(
    codes,
    bodies.map(([code]) => code),
  );
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;
  t.diagnostic(`peak ${Math.round(peak)} MiB`);
  assert.ok(peak < 2048, `the process took ${peak} MiB`);
});

const BEGUN = "POST /v2/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";

/** Begins a request with a part of its body, and never continues; resolves to the answer. */
function begun(url: string, head: string, body: string, localAddress = "127.0.0.1"): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port), localAddress });
  socket.write(`${BEGUN}${head}\r\n\r\n${body}`);
  return text(socket);
}

const large = `{"large":"${"x".repeat(MAX_SMALL_VERIFY_BODY_BYTES)}"}`;

/** They have BODY_GRACE_MS, and then must bring MIN_VERIFY_BYTES_PER_SECOND. */
test("bodies that do not go on keep a large one waiting until their time is over: request_timeout", async (t) => {
  const { server, client } = await startServer(t);
  const half = "[".padEnd(MAX_SMALL_VERIFY_BODY_BYTES + 1);
  const slow = Array.from({ length: MAX_LARGE_VERIFY_BODIES }, () =>
    begun(server.url, "Content-Length: 1000000", half),
  );
  const { status, body } = await client.post("/v2/verify", large);
  assert.deepEqual([status, body.detail.code], [400, "unsupported_object"]);
  for (const answer of await Promise.all(slow)) assert.match(answer, /^HTTP\/1\.1 408 .*"request_timeout"/s);
});

test("a body that came while the process stood still is not too slow", async (t) => {
  const { server } = await startServer(t);
  const { hostname: host, port } = new URL(server.url);
  const socket = connect({ host, port: Number(port) });
  const body = JSON.stringify({ text: "x".repeat(100_000) });
  socket.write(`${BEGUN}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 10)}`);
  const answer = text(socket);
  await new Client(server.url, "").get("/health");
  socket.write(body.slice(10));
  // A sleeping machine, or a stopped process, behaves like this.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BODY_GRACE_MS + 1500);
  assert.match(await answer, /^HTTP\/1\.1 400 .*"unsupported_object"/s);
});

test("connections that begin a body and send nothing of it keep nobody waiting", async (t) => {
  const { server, client } = await startServer(t);
  const idle = Array.from({ length: 60 }, () => begun(server.url, "Transfer-Encoding: chunked", ""));
  let ended = 0;
  for (const answer of idle) void answer.then(() => ended++);
  // By then all of them have been begun.
  await client.get("/health");
  const { status, body } = await client.post("/v2/verify", large);
  assert.deepEqual([status, body.detail.code, ended], [400, "unsupported_object", 0]);
  for (const answer of await Promise.all(idle)) assert.match(answer, /^HTTP\/1\.1 408 .*"request_timeout"/s);
});

const skip = process.platform === "linux" ? false : "only Linux has more than one local address";

test("large bodies of one address keep no other address waiting", { skip }, async (t) => {
  const { server, client } = await startServer(t);
  const half = "[".padEnd(MAX_SMALL_VERIFY_BODY_BYTES + 1);
  const slow = Array.from({ length: MAX_LARGE_VERIFY_BODIES }, () =>
    begun(server.url, "Content-Length: 1000000", half, "127.0.0.2"),
  );
  let ended = 0;
  for (const answer of slow) void answer.then(() => ended++);
  await client.get("/health");
  const { status, body } = await client.post("/v2/verify", large);
  assert.deepEqual([status, body.detail.code, ended], [400, "unsupported_object", 0]);
  for (const answer of await Promise.all(slow)) assert.match(answer, /^HTTP\/1\.1 408 .*"request_timeout"/s);
});
