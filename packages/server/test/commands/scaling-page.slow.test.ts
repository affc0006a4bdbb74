/** The commands of docs/scaling.md about backups, unchanged and in order; PostgreSQL's own are done by the tests. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ON_NAMED } from "@svc/testkit/drivers";
import { baseBackup, restoreBase } from "@svc/testkit/postgres-backup";
import { deployment, urlOn } from "../backup/recovered-deployment.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/scaling.md"), "utf8");

test("each command about backups does what the page says", ON_NAMED, async (t) => {
  const [, section = ""] = /^## Backups\n([\s\S]*?)^## /m.exec(PAGE) ?? [];
  const [making = "", drill = "", loss = "", ...others] = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, block]) => block,
  );
  assert.deepEqual(others, []);
  const { home, data, server, environment, start } = await deployment(t);
  writeFileSync(
    join(home, "svc-server"),
    `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "packages/server/src/main.ts")}" "$@"\n`,
  );
  chmodSync(join(home, "svc-server"), 0o755);
  const bash = async (script: string, more: Record<string, string>) => {
    const env = { PATH: `${home}${delimiter}${process.env.PATH}`, HOME: home, SVC_DATA: data, ...more };
    return (await promisify(execFile)("bash", ["-eu", "-c", script], { cwd: home, env })).stdout;
  };

  const { append, end } = await start();
  await append(1);
  const [ours = "", theirs] = making.split("\n");
  assert.match(await bash(ours, environment), /describes 1 events in 1 streams.*\n[\s\S]*Now take a base backup/);
  assert.match(theirs ?? "", /^pg_basebackup /);
  await append(2);
  const base = await baseBackup(t, server);
  assert.equal(await end("SIGTERM"), 0);
  const recovered = await restoreBase(t, base, { of: server });
  const url = "postgres://svc:password@drill:5432/svc";
  assert.ok(drill.includes(url));
  assert.match(
    await bash(drill.replace(url, urlOn(recovered)), {}),
    /opens the database: 2 events.*fsck found nothing wrong/,
  );
  copyFileSync(join(data, "progress.json"), join(home, "progress.json"));
  assert.match(await bash(loss, { SVC_DATABASE_URL: urlOn(recovered) }), /Nothing is missing\. Next: .*start --data/);
});
