/**
 * The screen of a person while a long call runs, and the remains when it is ended: by Ctrl-C, or by a reader who has
 * seen enough.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { selectKernel } from "@svc/core";
import { benchEvidence } from "../src/bench/evidence.ts";
import { COMMAND, commandOf, FOLDER, outerPath, PIN, put, runProcess, SVC, svc } from "./svc.ts";
import { NO_TERMINAL, onTerminal, onTerminalWithPipe } from "./terminal.ts";

const env = { PATH: outerPath() };
const leftovers = () => readdirSync(FOLDER).filter((name) => name.endsWith(".tmp"));
const isThere = (name: string) => existsSync(join(FOLDER, name));
spawnSync("mkfifo", [join(FOLDER, "slow")], { env });

test("on a terminal a long call says what it does, and takes that away again", { skip: NO_TERMINAL }, async () => {
  const call = ["bundles", "offline-verify", "--file", "slow", ...PIN];
  const shown = await onTerminalWithPipe("reading slow ...", "march.bundle.json", "slow", call);
  assert.equal(shown.code, 0, shown.stdout);
  const [before = "", after = ""] = shown.stdout.split("VERIFIED");
  assert.match(
    before,
    /^\r\u001b\[Kreading slow \.\.\.(\r\u001b\[Kchecking slow \.\.\.)?\r\u001b\[K(\u001b\[1m\u001b\[32m)?$/,
  );
  assert.doesNotMatch(after, /\.\.\./);
});

test("what will take long is said before it begins, since nothing can be said while it runs", {
  skip: NO_TERMINAL,
}, async () => {
  const { bundle, trust } = await benchEvidence(selectKernel(), 192);
  const file = put("long.bundle.json", bundle);
  const call = ["bundles", "offline-verify", "--file", file, "--trust", put("long.trust.json", trust)];
  const slow = await onTerminal("never printed", "", [...call, "--kernel", "reference"]);
  assert.equal(slow.code, 0, slow.stdout);
  assert.match(
    slow.stdout,
    /^(\r\u001b\[Kreading long.bundle.json \.\.\.)?\r\u001b\[Kchecking long\.bundle\.json \.\.\.\r\u001b\[K/,
  );
});

test("a pipe, a dumb terminal and a quiet call get no such line", { skip: NO_TERMINAL }, async () => {
  const quick = ["bundles", "offline-verify", "--file", "slow", ...PIN];
  for (const [more, variables] of [
    [["--quiet"], {}],
    [[], { TERM: "dumb" }],
  ] as const) {
    // The call prints nothing that a test could wait for: the pipe gets its bytes long after the call has begun to
    // wait.
    const late = runProcess("sh", ["-c", "sleep 0.7; cat march.bundle.json > slow"]);
    const shown = await onTerminalWithPipe("never printed", "", "", [...quick, ...more], variables);
    await late;
    assert.equal(shown.code, 0);
    assert.doesNotMatch(shown.stdout, /reading|checking/);
  }
  const late = runProcess("sh", ["-c", "sleep 0.7; cat march.bundle.json > slow"]);
  const piped = await svc(quick);
  await late;
  assert.deepEqual([piped.code, piped.stderr], [0, ""]);
});

test("Ctrl-C ends a call at once, as a shell expects, and writes no report", async () => {
  const [file = "", ...words] = commandOf(process.execPath);
  const args = [...words, "bundles", "offline-verify", "--file", "-", "--report", "interrupted.json", ...PIN];
  const child = spawn(file, args, { cwd: FOLDER, env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  child.stdin.write("{");
  // The process that takes the byte has begun to read.
  while (child.stdin.writableLength > 0) await new Promise((resolve) => setImmediate(resolve));
  child.kill("SIGINT");
  const [code, signal] = await once(child, "close");
  assert.deepEqual([code, signal, output], [null, "SIGINT", ""]);
  assert.ok(!isThere("interrupted.json"));
  const inShell = `${COMMAND} bundles offline-verify --file slow & sleep 0.3; kill -INT $!; wait $!; echo $?`;
  // In the background of a script a shell ignores the signal; with job control it does not.
  const { stdout } = await runProcess("bash", ["--norc", "-m", "-c", inShell]);
  assert.equal(stdout.trim(), "130");
});

test("ended in the middle of writing, a call leaves no half of a file under its name", async () => {
  const preload = put(
    "killed.mjs",
    `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const write = fs.writeFileSync;
fs.writeFileSync = (file, bytes) => {
  write(file, bytes.slice(0, 10));
  process.kill(process.pid, "SIGINT");
};
syncBuiltinESMExports();
`,
  );
  const bundle = ["--file", "march.bundle.json"];
  const calls: readonly (readonly [name: string, args: readonly string[]])[] = [
    ["a.json", ["bundles", "redact", ...bundle, "--seq", "3", "--out", "a.json"]],
    ["b.json", ["bundles", "redact", ...bundle, "--seq", "3", "--out", "b.json", "--force"]],
    ["c.json", ["bundles", "offline-verify", ...bundle, ...PIN, "--report", "c.json"]],
    ["d.pem", ["keys", "generate", "--out", "d.pem"]],
  ];
  for (const [name, args] of calls) {
    await runProcess(process.execPath, ["--import", `./${preload}`, SVC, ...args]);
    assert.ok(!isThere(name), name);
    assert.ok(leftovers().length > 0, "it was ended while it wrote");
  }
  // Their remains do not stand in the way of the next call.
  for (const [name, args] of calls) {
    const { code } = await svc(args);
    assert.deepEqual([code === 64 || code === 70, isThere(name)], [false, true], name);
  }
  put("b.json", "the old one");
  await runProcess(process.execPath, ["--import", `./${preload}`, SVC, ...(calls[1]?.[1] ?? [])]);
  assert.equal(readFileSync(join(FOLDER, "b.json"), "utf8"), "the old one");
});

test("in a pipeline whose reader leaves, the verdict stays and nothing else is said", async () => {
  for (const [args, code] of [
    ["bundles offline-verify --file march.bundle.json", 2],
    [`bundles offline-verify --file march.bundle.json --json ${PIN.join(" ")}`, 0],
    ["bundles show --file march.bundle.json", 0],
    ["completion bash", 0],
    ["bundles redact --file march.bundle.json --seq 3", 0],
  ] as const) {
    const command = `${COMMAND} ${args} | head -c 1 > /dev/null; echo "\${PIPESTATUS[@]}"`;
    const { stdout, stderr } = await runProcess("bash", ["--norc", "-c", command]);
    assert.deepEqual([stdout.trim(), stderr], [`${code} 0`, ""], args);
  }
});
