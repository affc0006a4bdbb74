/**
 * Offline means offline: only a call that is made to connect reaches a network or opens a socket. Each guard is seen to
 * catch a program that does open one.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import type { Command } from "commander";
import { beside } from "../build.ts";
import { ALL } from "../src/all-commands.ts";
import { program } from "../src/program.ts";
import { putRow } from "./row.ts";
import { evidence, FOLDER, KEY, type Outcome, outerPath, PIN, put, runProcess, SVC } from "./svc.ts";
import { putVaults } from "./vaults.ts";

const PEM = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;
const HASH = `0x${"ab".repeat(32)}`;
await putVaults();
putRow();
mkdirSync(join(FOLDER, "many"));
for (const [index, record] of evidence.records.entries()) put(`many/${index}.json`, record);

const PACKAGE = await packageOf(await packageInput());

const OFFLINE_CALLS: readonly (readonly [args: readonly string[], code: number])[] = [
  [["bundles", "offline-verify", "--file", "march.bundle.json", ...PIN], 0],
  [["bundles", "offline-verify", "--file", "march.bundle.json"], 2],
  [["bundles", "offline-verify", "--file", "loan-1005.receipt.json", "--json"], 1],
  [["receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN], 0],
  [["receipts", "verify", "--file", "-", ...PIN], 66],
  [["receipts", "verify", "--file", "loan-1005.receipt.json", "--cross-check", ...PIN], 0],
  [["verify", "many", "march.bundle.json", "--jobs", "2", ...PIN], 0],
  [["verify", "many/*.json", "-", "--json", "--jobs", "3"], 66],
  [["verify", "march.bundle.json"], 2],
  [["conformance"], 0],
  [["trust", "add", "--public-key-hex", KEY, "--trust", "offline.json"], 0],
  [["trust", "remember", "march.bundle.json", "--trust", "offline.json"], 0],
  [["trust", "list", "--trust", "offline.json"], 0],
  [["keys", "show", "--key", put("offline.pem", PEM)], 0],
  [["bundles", "show", "--file", "march.bundle.json"], 0],
  [["bundles", "redact", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["bundles", "tlog-proof", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["bundles", "tlog-policy", "--file", "march.bundle.json"], 0],
  [["bundles", "continuity", "march.bundle.json", ...PIN], 0],
  [["forks", "find", "march.bundle.json", "loan-1005.receipt.json", "--out", "fork.json"], 0],
  [["bundles", "extract", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["bundles", "note", "--file", "march.bundle.json"], 0],
  [["receipts", "export", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["receipts", "verify", "--file", "loan-1005.redacted.json", "--payload", "loan-1005.payload.json", ...PIN], 0],
  [["verify", "file", "--file", "loan-1005.portable.json", "--link", "march-to-april.json", ...PIN], 0],
  [["verify", "file", "--file", "march.bundle.json", "--quiet", "--report", "offline.report.json"], 1],
  [["verify", "truth-package", "--file", put("march.truth.zip", PACKAGE), "--report", "package.json", ...PIN], 0],
  [["verify", "page", "--file", put("verify.html", "<!doctype html>")], 1],
  [["report", "--file", "march.bundle.json", "--html", "offline.html", "--force", ...PIN], 0],
  [["consistency", "verify", "--file", "march-to-april.json", "--jobs", "2", ...PIN], 0],
  [["forks", "verify", "--file", "fork.json", ...PIN], 0],
  [
    ["tamper", "--file", "loan-1005.receipt.json", "--out", "tampered", "--limit", "3", "--trust", "acme.trust.json"],
    0,
  ],
  [["disclosures", "verify", "contract.disclosure.json", "--content", "contract.pdf", ...PIN], 0],
  [["bundles", "provenance-verify", "march.provenance.json", "--inclusion", "contract.inclusion.json", ...PIN], 0],
  [["keys", "revocation-verify", "--status", "key.status.json", "--receipt", "contract.portable.json", ...PIN], 0],
  [["assurance", "derive", "march.provenance.json", ...PIN], 0],
  [["ivc", "epochs", "verify", "epoch.json", ...PIN], 0],
  [["bench", "--json"], 0],
  [["completion", "bash"], 0],
  [["explain", "json_malformed"], 0],
  [["keys", "generate", "--out", "made.pem"], 0],
  [["keys", "endorse", "--key", "made.pem", "--public-key-hex", KEY], 0],
  [["trust", "show", KEY, "--trust", "offline.json"], 0],
  [["trust", "pin-block", "--network", "eip155:1", "--number", "1", "--hash", HASH, "--trust", "offline.json"], 0],
  [
    ["trust", "pin-contract", "--network", "eip155:1", "--address", `0x${"cd".repeat(20)}`, "--trust", "offline.json"],
    0,
  ],
  [
    [
      "trust",
      "pin-vault",
      "--installation",
      `ins_0${"1".repeat(25)}`,
      "--public-key-hex",
      KEY,
      "--trust",
      "offline.json",
    ],
    0,
  ],
  [["trust", "remove", "--block", HASH, "--trust", "offline.json"], 0],
  [["trust", "revoke", KEY, "--trust", "offline.json"], 0],
  [["--version"], 0],
];
/** The commands whose purpose is to connect, and the families of those that ask a server. */
const ONLINE = ["trust pin-from", "watch", "bundles verify", "windows", "checkpoints", "anchors"];
/** Removes the files that the calls write, before they are made again. */
function removeWritten(): void {
  for (const name of ["offline.json", "offline.json.names", "tampered", "made.pem", "offline.report.json"])
    rmSync(join(FOLDER, name), { recursive: true, force: true });
}

const CONNECTS = 'import { connect } from "node:net"; connect(9, "127.0.0.1").on("error", () => {});';

/** Returns the modules that a built file imports, and everything else in it that could load code or reach out. */
function reachOf(code: string): { modules: string[]; others: string[] } {
  const statements = [...code.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];?$/gm)];
  // Modules that only some calls need are loaded by them, by name.
  const later = [...code.matchAll(/\bimport\("(node:[a-z0-9_/]+)"\)/g)];
  const modules = [...statements, ...later].map(([, name = ""]) => name);
  const loads =
    /\bimport\s*\((?!"node:[a-z0-9_/]+"\))|(?<!__)\brequire\s*\(|createRequire|getBuiltinModule|process\.binding|\beval\s*\(|new Function|\bfetch\s*\(|WebSocket|EventSource|XMLHttpRequest/g;
  return { modules: [...new Set(modules)].sort(), others: code.match(loads) ?? [] };
}

test("every command that is not there to connect is among the calls", () => {
  const leavesOf = (command: Command, path: readonly string[] = []): string[] =>
    command.commands.length === 0
      ? [path.join(" ")]
      : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
  const called = OFFLINE_CALLS.map(([args]) => args.join(" "));
  const isOnline = (leaf: string) => ONLINE.some((words) => leaf === words || leaf.startsWith(`${words} `));
  const missing = leavesOf(program(ALL)).filter(
    (leaf) => !isOnline(leaf) && !called.some((call) => call.startsWith(leaf)),
  );
  assert.deepEqual(missing, []);
});

const MODULES = ["node:crypto", "node:events", "node:fs", "node:os", "node:path", "node:worker_threads", "node:zlib"];

test("the built file imports nothing but files, paths, events, keys, threads, deflate and the machine's cores", () => {
  const { modules, others } = reachOf(readFileSync(SVC, "utf8"));
  assert.deepEqual(modules, MODULES);
  // In src/online/exchange.ts, which the commands that ask a server load when they do (import-graph.test.ts).
  assert.deepEqual(others, ["fetch("]);
});

test("its parts import no more, and nothing in the part that verifies can reach out", () => {
  assert.deepEqual(reachOf(readFileSync(beside(SVC, "verify"), "utf8")), { modules: MODULES, others: [] });
  assert.deepEqual(reachOf(readFileSync(beside(SVC, "explain"), "utf8")), { modules: ["node:fs"], others: [] });
  // The start loads one of those that are beside it.
  const start = { modules: ["node:fs", "node:worker_threads"], others: ["import("] };
  assert.deepEqual(reachOf(readFileSync(beside(SVC, "start"), "utf8")), start);
});

test("the scan sees what it looks for", () => {
  const code =
    'import { a } from "node:net";\nimport "node:tls";\nexport * from "node:dns";\nawait import("x"); ' +
    'require("y");\nimport("node:http2");\n';
  assert.deepEqual(reachOf(code), {
    modules: ["node:dns", "node:http2", "node:net", "node:tls"],
    others: ["import(", "require("],
  });
});

const preload = fileURLToPath(new URL("refuse-network.mjs", import.meta.url));
const withoutNetwork = (args: readonly string[]) =>
  runProcess(process.execPath, ["--import", preload, ...args], { stdin: "{}" });

test("every call ends the same where each way to a network throws", async () => {
  const control = await withoutNetwork(["--input-type=module", "--eval", CONNECTS]);
  assert.match(control.stderr, /network refused: net\.connect/);
  removeWritten();
  put("connects.mjs", CONNECTS);
  const starts = 'import { Worker } from "node:worker_threads"; new Worker("./connects.mjs");';
  const thread = await withoutNetwork([put("starts.mjs", starts)]);
  assert.match(thread.stderr, /network refused: net\.connect/, "in a thread too");
  for (const [args, code] of OFFLINE_CALLS) {
    const outcome = await withoutNetwork([SVC, ...args]);
    // Input that is no evidence is refused in words; nothing else has words, a refused network least of all.
    if (code === 66) assert.doesNotMatch(outcome.stderr, /network refused/, args.join(" "));
    else assert.equal(outcome.stderr, "", args.join(" "));
    assert.equal(outcome.code, code, args.join(" "));
  }
});

const hasStrace = spawnSync("strace", ["-V"], { env: { PATH: outerPath() } }).status === 0;

// CI installs strace, and so never skips this.
const skip = hasStrace || process.env.CI ? false : "strace is not installed: system calls are NOT TRACED";

test("no internet socket is opened", { skip }, async () => {
  const traced = async (name: string, args: readonly string[]): Promise<Outcome & { sockets: string[] }> => {
    const log = join(FOLDER, `${name}.strace`);
    const strace = ["-f", "-e", "trace=network", "-o", log, process.execPath, ...args];
    const outcome = await runProcess("strace", strace, { stdin: "{}" });
    const lines = readFileSync(log, "utf8").split("\n");
    return { ...outcome, sockets: lines.filter((line) => /AF_(?!UNIX\b)|PF_(?!LOCAL\b)/.test(line)) };
  };
  const control = await traced("control", [put("connects.mjs", CONNECTS)]);
  assert.match(control.sockets.join("\n"), /AF_INET/);
  removeWritten();
  for (const [index, [args, code]] of OFFLINE_CALLS.entries()) {
    const outcome = await traced(`call-${index}`, [SVC, ...args]);
    assert.deepEqual(outcome.sockets, [], args.join(" "));
    assert.equal(outcome.code, code, args.join(" "));
  }
});
