/**
 * A split view, played for real: the folder of a deployment is copied, both copies go on under one key, and a monitor
 * looks at the one and then at the other. Its proof convinces a reader who has only that file and the key.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { copyBuilt } from "@svc/testkit/built";
import { ON_FILE } from "@svc/testkit/drivers";
import type { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { copies } from "./copies.ts";

/** Resolves to `svc` alone in a folder, and the running of it there. */
async function auditor(apiKey = "") {
  const folder = temporaryFolder();
  await copyBuilt("cli", folder);
  const svc = async (...words: string[]) => {
    const child = spawn(process.execPath, [join(folder, "svc.mjs"), ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? "", SVC_API_KEY: apiKey },
    });
    let out = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
    const [code] = await once(child, "close");
    return { code: code as number | null, out: out.replace(/\s+/g, " ") };
  };
  return { folder, svc };
}

test("two services with one key: the monitor sees both, and the proof outlives them", ON_FILE, async (t) => {
  const { made, original, restored, close } = await copies(t);
  const { stream_id: stream, public_key_hex: key, data_folder } = made;
  const { folder, svc } = await auditor(made.api_key ?? "");
  const look = ({ url }: Client) =>
    svc("watch", url, "--stream", stream, "--state", "loans.watch", "--once", "--public-key-hex", key);
  const grown = async (client: Client, seqNo: number, number: number) => {
    await client.append(stream, loan(number), `loan-${number}`);
    await client.witnessed(stream, seqNo);
  };
  assert.equal((await look(original)).code, 0);
  // The copy is merely older until it tells something else.
  assert.match((await look(restored)).out, /as before/);
  await grown(original, 2, 2);
  await grown(original, 3, 3);
  await grown(restored, 2, 12);
  assert.match((await look(original)).out, /extends checkpoint 1/);
  const older = await look(restored);
  assert.deepEqual([older.code, /an old one|two histories/.test(older.out)], [1, true], older.out);
  await grown(restored, 3, 13);
  await grown(restored, 4, 14);
  const split = await look(restored);
  assert.match(split.out, /The service told two histories/);
  assert.equal(split.code, 1);

  const proof = join(folder, "loans.watch.fork.json");
  const text = readFileSync(proof, "utf8");
  for (const client of [original, restored]) {
    const { status, body } = await client.post("/v2/forks", text);
    assert.equal(status, 200, JSON.stringify(body));
    const { items } = (await client.get(`/v2/streams/${stream}/forks`)).body;
    assert.equal(items.length, 1);
    const pack = await client.post("/v2/audit/packs", { stream_id: stream, from_seq_no: 1, to_seq_no: 3 });
    writeFileSync(join(folder, "pack.json"), pack.text);
    const verdict = await svc("bundles", "offline-verify", "--file", "pack.json", "--public-key-hex", key);
    assert.equal(verdict.code, 1);
    assert.match(verdict.out, /fork_detected/);
  }

  await close();
  const stranger = await auditor();
  cpSync(proof, join(stranger.folder, "fork.json"));
  for (const gone of [data_folder, join(data_folder, "..", "restored"), folder]) rmSync(gone, { recursive: true });
  const verdict = await stranger.svc("forks", "verify", "fork.json", "--public-key-hex", key);
  assert.equal(verdict.code, 0, verdict.out);
});
