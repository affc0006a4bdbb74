/** doctor: it finds nothing in a deployment in order, and names each fault with the next step. */

import assert from "node:assert/strict";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Finding } from "@svc/host/checks";
import { systemClock } from "@svc/host/clock";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { environmentOf } from "@svc/testkit/server/folder-database";
import { makeDeployment, openDatabaseOf } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { runDoctor } from "../../src/doctor/run-doctor.ts";
import { kernel } from "../../src/kernel.ts";
import { newSigningKeyPem } from "../../src/signing/file-signer.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

/** The settings of a deployment in order. */
const IN_ORDER = {
  SVC_PORT: "0",
  SVC_METRICS_PORT: "0",
  SVC_API_URL: "https://api.example",
  SVC_TRUSTED_PROXIES: "127.0.0.1",
};

async function deployment(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const ofDatabase = await environmentOf(folder);
  const look = (environment: Record<string, string> = {}, now = systemClock()) =>
    runDoctor(
      THIN_SERVER,
      { ...IN_ORDER, ...ofDatabase, SVC_DATA: folder, ...environment },
      {},
      { kernel, clock: () => now },
    );
  const change = async (sql: string) => {
    const database = await openDatabaseOf(t, folder);
    await database.write((writer) => writer.script(sql));
    await database.close();
  };
  return { folder, made, look, change };
}

function notOk(findings: readonly Finding[]): string[] {
  return findings.filter(({ state }) => state !== "ok").map(({ state, check }) => `${state} ${check}`);
}

/** The test's disk may be a slow one, or none. */
const besideDisk = (findings: readonly Finding[]) =>
  findings.filter(({ check }) => check !== "fsync" && check !== "disk");

test("a deployment in order: every check says ok, with a server on it or without, and leaves nothing behind", async (t) => {
  const { folder, look } = await deployment(t);
  const before = readdirSync(folder).sort();
  const findings = await look();
  assert.deepEqual(notOk(besideDisk(findings)), []);
  assert.match(findings.find(({ check }) => check === "fsync")?.says ?? "", /^\d+\.\d\d ms \(median of 25\)/);
  // SQLite leaves its own two files behind a connection that only reads.
  const after = readdirSync(folder).filter((name) => !/^svc\.db-(?:wal|shm)$/.test(name));
  assert.deepEqual(after.sort(), before);
  const { url } = await startChild(t, folder, IN_ORDER);
  const { code, out, err } = await command(["doctor", "--data", folder, "--json"], {
    ...IN_ORDER,
    SVC_PORT: new URL(url).port,
  });
  assert.equal(code, 0, err);
  const said = JSON.parse(out).findings as Finding[];
  assert.match(said.find(({ check }) => check === "lock")?.says ?? "", /^a server runs/);
  assert.match(said.find(({ check }) => check === "port")?.says ?? "", /is in use, as it must be/);
});

test("each thing that is wrong has its own line, with what to do", async (t) => {
  const now = systemClock();
  const pin = join(temporaryFolder(), "pin");
  writeFileSync(pin, "1234", { mode: 0o600 });
  type Here = Awaited<ReturnType<typeof deployment>>;
  const cases: [string, (here: Here) => void, RegExp, Record<string, string>?][] = [
    [
      "fail permissions",
      ({ folder }) => chmodSync(join(folder, "pepper"), 0o640),
      /pepper has mode 0640\. Run: chmod 0600/,
    ],
    ["fail permissions", ({ folder }) => chmodSync(folder, 0o755), /mode 0755\. Run: chmod 0700/],
    ["fail sealing key", ({ folder }) => rmSync(join(folder, "signing-key.pem")), /holds none.*back/],
    [
      "fail progress",
      ({ folder }) =>
        writeFileSync(
          join(folder, "progress.json"),
          '{"stream_event_id":"sev_x","event_hash":"aa","received_at":"then"}',
          { mode: 0o600 },
        ),
      /sev_x.*accept-loss/,
    ],
    [
      "warn witness",
      ({ change }) => change("INSERT INTO epochs VALUES (1, 'anc_1', 1, '2026-03-01T00:00:00.000Z', '', '{}')"),
      /witness\.db remembers nothing.*put the file back/,
    ],
    [
      "warn clock",
      ({ change }) => change("UPDATE streams SET last_received_at = '2999-01-01T00:00:00.000Z'"),
      /set back/,
    ],
    [
      "warn sealing key",
      ({ change }) => change("UPDATE signing_keys SET valid_from = '2020-01-01T00:00:00.000Z'"),
      /rotate-signing/,
    ],
    [
      "warn system keys",
      ({ change }) => change(`UPDATE credentials SET expires_at = '${new Date(now + 86_400_000).toISOString()}'`),
      /ends at .* keys rotate key_/,
    ],
    [
      "warn outbox",
      ({ change, made }) =>
        change(
          `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, ` +
            `next_attempt_at, last_error) VALUES ('o', '${made.tenant_id}', 'k', 's', '{}', 'then', 9, 'then', 'no ` +
            `route')`,
        ),
      /after 9 attempts: no route/,
    ],
    [
      "warn sealer",
      ({ change }) => change("UPDATE streams SET window_count = 5000"),
      /5000 windows without a checkpoint/,
    ],
    [
      "fail schema",
      ({ change }) => change("INSERT INTO schema_migrations VALUES (999, 'later', 'then')"),
      /version 999/,
    ],
    [
      "warn origin",
      ({ change }) => change("UPDATE service SET evidence_origin = 'localhost/abc'"),
      /trying things out/,
    ],
    ["warn origin", () => undefined, /SVC_ORIGIN says other\.example/, { SVC_ORIGIN: "other.example" }],
    [
      "fail proxy",
      () => undefined,
      /plain HTTP/,
      { SVC_HOST: "0.0.0.0", SVC_TRUSTED_PROXIES: "", SVC_METRICS_TOKEN: "sixteen-letters!" },
    ],
    ["warn public URL", () => undefined, /SVC_API_URL/, { SVC_API_URL: "" }],
    ["warn metrics", () => undefined, /SVC_METRICS_PORT/, { SVC_METRICS_PORT: "" }],
    [
      "warn progress",
      ({ change }) => change("UPDATE streams SET last_received_at = '2026-01-01T00:00:00.000Z'"),
      /progress\.json is not there.*older database/,
    ],
    [
      "warn permissions",
      () => chmodSync(pin, 0o644),
      /pin, with the PIN, has mode 0644/,
      {
        SVC_PKCS11_MODULE: "/none.so",
        SVC_PKCS11_TOKEN: "t",
        SVC_PKCS11_KEY: "k",
        SVC_PKCS11_PIN_FILE: pin,
      },
    ],
    [
      "fail database",
      ({ folder }) => writeFileSync(join(folder, "svc.db"), ""),
      /holds no deployment: it was emptied or replaced\. Put it back from a backup/,
    ],
    [
      "fail endorsements",
      ({ folder }) => writeFileSync(join(folder, "key-endorsements.json"), "{}", { mode: 0o600 }),
      /key-endorsements\.json is damaged\. Put it back/,
    ],
    [
      "fail endorsements",
      ({ folder }) => writeFileSync(join(folder, "key-endorsements.json"), "garbage", { mode: 0o600 }),
      /is damaged/,
    ],
    [
      "warn place",
      ({ folder }) => {
        const place = { device: "1", inode: "2", machine_id: null };
        writeFileSync(join(folder, "place.json"), JSON.stringify(place), { mode: 0o600 });
      },
      /another file system, another database file/,
    ],
    ["warn configuration", () => undefined, /SVC_PROT is set/, { SVC_PROT: "80" }],
  ];
  for (const [expected, spoil, says, environment = {}] of cases) {
    const here = await deployment(t);
    await spoil(here);
    const findings = besideDisk(await here.look(environment, now));
    assert.ok(notOk(findings).includes(expected), `${expected}: ${JSON.stringify(notOk(findings))}`);
    const [state, ...check] = expected.split(" ");
    const found = findings.filter((one) => one.state === state && one.check === check.join(" "));
    assert.ok(
      found.some((one) => says.test(one.says)),
      JSON.stringify(found),
    );
  }
});

test("files that do not belong together and a taken port are failures", async (t) => {
  const { folder, look } = await deployment(t);
  const witness = readFileSync(join(folder, "witness-key.pem"));
  writeFileSync(join(folder, "witness-key.pem"), newSigningKeyPem());
  assert.deepEqual(notOk(besideDisk(await look())), ["fail folder's files"]);
  writeFileSync(join(folder, "witness-key.pem"), witness);

  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  t.after(() => taken.close());
  const { port } = taken.address() as { port: number };
  assert.deepEqual(notOk(besideDisk(await look({ SVC_PORT: `${port}` }))), ["fail port"]);
});

test("a damaged database is a failure", ON_FILE, async (t) => {
  const { folder, look } = await deployment(t);
  const bytes = readFileSync(join(folder, "svc.db"));
  writeFileSync(join(folder, "svc.db"), bytes.fill(0x55, 4096, 40_960));
  assert.ok(notOk(besideDisk(await look())).includes("fail database"));
});

test("mistakes in the settings are all told, and then nothing is looked at under other ones", async (t) => {
  const { look } = await deployment(t);
  const findings = await look({ SVC_LOG_LEVEL: "loud", SVC_SEAL_INTERVAL_MS: "x" });
  assert.deepEqual(notOk(findings), ["fail configuration", "fail configuration", "warn all else"]);
  const { code, out, err } = await command(["doctor", "--data", join(temporaryFolder(), "none")]);
  assert.equal(code, 1);
  assert.match(out, /fail {2}data folder .*holds no deployment/);
  assert.match(err, /1 of \d+ fail, the first one: data folder/);
});
