/**
 * Calls that ask a server, a real one and ones that misbehave: whose verdict it is, the differences to the verdict
 * here, and that everything is bounded.
 */
import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { startServer } from "@svc/testkit/server/running-server";
import { postJson } from "../src/online/exchange.ts";
import { putRow } from "./row.ts";
import { bundle, evidence, KEY, type Outcome, PIN, put, receipt, svc } from "./svc.ts";
import { epoch } from "./vaults.ts";

putRow();
put("window.json", bundle.artifacts["windows.json"][0]);
put("checkpoint.json", bundle.artifacts["checkpoints.json"][0]);
put("anchor.json", await anchorOf(evidence.checkpoints));

const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const march = (server: string, ...more: string[]) => [
  ...["bundles", "verify", "--file", "march.bundle.json", "--server", server],
  ...more,
];

/** Starts a server that does one thing for every request. Resolves to its address and the bodies that it got. */
async function serverThat(t: TestContext, does: RequestListener): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      bodies.push(`${request.method} ${request.url} ${body}`);
      does(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

test("a real server's verdict is shown as the server's, under the server's pins", async (t) => {
  const { server } = await startServer(t);
  for (const [family, file] of [
    ["windows", "window.json"],
    ["checkpoints", "checkpoint.json"],
    ["bundles", "march.bundle.json"],
  ] as const) {
    const outcome = await svc([family, "verify", "--file", file, "--server", server.url]);
    assert.equal(outcome.stderr, "");
    assert.match(
      outcome.stdout,
      /^The verdict of http:\/\/127\.0\.0\.1:\d+, under the server's own pins, not\s+yours:\n/,
    );
    assert.match(outcome.stdout, /\nUNTRUSTED {2}/);
    assert.equal(outcome.code, 2);
  }
  const byVariable = await svc(["bundles", "verify", "--file", "march.bundle.json", "--json"], {
    env: { SVC_SERVER: `${server.url}/` },
  });
  assert.equal(JSON.parse(byVariable.stdout).verdict, "untrusted");
  const differing = await svc(march(server.url, "--local", ...PIN));
  assert.match(differing.stdout, /THE VERDICTS DIFFER: untrusted there, verified here/);
  assert.match(differing.stdout, /\/verdict: "untrusted" there, "verified" here/);
  assert.equal(differing.code, 70);
  const other = ["--local", "--public-key-hex", `${KEY.slice(0, -1)}${KEY.endsWith("0") ? "1" : "0"}`];
  const same = await svc(march(server.url, ...other));
  assert.match(same.stdout, /Verified here too, under your own trust: untrusted/);
  assert.equal(same.code, 2);
});

test("a real server computes an IVC epoch again, and trusts nobody", async (t) => {
  const { server } = await startServer(t);
  const outcome = await svc(["ivc", "epochs", "verify", put("epoch.json", epoch), "--server", server.url]);
  assert.match(outcome.stdout, /UNTRUSTED {2}ivc_/);
  assert.deepEqual([outcome.code, outcome.stderr], [2, ""]);
  const asking = ["ivc", "epochs", "verify", "epoch.json", "--server", server.url];
  for (const demand of [
    ["--from", "1"],
    ["--require", "included"],
    ["--link", "epoch.json"],
  ]) {
    const refused = await svc([...asking, ...demand]);
    assert.deepEqual([refused.code, refused.stdout], [64, ""], "no server learns of it");
  }
});

test("the bytes of the file are sent as they are, and a file of another kind is not sent", async (t) => {
  const { url, bodies } = await serverThat(t, (_request, response) => response.writeHead(500).end());
  const text = JSON.stringify(receipt);
  put("secret.json", text);
  const other = await svc(["windows", "verify", "--file", "secret.json", "--server", url]);
  assert.match(said(other), /looks like a receipt, and this command sends a window: nothing was sent/);
  assert.deepEqual([other.code, bodies], [66, []]);
  const pretty = JSON.stringify(bundle, null, 3);
  put("pretty.json", pretty);
  const failed = await svc(["bundles", "verify", "--file", "pretty.json", "--server", `${url}/base/`]);
  assert.deepEqual([failed.code, bodies], [70, [`POST /base/v2/verify ${pretty}`]]);
});

const answers: readonly (readonly [name: string, does: RequestListener, message: RegExp])[] = [
  [
    "a redirect",
    (_q, r) => r.writeHead(307, { location: "http://127.0.0.1:9/x\u0020y" }).end(),
    /redirects to .*does not follow/,
  ],
  ["no report", (_q, r) => r.end("{}"), /something else than a report/],
  ["no JSON", (_q, r) => r.end("<html>"), /something else than a report/],
  [
    "a report that contradicts itself",
    (_q, r) =>
      r.end(
        JSON.stringify({
          ok: true,
          verdict: "rejected",
          subject: {},
          checks: [],
          problems: [],
          proves: [],
          does_not_prove: [],
        }),
      ),
    /something else than a report/,
  ],
  ["a connection that breaks", (_q, r) => r.destroy(), /cannot be reached/],
];
for (const [name, does, message] of answers)
  test(`a server with ${name} gives no verdict`, async (t) => {
    const { url } = await serverThat(t, does);
    const outcome = await svc(march(url));
    assert.match(said(outcome), message);
    assert.deepEqual([outcome.code, outcome.stdout], [70, ""]);
  });

test("an answer that comes too slowly or never ends is given up", async (t) => {
  const silent = await serverThat(t, () => {});
  assert.deepEqual(await postJson(silent.url, new Uint8Array(), { timeoutMs: 50, maxBytes: 1 }), {
    ok: false,
    why: "timeout",
    detail: "",
  });
  const endless = await serverThat(t, (_request, response) => {
    const chunk = Buffer.alloc(1 << 20, " ");
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on("drain", more);
    more();
  });
  const exchange = await postJson(endless.url, new Uint8Array(), { timeoutMs: 30_000, maxBytes: 2 ** 21 });
  assert.deepEqual(exchange, { ok: false, why: "too_large", detail: "" });
  const outcome = await svc(march(endless.url));
  assert.match(said(outcome), /its answer is larger than 64 MiB/);
  assert.deepEqual([outcome.code, outcome.stdout], [70, ""]);
});

test("an answer in a content coding, which was not asked for, is refused and not decoded", async (t) => {
  let asked: unknown;
  const { url } = await serverThat(t, (request, response) => {
    asked = request.headers["accept-encoding"];
    response.writeHead(200, { "content-encoding": "gzip, gzip" }).end(gzipSync(gzipSync(Buffer.alloc(1 << 20))));
  });
  const exchange = await postJson(url, new Uint8Array(), { timeoutMs: 30_000, maxBytes: 2 ** 30 });
  assert.deepEqual([exchange, asked], [{ ok: false, why: "coded", detail: "gzip, gzip" }, "identity"]);
  const outcome = await svc(march(url));
  assert.match(said(outcome), /its answer is in the content coding "gzip, gzip", which was not asked for/);
  assert.deepEqual([outcome.code, outcome.stdout], [70, ""]);
});

test("what a server says cannot act on the terminal", async (t) => {
  const report = {
    ok: false,
    verdict: "rejected",
    kind: "bundle",
    subject: { id: "\u001b[2J" },
    signers: [{ kid: "\u001b[3J", fingerprint: null, role: "\u001bc", reached: "none" }],
    checks: [{ id: "\u009b1m", status: "fail" }],
    problems: [{ code: "\u001b]0;x\u0007", path: "/\u202e", message: "\u001b[31m", action: "" }],
    proves: [],
    does_not_prove: [],
  };
  const { url } = await serverThat(t, (_request, response) => response.end(JSON.stringify(report)));
  const { stdout, code } = await svc(march(url));
  assert.doesNotMatch(stdout, /[\p{Cf}\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
  assert.equal(code, 1);
});

const calls: readonly (readonly [name: string, args: readonly string[], message: RegExp])[] = [
  ["no server", ["bundles", "verify", "--file", "march.bundle.json"], /No server is named/],
  ["no address", march("evidence.example"), /--server is no address of a server/],
  ["a password in it", march("https://a:b@evidence.example"), /--server is no address/],
  ["--local without trust", march("http://127.0.0.1:9", "--local"), /--local verifies under your own trust/],
];
for (const [name, args, message] of calls)
  test(`refused before anything is sent: ${name}`, async () => {
    const outcome = await svc(args);
    assert.match(said(outcome), message);
    assert.deepEqual([outcome.code, outcome.stdout], [64, ""]);
  });
