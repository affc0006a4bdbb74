/** The proxy for tests passes bytes unchanged, and does to connections only what a test asks for. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { Client } from "pg";
import { startProxy } from "../src/network.ts";
import { NO_POSTGRES, sharedPostgres } from "../src/postgres.ts";
import { until } from "../src/until.ts";

const limited = { timeout: 20_000 };

/** Starts a server that sends back what it gets, and ends when its client does; `got` is all that it has read. */
async function startEcho(t: TestContext) {
  const echo = { got: "", host: "127.0.0.1", port: 0, sockets: [] as Socket[] };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    echo.sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      echo.got += chunk.toString("latin1");
    });
    socket.pipe(socket);
  }).listen(0, echo.host);
  await once(server, "listening");
  t.after(() => {
    for (const socket of echo.sockets) socket.destroy();
    server.close();
  });
  echo.port = (server.address() as AddressInfo).port;
  return echo;
}

async function client(t: TestContext, to: { readonly host: string; readonly port: number }): Promise<Socket> {
  const socket = connect({ host: to.host, port: to.port, allowHalfOpen: true });
  t.after(() => socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Resolves to the error's code when the connection ends by one. */
async function reset(socket: Socket): Promise<string> {
  const [error] = await once(socket, "error");
  return error.code;
}

/** Resolves to what the socket sends back for a text. */
async function answer(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [chunk] = await once(socket, "data");
  return `${chunk}`;
}

test("bytes pass unchanged, both ways, and each direction ends by itself", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const bytes = randomBytes(5_000_000);
  const socket = await client(t, proxy);
  const answered = buffer(socket);
  socket.end(bytes);
  assert.ok((await answered).equals(bytes));
  await until("no connection is open", async () => (proxy.open === 0 ? true : null));
});

test("chunks keep their order when the delay changes", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const socket = await client(t, proxy);
  proxy.delay(100);
  assert.equal(await answer(socket, "slow"), "slow");
  const answered = buffer(socket);
  socket.write("one");
  await until("the proxy has it", async () => (proxy.waitingBytes === 3 ? true : null));
  proxy.delay(0);
  socket.end("two");
  assert.equal((await answered).toString(), "onetwo");
});

test("cut resets open connections on both sides; new ones pass", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const socket = await client(t, proxy);
  assert.equal(await answer(socket, "a"), "a");
  const [atServer] = echo.sockets;
  assert.ok(atServer !== undefined);
  const resets = Promise.all([reset(socket), reset(atServer)]);
  proxy.cut();
  assert.deepEqual(await resets, ["ECONNRESET", "ECONNRESET"]);
  assert.equal(await answer(await client(t, proxy), "b"), "b");
});

test("new connections are refused as told, on the same port; open ones stay", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const socket = await client(t, proxy);
  for (let turn = 0; turn < 3; turn += 1) {
    await proxy.refuse(true);
    await assert.rejects(client(t, proxy), { code: "ECONNREFUSED" });
    assert.equal(await answer(socket, "still"), "still");
    await proxy.refuse(false);
    assert.equal(await answer(await client(t, proxy), "new"), "new");
  }
});

test("held bytes stay, and pass when they are released; so does the client's end", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const socket = await client(t, proxy);
  assert.equal(await answer(socket, "a"), "a");
  proxy.hold();
  socket.write("b");
  await until("the proxy has it", async () => (proxy.waitingBytes === 1 ? true : null));
  // A system takes a connection while its programs sleep.
  const other = await client(t, proxy);
  const answered = buffer(other);
  other.end("c");
  assert.equal(await answer(await client(t, echo), "direct"), "direct");
  assert.equal(echo.got, "adirect");
  // A client that gives up does so without the server's knowledge.
  socket.resetAndDestroy();
  proxy.release();
  assert.equal((await answered).toString(), "c");
  await until("the server has what was sent before", async () =>
    "abdirectc".length === echo.got.length ? true : null,
  );
  await until("the server's connection ended", async () => (proxy.open === 0 ? true : null));
});

test("a server that is away resets its clients", limited, async (t) => {
  const echo = await startEcho(t);
  const away = await startProxy(t, echo);
  const proxy = await startProxy(t, away);
  await away.refuse(true);
  const socket = await client(t, proxy);
  assert.equal(await reset(socket), "ECONNRESET");
});

const isCommit = (chunk: Buffer) => chunk.includes("COMMIT");

/** Starts a transaction through the proxy, with one row. */
async function inserted(t: TestContext) {
  const server = await sharedPostgres();
  const url = await server.newDatabase({ until: t });
  const name = new URL(url).pathname.slice(1);
  await server.run("CREATE TABLE t (n int)", name);
  const proxy = await startProxy(t, server);
  const session = new Client({ connectionString: proxy.through(url) });
  session.on("error", () => undefined);
  await session.connect();
  await session.query("BEGIN");
  await session.query("INSERT INTO t VALUES ($1)", [1]);
  return { proxy, session, rows: () => server.run("SELECT n FROM t", name) };
}

test("a swallowed answer: the row is committed, and the client does not know", {
  ...limited,
  skip: NO_POSTGRES,
}, async (t) => {
  const { proxy, session, rows } = await inserted(t);
  const swallowed = proxy.swallow(isCommit, isCommit);
  await assert.rejects(session.query("COMMIT"), { code: "ECONNRESET" });
  await swallowed;
  assert.deepEqual(await rows(), [{ n: 1 }]);
});

test("a lost commit looks the same to the client: there is no row", { ...limited, skip: NO_POSTGRES }, async (t) => {
  const { proxy, session, rows } = await inserted(t);
  const lost = proxy.lose(isCommit);
  await assert.rejects(session.query("COMMIT"), { code: "ECONNRESET" });
  await lost;
  assert.deepEqual(await rows(), []);
});

test("an answer that never came is not called swallowed", limited, async (t) => {
  const echo = await startEcho(t);
  const proxy = await startProxy(t, echo);
  const socket = await client(t, proxy);
  socket.on("error", () => undefined);
  const swallowed = proxy.swallow(
    (chunk) => chunk.includes("ask"),
    () => false,
  );
  const rejected = assert.rejects(swallowed, /before the server answered/);
  socket.write("ask");
  await until("the server has it", async () => (echo.got === "ask" ? true : null));
  echo.sockets[0]?.resetAndDestroy();
  await rejected;
});

/** Resets a connection in the moment in which it ends, and has nothing more to do. */
const RESETS = `
import { connect, createServer } from "node:net";
import { resetConnection } from ${JSON.stringify(new URL("../src/network.ts", import.meta.url).href)};
const server = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1", () => {
  const client = connect(server.address().port, "127.0.0.1", () => {
    client.on("error", () => undefined);
    client.end();
    queueMicrotask(() => process.nextTick(() => {
      resetConnection(client);
      server.close();
    }));
  });
});
`;

test("a process that has reset a connection while it ended comes to its end", () => {
  const words = ["--input-type=module", "--eval", RESETS];
  const { status, signal, stderr } = spawnSync(process.execPath, words, { timeout: limited.timeout, encoding: "utf8" });
  assert.deepEqual([status, signal], [0, null], stderr);
});
