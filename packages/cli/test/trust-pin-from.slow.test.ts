/**
 * `svc trust pin-from` against a running `svc-server`, on a real terminal and without one; and against servers that
 * answer wrongly.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startChild } from "@svc/testkit/server/child-process";
import { FOLDER, KEY, type Outcome, svc } from "./svc.ts";
import { NO_TERMINAL, onTerminal } from "./terminal.ts";

interface KeysAnswer {
  readonly origin: string;
  readonly keys: readonly { readonly kid: string; readonly public_key_hex: string }[];
}

const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const isThere = (name: string) => existsSync(join(FOLDER, name));
const signersIn = (name: string) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")).signers;

test("pin-from takes a running server's key and origin once its fingerprint was compared", {
  skip: NO_TERMINAL,
}, async (t) => {
  const { url } = await startChild(t, join(FOLDER, "data"));
  const { origin, keys } = (await (await fetch(`${url}/v2/keys`)).json()) as KeysAnswer;
  const { kid, public_key_hex } = keys[0] ?? assert.fail("a server has a key");
  const pinFrom = (file: string, ...more: string[]) => ["trust", "pin-from", url, "--trust", file, ...more];

  const silent = await svc(pinFrom("silent.json"));
  assert.equal(silent.code, 64);
  assert.match(said(silent), /standard input is no terminal\. Nothing was pinned\..*--yes/);
  assert.ok(!isThere("silent.json"));

  for (const answer of ["\n", "n\n", "\u0004"]) {
    const refused = await onTerminal("[y/N] ", answer, pinFrom("refused.json"));
    assert.equal(refused.code, 64);
    assert.match(refused.stdout, /\[y\/N\] [\s\S]*Nothing was pinned/);
    assert.ok(!isThere("refused.json"));
  }

  const agreed = await onTerminal("[y/N] ", "y\n", pinFrom("agreed.json", "--name", "acme 2026"));
  assert.equal(agreed.code, 0, agreed.stdout);
  assert.ok(agreed.stdout.includes(kid.slice("ed25519-".length).replace(/(.{4})(?=.)/g, "$1 ")));
  assert.match(agreed.stdout, /came over the network\. It is only as good\s+as\s+the\s+comparison/);
  assert.deepEqual(signersIn("agreed.json"), [{ kid, public_key_hex, origin }]);
  assert.deepEqual(JSON.parse(readFileSync(join(FOLDER, "agreed.json.names"), "utf8")), { [kid]: "acme 2026" });

  const told = await svc(pinFrom("told.json", "--yes"));
  assert.deepEqual([told.code, told.stderr], [0, ""]);
  assert.deepEqual(signersIn("told.json"), [{ kid, public_key_hex, origin }]);
});

/** Starts a server with given answers, for those that no svc-server gives. */
async function answering(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const key = { kid: "ed25519-4c869819ecf028ae", public_key_hex: KEY, status: "current" };
const wrong: readonly (readonly [name: string, body: string, message: RegExp])[] = [
  ["no JSON", "<html>", /something else than JSON/],
  ["null", "null", /not an origin and keys/],
  ["no keys", JSON.stringify({ origin: "a.example" }), /not an origin and keys/],
  ["an invalid origin", JSON.stringify({ origin: "https://a.example", keys: [key] }), /not an origin and keys/],
  [
    "a kid of another key",
    JSON.stringify({ origin: "a.example", keys: [{ ...key, kid: "ed25519-0000000000000000" }] }),
    /not an origin and keys/,
  ],
  [
    "no current key",
    JSON.stringify({ origin: "a.example", keys: [{ ...key, status: "past" }] }),
    /states 0 current keys/,
  ],
  ["two current keys", JSON.stringify({ origin: "a.example", keys: [key, key] }), /states 2 current keys/],
  ["more than is read", `"${"x".repeat(2 * 1024 ** 2)}"`, /larger than 1 MiB/],
];
for (const [name, body, message] of wrong) {
  test(`an answer that is refused: ${name}`, async (t) => {
    const url = await answering(t, (_request, response) => response.end(body));
    const outcome = await svc(["trust", "pin-from", url, "--yes", "--trust", "wrong.json"]);
    assert.deepEqual([outcome.code, outcome.stdout], [66, ""]);
    assert.match(said(outcome), message);
    assert.ok(!isThere("wrong.json"));
  });
}

test("a redirect is not followed, and an invalid address is refused", async (t) => {
  const elsewhere = await answering(t, (_request, response) =>
    response.end(JSON.stringify({ origin: "a.example", keys: [key] })),
  );
  const url = await answering(t, (_request, response) => response.writeHead(302, { location: elsewhere }).end());
  const moved = await svc(["trust", "pin-from", url, "--yes", "--trust", "moved.json"]);
  assert.equal(moved.code, 66);
  assert.match(said(moved), /did not tell its keys: it redirects to .*, which svc does not follow/);
  for (const address of ["evidence.example", "file:///etc/passwd", "http://user:word@127.0.0.1:1"]) {
    const outcome = await svc(["trust", "pin-from", address, "--yes", "--trust", "moved.json"]);
    assert.equal(outcome.code, 64);
    assert.match(said(outcome), /is no address of a service/);
  }
  assert.ok(!isThere("moved.json"));
});
