/** docs/witnessing.md, command by command: from nothing to a witness that cosigns somebody else's log. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openNote, parseVerificationKey } from "@svc/core";
import { NO_COUNTERPARTS } from "@svc/testkit/counterparts";
import { TestLog } from "@svc/testkit/evidence/log";
import { without } from "@svc/testkit/runtimes";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { add, kernel } from "../running.ts";
import { TesseraLog } from "./tessera-log.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/witnessing.md"), "utf8");
const ORIGIN = "log.example/somebody-else";
const START = "node svc-witness.mjs start\n";
/** The page's way of running a script, and how package.json runs it. */
const SCRIPT = ["npx -y pnpm@12 run", "node tools/run.mjs"] as const;

function blocksOf(language: "sh" | "text"): string[] {
  return [...PAGE.matchAll(/^```(\w+)\n(.*?)^```/gms)].flatMap(([, word, block = ""]) =>
    word === language ? block : [],
  );
}

test("the walk", { skip: NO_COUNTERPARTS || without("curl") }, async (t) => {
  const log = await TesseraLog.make(ORIGIN);
  const witness = join(temporaryFolder(), "a witness");
  const [build = "", make = "", look = "", pull = "", ...more] = blocksOf("sh");
  assert.deepEqual(more, []);
  const variables: Record<string, string> = {
    PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
    WITNESS: witness,
    LOG_VKEY: log.vkey,
    SVC_WITNESS_PORT: "0",
  };
  const sh = (commands: string, env = variables) =>
    execFileSync("sh", ["-ec", commands], { cwd: ROOT, env, encoding: "utf8" });

  sh(build.replace(...SCRIPT));
  assert.ok(make.endsWith(START));
  sh(make.replace(START, ""));
  const started = `${make.split("\n").slice(0, 2).join("\n")}\nexec ${START.trimEnd()} --json`;
  const child = spawn("sh", ["-ec", started], { env: variables, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, vkey } = JSON.parse(line) as { url: string; vkey: string };

  // The log's operator takes the policy of the page, with this witness's key and address.
  const policy = blocksOf("text").find((block) => block.includes("quorum")) ?? "";
  const lines = policy.replace("$WITNESS_VKEY", vkey).replace(/https:\S+/, url);
  assert.equal(await log.start(t, lines.trimEnd().split("\n")), null, log.errors);
  for (const entry of ["one", "two", "three"]) await log.append(entry);
  const published = await log.publishes(3);

  const said = sh(look, { ...variables, URL: url, ORIGIN: ORIGIN });
  assert.match(said, /^log\.example\/somebody-else {2}size 3 /m);
  assert.match(said, /^ok {4}high-water mark: a witness runs/m);
  assert.ok(said.endsWith(published), said);
  const keys = [log.vkey, vkey].map((text) => parseVerificationKey(kernel, text));
  const opened = openNote(
    kernel,
    published,
    keys.flatMap((key) => (key.ok ? key.key : [])),
  );
  assert.ok(opened.ok && opened.signatures.length === 2);

  const listed = new TestLog("log.example/listed").growTo(1);
  const list = join(temporaryFolder(), "list");
  writeFileSync(list, `# a list\nlogs/v0\n\nvkey ${listed.vkey}\nqpd 24\ncontact nobody\n\nvkey ${log.vkey}\nqpd 24\n`);
  const pulled = sh(pull, { ...variables, LIST_URL: pathToFileURL(list).href });
  assert.equal(pulled, "Added log.example/listed\n");
  assert.equal((await add({ url }, await listed.body(0))).status, 200);
});
