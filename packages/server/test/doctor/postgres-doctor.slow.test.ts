/** doctor on a deployment whose database is on PostgreSQL: what the server says of its pages and its archived log. */
import assert from "node:assert/strict";
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Finding } from "@svc/host/checks";
import { ON_NAMED } from "@svc/testkit/drivers";
import { archived } from "@svc/testkit/postgres-backup";
import { command } from "@svc/testkit/server/child-process";
import { until } from "@svc/testkit/until";
import { deployment } from "../backup/recovered-deployment.ts";

const PAGE_BYTES = 8192;

test("the archived log: whether there is one, how far it goes, and that it fails", ON_NAMED, async (t) => {
  const { data, server, archive, environment } = await deployment(t);
  const look = async () => {
    const { out, err } = await command(["doctor", "--json", "--data", data], environment);
    const findings: Finding[] = JSON.parse(out || err).findings;
    assert.match(findings.find(({ check }) => check === "pages")?.says ?? "", /have checksums, and none has failed/);
    const found = findings.find(({ check }) => check === "log archive");
    return `${found?.state} ${found?.says}`;
  };
  assert.match(await look(), /^warn nothing has been archived yet/);
  await archived(server, archive);
  assert.match(await look(), /^ok 00000001[0-9A-F]{16} was archived \d{4}-.*Z; a recovery can go on to there$/);
  await server.configure({ archive_command: "false" });
  await server.run("SELECT pg_logical_emit_message(true, 'test', ''); SELECT pg_switch_wal()");
  const fails = await until("the server notices", async () => {
    const says = await look();
    return says.startsWith("warn") ? says : null;
  });
  assert.match(fails, /^warn 00000001[0-9A-F]{16} could not be archived, so that a recovery would end before it/);
  await server.configure({ archive_mode: "off" });
  await server.stop("fast");
  await server.start();
  assert.match(await look(), /^ok missing: a recovery ends where its base backup does$/);
});

test("a page that the server's disk has damaged is a failure", ON_NAMED, async (t) => {
  const { data, server, environment } = await deployment(t);
  const [table] = await server.run("SELECT pg_relation_filepath('tenants') AS path", "svc");
  await server.stop("fast");
  const file = openSync(join(server.dataFolder, `${table?.path}`), "r+");
  writeSync(file, Buffer.alloc(16, 0x55), 0, 16, PAGE_BYTES - 16);
  closeSync(file);
  await server.start();
  const found = await until("the server has counted it", async () => {
    await assert.rejects(server.run("SELECT * FROM tenants", "svc"), /invalid page/);
    const { code, out } = await command(["doctor", "--json", "--data", data], environment);
    assert.equal(code, 1);
    const findings: Finding[] = JSON.parse(out).findings;
    return findings.find(({ check, state }) => check === "pages" && state === "fail") ?? null;
  });
  assert.match(found.says, /^\d+ of the database's pages were not as they had been written\. Look to the disk/);
});
