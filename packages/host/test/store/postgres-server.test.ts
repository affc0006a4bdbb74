/** A server that is not fit is refused in one line, with what to do; the password is in none. */

import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { freePort } from "@svc/testkit/free-port";
import { startPostgres } from "@svc/testkit/postgres";
import { StoreUnavailable } from "../../src/store/database.ts";
import type { Risk } from "../../src/store/postgres-backend.ts";
import { requireServer, UnfitServer } from "../../src/store/postgres-server.ts";

test("an error about an unfit server says what to do about it", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const { password } = new URL(url);
  const { version, taken } = await requireServer({ url, risks: [] });
  assert.match(version, /^18\./);
  assert.deepEqual(taken, []);

  const refused = async (wrong: string, words: RegExp, Fault: new (...values: never[]) => Error = UnfitServer) =>
    assert.rejects(requireServer({ url: wrong, risks: [] }), (error) => {
      assert.ok(error instanceof Fault, `${error}`);
      assert.match(error.message, words);
      assert.ok(!error.message.includes(password) && !error.message.includes("\n"), error.message);
      return true;
    });
  const changed = (change: (at: URL) => void) => {
    const at = new URL(url);
    change(at);
    return at.href;
  };
  await refused("postgres://", /no address of a database.*must be like/);
  await refused(
    changed((at) => (at.password = "wrong")),
    /refuses the user postgres.*Correct/,
  );
  await refused(
    changed((at) => (at.pathname = "/nowhere")),
    /no database nowhere.*CREATE DATABASE nowhere/,
  );
  await refused(
    changed((at) => (at.username = "")),
    /host, user and database/,
  );
  const closed = await freePort();
  await refused(
    changed((at) => (at.port = `${closed}`)),
    /ECONNREFUSED.*Start it, or correct/,
    StoreUnavailable,
  );

  const latin = await server.newDatabase({ encoding: "LATIN1", locale: "C" });
  await refused(latin, /encoding LATIN1, and UTF8 is needed.*CREATE DATABASE/);
  await server.run("CREATE DATABASE german TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'de' LOCALE 'C'");
  await refused(
    changed((at) => (at.pathname = "/german")),
    /sorts texts by de.*by their bytes.*CREATE DATABASE/,
  );
  await server.run("CREATE USER weak PASSWORD 'weak'");
  await refused(
    changed((at) => Object.assign(at, { username: "weak", password: "weak" })),
    /may make no tables.*GRANT/,
  );
});

test("a server that can lose what it has answered is refused, unless the risk is named", ON_NAMED, async (t) => {
  const server = await startPostgres(t, { settings: { synchronous_commit: "off", fsync: "off" } });
  const url = await server.newDatabase();
  const ask = (...risks: Risk[]) => requireServer({ url, risks });
  await assert.rejects(ask(), /synchronous_commit = off and fsync = off.*SVC_DATABASE_RISKS=synchronous_commit,fsync/);
  await assert.rejects(ask("fsync"), /has synchronous_commit = off: /);
  assert.deepEqual((await ask("fsync", "synchronous_commit")).taken, ["synchronous_commit", "fsync"]);
});

test("a peer that answers nothing, or no PostgreSQL, counts as one that cannot be reached", async (t) => {
  for (const answer of ["", "HTTP/1.1 400 Bad Request\r\n\r\n"]) {
    const peer = createServer((socket) => void socket.on("error", () => undefined).end(answer));
    await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
    t.after(() => peer.close());
    const { port } = peer.address() as { port: number };
    await assert.rejects(requireServer({ url: `postgres://a:secret@127.0.0.1:${port}/b`, risks: [] }), (error) => {
      assert.ok(error instanceof StoreUnavailable, `${error}`);
      assert.ok(!error.message.includes("secret"));
      return true;
    });
  }
});
