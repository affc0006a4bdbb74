/**
 * Requests to URLs that tenants name: a listener on this machine proves that nothing arrives that must not, in whatever
 * form its address is written, and whatever a name says the first time and the next.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer } from "node:net";
import { type TestContext, test } from "node:test";
import {
  GuardedEgress,
  GuardedError,
  type GuardedFault,
  isPublic,
  type Network,
  networkOf,
  type Resolve,
} from "../../src/egress/index.ts";

const LOOPBACK: readonly Network[] = [networkOf("127.0.0.0/8") ?? assert.fail()];
const nobody: Resolve = () => assert.fail("no name is asked");

/** A listener of both families that counts connections. */
async function counting(t: TestContext) {
  let arrived = 0;
  const server = createSocketServer((socket) => {
    arrived += 1;
    socket.destroy();
  }).listen(0, "::");
  await once(server, "listening");
  t.after(() => server.close());
  return { port: (server.address() as AddressInfo).port, arrived: () => arrived };
}

async function serving(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const get = (egress: GuardedEgress, url: string) => egress.send({ url: new URL(url), method: "GET", body: "" });

async function assertFault(sent: Promise<unknown>, fault: GuardedFault, what: string): Promise<void> {
  await assert.rejects(
    sent,
    (error) => {
      assert.ok(error instanceof GuardedError, `${what}: ${error}`);
      assert.equal(error.fault, fault, `${what}: ${error.message}`);
      return true;
    },
    what,
  );
}

/** Addresses that are not public, each in many forms. */
const HOSTS = [
  ...["127.0.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.1."],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["0.0.0.0", "[::]", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]"],
  ...["100.64.0.1", "192.0.0.1", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "240.0.0.1"],
  ...[
    "[2002:7f00:1::]",
    "[2001:db8::1]",
    "[2001::1]",
    "[ff02::1]",
    "[fec0::1]",
    "[4000::1]",
    "[100::1]",
    "[3fff::1]",
    "[2001:2::1]",
  ],
] as const;

test("an address that is not public is refused in every form, and nothing arrives", async (t) => {
  const { port, arrived } = await counting(t);
  const egress = new GuardedEgress([], nobody);
  for (const host of HOSTS) {
    const url = `https://${host}:${port}/path`;
    assert.match(egress.faultOf(url) ?? "", /is not public|a host with a dot/, url);
    await assertFault(get(egress, url), "address_forbidden", url);
  }
  assert.equal(arrived(), 0);
});

test("a name is refused if any of its addresses is not public, also one that it has a moment later", async (t) => {
  const { port, arrived } = await counting(t);
  const url = `https://hooks.example.com:${port}/`;
  for (const addresses of [
    ["127.0.0.1"],
    ["93.184.215.14", "127.0.0.1"],
    ["::ffff:10.0.0.1", "93.184.215.14"],
    ["169.254.169.254"],
    ["fe80::1%lo"],
    ["not an address"],
  ]) {
    const egress = new GuardedEgress([], async () => addresses);
    assert.equal(egress.faultOf(url), null);
    await assertFault(get(egress, url), "address_forbidden", addresses.join());
  }
  // The name is asked once: a second answer, for the connection itself, would be the gap.
  const answers = [["127.0.0.1"], ["10.0.0.1"]];
  let asked = 0;
  const rebound = new GuardedEgress(LOOPBACK, async () => answers[asked++] ?? []);
  await assertFault(get(rebound, url), "unreachable", "a TLS connection to what speaks none");
  assert.deepEqual([asked, arrived()], [1, 1], "it went to the address that was looked at");
});

test("a name that does not exist, or never answers, is unreachable", async () => {
  const url = "https://hooks.example.com/";
  const none = new GuardedEgress([], async () => []);
  await assertFault(get(none, url), "unreachable", "no address");
  const fails = new GuardedEgress([], () => Promise.reject(new Error("queryA ENOTFOUND")));
  await assertFault(get(fails, url), "unreachable", "no name");
  const cut = new AbortController();
  const silent = new GuardedEgress([], () => new Promise(() => undefined));
  const sent = silent.send({ url: new URL(url), method: "GET", body: "", signal: cut.signal });
  cut.abort();
  await assertFault(sent, "unreachable", "cut off by the caller");
});

test("what a URL says is checked when it is saved, and again when it is asked", async () => {
  const egress = new GuardedEgress([], nobody);
  for (const [url, says] of [
    ["", /must be a URL/],
    ["hooks.example.com", /must be a URL/],
    ["http://hooks.example.com/", /must begin with https/],
    ["ftp://hooks.example.com/", /must begin with https/],
    ["https://me@hooks.example.com/", /no user/],
    ["https://:secret@hooks.example.com/", /no user/],
    ["https://hooks.example.com/#part", /no fragment/],
    ["https://hooks.example.com/#", /no fragment/],
    ["https://hooks.example.com:25/", /port 443/],
    ["https://hooks.example.com:1023/", /port 443/],
    ["https://localhost/", /a dot/],
    ["https://localhost./", /a dot/],
    [`https://hooks.example.com/${"x".repeat(2048)}`, /2048 characters/],
  ] as const) {
    assert.match(egress.faultOf(url) ?? "", says, url);
    if (URL.canParse(url)) await assertFault(get(egress, url), "address_forbidden", url);
  }
  for (const url of ["https://hooks.example.com/", "https://hooks.example.com:8443/a?b=c", "https://93.184.215.14/"])
    assert.equal(egress.faultOf(url), null, url);
});

test("an allowed network is reached without TLS too, and no other is", async (t) => {
  const seen: string[] = [];
  const port = await serving(t, (request, response) => {
    seen.push(
      `${request.method} ${request.headers.host} ${request.headers["x-own"]} ${request.headers["accept-encoding"]}`,
    );
    request.pipe(response.setHeader("content-encoding", "gzip"));
  });
  const egress = new GuardedEgress(LOOPBACK, async (name) => [name === "inside.example" ? "127.0.0.1" : "10.0.0.1"]);
  const url = new URL(`http://127.0.0.1:${port}/`);
  const answer = await egress.send({ url, method: "POST", headers: { "x-own": "1" }, body: "as it was sent" });
  assert.deepEqual([answer.status, answer.body.toString(), answer.isCut], [200, "as it was sent", false]);
  const named = await egress.send({ url: new URL(`http://inside.example:${port}/`), method: "POST", body: "x" });
  assert.equal(named.body.toString(), "x");
  assert.deepEqual(seen, [`POST 127.0.0.1:${port} 1 undefined`, `POST inside.example:${port} undefined undefined`]);
  await assertFault(get(egress, `http://outside.example:${port}/`), "address_forbidden", "a name elsewhere");
  await assertFault(get(egress, `http://10.0.0.1:${port}/`), "address_forbidden", "an address elsewhere");
  assert.match(egress.faultOf("http://93.184.215.14/") ?? "", /must begin with https/);
});

test("redirects are not followed, long bodies are cut off, and what is no HTTP is said", async (t) => {
  const egress = new GuardedEgress(LOOPBACK, nobody);
  const port = await serving(t, (request, response) => {
    if (request.url === "/away") response.writeHead(302, { location: "http://127.0.0.1/" }).end();
    else if (request.url === "/headers") response.setHeader("x-long", "x".repeat(17 * 1024)).end();
    else response.writeHead(410).end("x".repeat(100_000));
  });
  await assertFault(get(egress, `http://127.0.0.1:${port}/away`), "redirected", "a redirect");
  await assertFault(get(egress, `http://127.0.0.1:${port}/headers`), "answer_malformed", "long headers");
  const { status, body, isCut } = await get(egress, `http://127.0.0.1:${port}/`);
  assert.deepEqual([status, body.length, isCut], [410, 64 * 1024, true]);
  const noise = createSocketServer((socket) => socket.end("nonsense\r\n\r\n")).listen(0, "127.0.0.1");
  await once(noise, "listening");
  t.after(() => noise.close());
  const { port: noisy } = noise.address() as AddressInfo;
  await assertFault(get(egress, `http://127.0.0.1:${noisy}/`), "answer_malformed", "no HTTP");
  const closed = `http://127.0.0.1:${port}/never`;
  const cut = new AbortController();
  cut.abort();
  await assertFault(
    egress.send({ url: new URL(closed), method: "GET", body: "", signal: cut.signal }),
    "unreachable",
    "cut off before it began",
  );
});

test("a network is an address and the bits that its addresses share", () => {
  for (const wrong of [
    "",
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/08",
    "10.0.0/8",
    "::1/129",
    "fe80::1%lo/64",
    "1.2.3.4/8/8",
    "ten/8",
  ])
    assert.equal(networkOf(wrong), null, wrong);
  const egress = new GuardedEgress(
    ["10.0.0.0/8", "fd00::/8", "192.0.2.7"].map((text) => networkOf(text) ?? assert.fail(text)),
    nobody,
  );
  for (const host of ["10.9.8.7", "[fd00::1]", "192.0.2.7", "[::ffff:10.0.0.1]"])
    assert.equal(egress.faultOf(`http://${host}/`), null, host);
  for (const host of ["11.0.0.1", "[fc00::1]", "192.0.2.8"])
    assert.notEqual(egress.faultOf(`https://${host}:4430/`) ?? egress.faultOf(`http://${host}/`), null, host);
  for (const address of ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"])
    assert.ok(isPublic(address), address);
});
