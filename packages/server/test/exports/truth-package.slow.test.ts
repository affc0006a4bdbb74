/**
 * The whole life of a truth package, with real processes: the demo's records, a server that is killed while it builds,
 * a download, other people's readers of archives, `svc` offline, its report, and the proof that the service recorded
 * it.
 */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { without } from "@svc/testkit/runtimes";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { earthquakes } from "../../../../demo/earthquakes.ts";
import { download, packagesIn, readyExport, settledExport } from "./export-client.ts";

const SVC = fileURLToPath(new URL("../../../cli/src/main.ts", import.meta.url));

/** Runs the auditor's tool as a process, and resolves to exit code and standard output. */
async function svc(words: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const run = promisify(execFile)(process.execPath, [SVC, ...words], {
    env: { PATH: process.env.PATH ?? "", HOME: temporaryFolder() },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout, stderr }) => ({ code, out: `${stdout}${stderr}` }),
  );
}

/** Resolves to a server as a process, with all the demo's records in one stream, witnessed. */
async function start(t: TestContext) {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const child = await startChild(t, folder);
  const client = new Client(child.url, made.api_key ?? "");
  const events = earthquakes();
  for (let from = 0; from < events.length; from += 500)
    await client.appendBatch(made.stream_id, events.slice(from, from + 500));
  await client.witnessed(made.stream_id, events.length);
  return { folder, made, child, client, events: events.length };
}

test("export, download, verify offline, report, and a receipt for it that verifies offline", async (t) => {
  const { made, client, events } = await start(t);
  const ready = await readyExport(client, { systems: [made.system_id] });
  assert.equal(ready.events, events);
  const { bytes, accessId, challenge } = await download(client, ready);
  const place = temporaryFolder();
  const [file, report] = [join(place, "march.truth.zip"), join(place, "report.json")];
  writeFileSync(file, bytes);
  assert.equal(execFileSync("sha256sum", [file], { encoding: "utf8" }).slice(0, 64), ready.package.sha256);

  const pinned = ["--public-key-hex", made.public_key_hex];
  const told = ["--access-id", accessId, "--challenge", challenge, "--report", report];
  const words = ["verify", "truth-package", "--file", file, "--sha256", ready.package.sha256];
  const verdict = await svc([...words, ...told, ...pinned]);
  assert.equal(verdict.code, 0, verdict.out);
  const body = readFileSync(report, "utf8");
  const answer = await client.post(`/v1/exports/${ready.export_id}/truth-package/verify`, body);
  assert.equal(answer.status, 201, answer.text);
  const { lifecycle_record: record } = answer.body;
  assert.deepEqual(record.payload.verifier, { kind: "svc-cli", version: JSON.parse(body).verifierVersion });

  const { stream_id, seq_no } = record;
  await client.witnessed(stream_id, seq_no);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: seq_no });
  assertVerified(pack.text, made.public_key_hex, "bundle");
  const bundle = join(place, "lifecycle.bundle.json");
  writeFileSync(bundle, pack.text);
  assert.equal((await svc(["bundles", "offline-verify", "--file", bundle, ...pinned])).code, 0);
  const { artifacts, payloads } = pack.body;
  const types = artifacts["receipts.json"].map(({ event_type }: { event_type: string }) => event_type);
  assert.deepEqual(types, ["truth_package.generated", "truth_package.accessed", "truth_package.verified"]);
  assert.equal(payloads[record.stream_event_id].payload.access_id, accessId);

  // One byte of the package was changed: its report is refused, with the reason.
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  assert.equal((await svc(["verify", "truth-package", "--file", file, ...told, ...pinned])).code, 1);
  const refused = await client.post(
    `/v1/exports/${ready.export_id}/truth-package/verify`,
    readFileSync(report, "utf8"),
  );
  assert.deepEqual([refused.status, refused.body.detail.code], [422, "report_not_ok"]);
  const places = refused.body.detail.differs.map(({ path }: { path: string }) => path);
  assert.deepEqual(places.slice(0, 2), ["/proof", "/verificationReport/packageSha256"]);
});

test("other readers of archives open a package and see the same files", { skip: without("python3") }, async (t) => {
  const { made, client } = await start(t);
  const { bytes } = await download(client, await readyExport(client, { streams: [made.stream_id], to_seq_no: 50 }));
  const file = join(temporaryFolder(), "p.zip");
  writeFileSync(file, bytes);
  const names = ["events.csv", "manifest.json", "proofs.json", "svc.truth-package.manifest.json"];
  const script = `import sys, zipfile, hashlib, json, csv, io
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
m = json.loads(z.read("svc.truth-package.manifest.json"))
for a in m["artifacts"]:
    d = z.read(a["path"])
    assert hashlib.sha256(d).hexdigest() == a["sha256"] and len(d) == a["size_bytes"], a
rows = list(csv.DictReader(io.StringIO(z.read("events.csv").decode("utf-8"), newline="")))
print(json.dumps([z.namelist(), len(rows), rows[0]["stream_id"]]))`;
  const seen = JSON.parse(execFileSync("python3", ["-c", script, file], { encoding: "utf8" }));
  assert.deepEqual(seen, [names, 50, made.stream_id]);
  const jszip = createRequire(import.meta.url)("jszip") as typeof import("jszip");
  const read = await jszip.loadAsync(bytes, { checkCRC32: true });
  assert.deepEqual(Object.keys(read.files), names);
  const [table] = [(await read.file("events.csv")?.async("string")) ?? ""];
  assert.equal(table.split("\r\n").length, 1 + 50 + 1);
  for (const [program, words] of [
    ["unzip", ["-t", file]],
    ["bsdtar", ["-tf", file]],
  ] as const)
    try {
      execFileSync(program, words);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      t.diagnostic(`${program} is not installed here: it is NOT TESTED`);
    }
});

test("kill -9 while a package is built: the next server builds it again, with the same bytes", async (t) => {
  const { folder, made, child, client } = await start(t);
  const large = Array.from({ length: 100 }, (_, index) => loan(index, { payload: { text: "x".repeat(100_000) } }));
  for (let batch = 0; batch < 4; batch++) await client.appendBatch(made.stream_id, large);
  const { head_seq_no: last } = (await client.get("/v2/streams")).body.items[0];
  await client.witnessed(made.stream_id, last);
  const { body } = await client.post("/v1/exports", { streams: [made.stream_id] });
  const exports = join(folder, "exports");
  await until("the proofs are being written", async () =>
    packagesIn(exports).some((name) => name.includes("proofs.json")) ? true : null,
  );
  await child.end("SIGKILL");
  assert.ok(packagesIn(exports).some((name) => name.endsWith(".unfinished")));
  assert.ok(!packagesIn(exports).some((name) => name.endsWith(".zip")));

  const copy = join(temporaryFolder(), "data");
  cpSync(folder, copy, { recursive: true });
  const packages = [];
  for (const data of [folder, copy]) {
    const next = await startChild(t, data);
    const again = new Client(next.url, client.key);
    const ready = await settledExport(again, body.export_id, "ready");
    await until("only the package is there", async () =>
      packagesIn(join(data, "exports")).join() === `${body.export_id}.2.zip` ? true : null,
    );
    packages.push((await download(again, ready)).bytes);
    assert.equal(await next.end("SIGTERM"), 0);
  }
  assert.deepEqual(packages[0], packages[1]);
  const file = join(temporaryFolder(), "p.zip");
  writeFileSync(file, packages[0] ?? "");
  const verdict = await svc(["verify", "truth-package", "--file", file, "--public-key-hex", made.public_key_hex]);
  assert.equal(verdict.code, 0, verdict.out);
});
