/**
 * deploy/compose.postgres.yaml, as far as it can be tried without Docker: all that it names is there and known, its
 * PostgreSQL, its PgBouncer and its scripts are started for real, and two servers run on what they make. The images
 * themselves, nginx, and pg_basebackup are NOT TESTED.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "@svc/testkit/built";
import { deployedPooling, NO_PGBOUNCER, startPgBouncer } from "@svc/testkit/pgbouncer";
import { startPostgres } from "@svc/testkit/postgres";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { THIN_SERVER } from "../../src/thin-server/program.ts";

const DEPLOY = fileURLToPath(new URL("../../../../deploy", import.meta.url));
const read = (path: string) => readFileSync(join(DEPLOY, path), "utf8");
const COMPOSE = read("compose.postgres.yaml");

/** Returns the parts of a top-level section, by the names of its members, with what they merge in. */
function members(section: string): Map<string, string> {
  const [, text = ""] = new RegExp(`^${section}:\\n((?:(?: .*)?\\n|$)+)`, "m").exec(COMPOSE) ?? [];
  const parts = text.split(/^ {2}(?=[\w-]+:)/m).filter((part) => /^[\w-]+:/.test(part));
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(":")), withMerged(part)]));
}

function withMerged(text: string): string {
  const merged = [...text.matchAll(/<<: \*(\w+)/g)].map(([, name]) => {
    const [, found = ""] = new RegExp(`: &${name}\\n((?: {2}.*\\n)+)`).exec(COMPOSE) ?? [];
    assert.ok(found !== "", name);
    return withMerged(found);
  });
  return [text, ...merged].join("\n");
}

const services = members("services");

test("each service is closed, told healthy by a check, and names only what is there", () => {
  assert.deepEqual(
    [...services.keys()],
    ["primary", "standby", "pooler", "prepare", "server-1", "server-2", "balancer"],
  );
  const [volumes, secrets, networks] = ["volumes", "secrets", "networks"].map((section) => members(section));
  const secretsMade = new Set(made().files.map(([name]) => name));
  for (const [name, text] of services) {
    assert.match(text, /read_only: true/, name);
    assert.match(text, /cap_drop: \[ALL\]/, name);
    assert.match(text, /no-new-privileges:true/, name);
    // The image of the server has its own check.
    if (!/image: svc-server/.test(text)) assert.match(text, /healthcheck:/, name);
    for (const [, source = ""] of text.matchAll(/^ +- ([\w./-]+):\//gm))
      if (source.startsWith("./")) assert.ok(statSync(join(DEPLOY, source)).isFile(), source);
      else assert.ok(volumes?.has(source), `${name}: ${source}`);
    for (const [, list = ""] of text.matchAll(/secrets: \[(.*)\]/g))
      for (const one of list.split(", ")) assert.ok(secrets?.has(one) && secretsMade.has(one), `${name}: ${one}`);
    for (const [, list = ""] of text.matchAll(/networks: \[(.*)\]/g))
      for (const one of list.split(", ")) assert.ok(networks?.has(one), `${name}: ${one}`);
    for (const [, other = ""] of text.matchAll(/^ {6}([\w-]+): \{ condition/gm)) assert.ok(services.has(other), other);
  }
  const known = new Set<string>(Object.values(THIN_SERVER.settings).map(({ variable }) => variable));
  for (const [variable] of COMPOSE.matchAll(/\bSVC_(?!PRIMARY)[A-Z_0-9]+/g)) assert.ok(known.has(variable), variable);
  for (const [, server] of read("postgres/nginx.conf").matchAll(/^ +server ([\w-]+):8787 /gm))
    assert.ok(services.has(server ?? ""), server);
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(read("svc-server.service")) ?? [];
  assert.match(services.get("server-1") ?? "", new RegExp(`stop_grace_period: ${seconds}s`));
});

/** Makes the secrets by their script. */
function made() {
  const folder = join(temporaryFolder(), "secrets");
  execFileSync("sh", [join(DEPLOY, "postgres/make-secrets.sh"), folder]);
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  return { folder, files, secret: Object.fromEntries(files) as Record<string, string> };
}

test("secrets are new each time, closed to others by their folder, and are in no file that ships", () => {
  const [one, other] = [made(), made()];
  assert.equal(statSync(one.folder).mode & 0o777, 0o700);
  for (const [name, text] of one.files) assert.notEqual(other.secret[name], text, name);
  assert.match(one.secret.svc_password ?? "", /^[0-9a-f]{48}$/);
  assert.equal(one.secret.pooler_users, `"svc" "${one.secret.svc_password}"\n`);
  // Passwords come from files: in no environment of a service, and in no command line.
  assert.ok(!/PASSWORD: (?!\/)|_PASSWORD:|SVC_DATABASE_URL: /.test(COMPOSE));
  assert.ok(!existsSync(join(DEPLOY, "secrets/.gitkeep")));
});

/** Returns the settings of a file of `name = value` lines. */
function settingsOf(path: string): Record<string, string> {
  const lines = [...read(path).matchAll(/^(\w+) = ?'?(.*?)'?$/gm)];
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value]));
}

test("PostgreSQL and PgBouncer start with their files, and the scripts make two servers on them", {
  skip: NO_PGBOUNCER,
  timeout: 180_000,
}, async (t) => {
  const { folder, secret } = made();
  const home = temporaryFolder();
  const files = temporaryFolder();
  execFileSync("chmod", ["0755", files]);
  copyFileSync(join(DEPLOY, "postgres/pg_hba.conf"), join(files, "pg_hba.conf"));
  // The administrator of the test comes over the network, and no interface but the loopback is used.
  const hba = `${read("postgres/pg_hba.conf")}host all postgres samenet scram-sha-256\n`;
  writeFileSync(join(files, "pg_hba.conf"), hba, { mode: 0o644 });
  const { listen_addresses, ...settings } = settingsOf("postgres/postgresql.conf");
  assert.equal(listen_addresses, "*");
  const server = await startPostgres(t, { settings: { ...settings, hba_file: join(files, "pg_hba.conf") } });
  await asPsql(read("postgres/primary.sql"), secret, (sql) => server.run(sql));

  const svc = { url: (database = "svc") => urlOf(server.port, secret, database), host: server.host, port: server.port };
  const { listen_addr, listen_port, unix_socket_dir, auth_file } = settingsOf("postgres/pgbouncer.ini");
  assert.deepEqual(
    [listen_addr, listen_port, unix_socket_dir, auth_file],
    ["*", "6432", "", "/run/secrets/pooler_users"],
  );
  const pooler = await startPgBouncer(t, { ...server, ...svc }, { settings: deployedPooling() });
  const url = pooler.through(svc.url());
  writeFileSync(join(folder, "database_url"), url);

  await copyBuilt("server", join(home, "opt/svc"));
  for (const name of ["svc", "svc-2", "svc-exports"])
    mkdirSync(join(home, "var/lib", name), { recursive: true, mode: 0o700 });
  const script = read("postgres/prepare.sh")
    .replaceAll(/\/(?=var\/lib|opt\/svc)/g, `${home}/`)
    .replaceAll("/run/secrets", folder)
    .replaceAll("user=10001", `user=${process.getuid?.()}`)
    .replaceAll(" node ", ` "${process.execPath}" `);
  const prepare = () =>
    execFileSync("sh", ["-c", script], { env: { PATH: process.env.PATH, SVC_ORIGIN: "demo.example" } }).toString();
  const said = prepare();
  assert.ok(!said.includes(secret.svc_password ?? ""));
  const [first, second] = [join(home, "var/lib/svc"), join(home, "var/lib/svc-2")];
  assert.deepEqual(readdirSync(second).sort(), ["database.json", "pepper", "signing-key.pem", "witness-key.pem"]);
  for (const name of readdirSync(second)) {
    assert.equal(statSync(join(second, name)).mode & 0o777, 0o600);
    assert.deepEqual(readFileSync(join(second, name)), readFileSync(join(first, name)));
  }
  assert.equal(prepare(), "", "a second time there is nothing to do");

  const environment = { SVC_DATABASE_URL: url, SVC_EXPORTS: join(home, "var/lib/svc-exports") };
  const key = await command(["keys", "create", "--data", first, "--json"], environment);
  assert.equal(key.code, 0, key.err);
  const { api_key, system_id } = JSON.parse(key.out);
  const clients = [];
  for (const data of [first, second]) clients.push(new Client((await startChild(t, data, environment)).url, api_key));
  const [one, other] = clients as [Client, Client];
  const request = { system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { stream_id } = (await one.post("/v2/streams", request)).body;
  for (const [index, client] of [one, other].entries()) {
    const answer = await client.append(stream_id, loan(index), `key-${index}`);
    assert.equal(answer.body.seq_no, index + 1, answer.text);
  }
  await one.witnessed(stream_id, 2);
});

function urlOf(port: number, secret: Record<string, string>, database: string): string {
  return `postgres://svc:${secret.svc_password}@127.0.0.1:${port}/${database}`;
}

/** Runs a script as psql does: variables come from files, and each statement runs by itself. */
async function asPsql(script: string, secret: Record<string, string>, run: (sql: string) => Promise<unknown>) {
  const set = [...script.matchAll(/^\\set (\w+) `cat \/run\/secrets\/(\w+)`$/gm)];
  assert.equal(set.length, 2);
  let sql = script.replaceAll(/^(?:\\|--).*$/gm, "");
  for (const [, name, file = ""] of set) sql = sql.replaceAll(`:'${name}'`, `'${secret[file]}'`);
  for (const statement of sql.split(";\n")) if (statement.trim() !== "") await run(statement);
}
