/**
 * The commands of docs/operations.md, unchanged and in its order, on a deployment that serves; and the verifiers' view
 * after the last.
 */

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ON_FILE } from "@svc/testkit/drivers";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { readyExport } from "../exports/export-client.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/operations.md"), "utf8");

/** Returns the blocks of commands under a heading, as one script. */
function commandsOf(heading: string): string {
  const section = PAGE.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const blocks = [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)];
  assert.ok(blocks.length > 0, heading);
  return blocks.map(([, indent = "", text = ""]) => text.replaceAll(new RegExp(`^${indent}`, "gm"), "")).join("");
}

test("each command of the page does what it says", ON_FILE, async (t) => {
  const home = temporaryFolder();
  const data = join(home, "data");
  const made = await makeDeployment(data);
  writeFileSync(join(home, "passphrase"), "correct horse battery staple\n", { mode: 0o600 });
  const program = (name: string, entry: string) => {
    const script = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, entry)}" "$@"\n`;
    writeFileSync(join(home, name), script);
    chmodSync(join(home, name), 0o755);
  };
  program("svc-server", "packages/server/src/main.ts");
  program("svc", "packages/cli/src/main.ts");
  // The nights that have passed, for what the page names by its day.
  writeFileSync(join(home, "date"), `#!/bin/sh\nexec /bin/date --date="\${NIGHTS:-0} days" "$@"\n`, { mode: 0o755 });
  const run = async (script: string, more: Record<string, string> = {}) => {
    const env = { PATH: `${home}${delimiter}${process.env.PATH}`, HOME: home, SVC_DATA: data, SVC_PORT: "0", ...more };
    return (await promisify(execFile)("bash", ["-eu", "-c", script], { cwd: home, env })).stdout;
  };
  const { url } = await startChild(t, data);
  const client = new Client(url, made.api_key ?? "");
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const bundleOf = async (from_seq_no: number) => {
    const { text } = await client.post("/v2/audit/packs", { stream_id, from_seq_no, to_seq_no: from_seq_no });
    writeFileSync(join(home, `${from_seq_no}.json`), text);
  };
  await bundleOf(1);
  const { export_id } = await readyExport(client, { streams: [stream_id] });

  for (const night of ["0", "1"])
    assert.match(await run(commandsOf("Backups"), { NIGHTS: night }), /keys +sealed/, `night ${night}`);
  assert.match(await run(commandsOf("The restore drill")), /Nothing is wrong\./);
  assert.match(await run(commandsOf("After a loss")), /Nothing is missing\. Next: .*start --data/);
  const log = JSON.parse(
    await run("svc-server audit-log --action export.deleted --json", { SVC_DATA: join(home, "restored") }),
  );
  const [lost] = log.entries;
  assert.deepEqual([lost.object_id, lost.actor_id, lost.detail], [export_id, "svc-server", { because: "lost" }]);
  assert.equal(
    (await client.get(`/v1/exports/${export_id}`)).body.state,
    "ready",
    "that of the running server is there",
  );
  assert.match(await run(commandsOf("Rotating the sealing key")), new RegExp(`${made.kid} seals nothing more`));
  assert.match(
    await run(commandsOf("Rotating the witness's key")),
    /cosigns with its key of epoch 2 .*The old key is gone/s,
  );

  const verdict = async (file: string) =>
    JSON.parse(await run(`svc verify ${file} --trust trust.json --json || true`)).verdict;
  await run(`svc trust add --name old --public-key-hex ${made.public_key_hex} --trust trust.json`);
  assert.equal(await verdict("1.json"), "verified");
  const stolen = commandsOf("When a key is stolen");
  const verifiersPart = stolen.indexOf("svc trust");
  assert.match(await run(stolen.slice(0, verifiersPart)), /Nothing is wrong\./);
  await client.append(stream_id, loan(2));
  await client.witnessed(stream_id, 2);
  await bundleOf(2);
  assert.equal(await verdict("2.json"), "verified", "the old pin leads on, until it is revoked");
  const { body } = await client.get("/v2/keys");
  await run(stolen.slice(verifiersPart), {
    OLD_KEY: made.public_key_hex,
    NEW_KEY: body.keys[0].public_key_hex,
  });
  assert.deepEqual([await verdict("1.json"), await verdict("2.json")], ["untrusted", "verified"]);
});

test("every command and option that the page names is there", () => {
  const named = [
    ...PAGE.matchAll(
      /`(?:svc-server )?((?:keys )?(?:accept-loss|migrate-store|restore|backup|doctor|fsck|keys [a-z-]+|init))\b/g,
    ),
  ];
  assert.ok(named.length > 8);
  const help = (...words: string[]) =>
    execFileSync(process.execPath, [join(ROOT, "packages/server/src/main.ts"), ...words, "--help"], {
      encoding: "utf8",
    });
  const all = help() + help("keys");
  for (const command of new Set(named.map(([, words = ""]) => words.split(" ").at(-1) ?? "")))
    assert.match(all, new RegExp(`^  ${command}\\b`, "m"), command);
});
