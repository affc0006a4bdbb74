/**
 * Offline means offline: no call but the one that is made to connect reaches a network or opens a socket. Each guard is seen to catch a
 * program that does open one.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { FOLDER, KEY, type Outcome, outerPath, PIN, put, runProcess, SVC } from "./svc.ts";

const PEM = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`;
const OFFLINE_CALLS: readonly (readonly [args: readonly string[], code: number])[] = [
  [["bundles", "offline-verify", "--file", "march.bundle.json", ...PIN], 0],
  [["bundles", "offline-verify", "--file", "march.bundle.json"], 2],
  [["bundles", "offline-verify", "--file", "loan-1005.receipt.json", "--json"], 1],
  [["receipts", "verify", "--file", "loan-1005.receipt.json", ...PIN], 0],
  [["receipts", "verify", "--file", "-", ...PIN], 1],
  [["receipts", "verify", "--file", "loan-1005.receipt.json", "--cross-check", ...PIN], 0],
  [["conformance"], 0],
  [["trust", "add", "--public-key-hex", KEY, "--trust", "offline.json"], 0],
  [["trust", "remember", "march.bundle.json", "--trust", "offline.json"], 0],
  [["trust", "list", "--trust", "offline.json"], 0],
  [["keys", "show", "--key", put("offline.pem", PEM)], 0],
  [["bundles", "show", "--file", "march.bundle.json"], 0],
  [["bundles", "redact", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["bundles", "tlog-proof", "--file", "march.bundle.json", "--seq", "3"], 0],
  [["bundles", "continuity", "march.bundle.json", ...PIN], 0],
  [["forks", "find", "march.bundle.json", "loan-1005.receipt.json", "--out", "fork.json"], 0],
  [["--version"], 0],
];
const CONNECTS = 'import { connect } from "node:net"; connect(9, "127.0.0.1").on("error", () => {});';

/** The modules that a built file imports, and whatever else could load code or reach out. */
function reachOf(code: string): { modules: string[]; others: string[] } {
  const modules = [...code.matchAll(/^(?:import|export)\b[^;]*?["']([^"']+)["'];?$/gm)].map(([, name = ""]) => name);
  const loads =
    /\bimport\s*\(|(?<!__)\brequire\s*\(|createRequire|getBuiltinModule|process\.binding|\beval\s*\(|new Function|\bfetch\s*\(|WebSocket|EventSource|XMLHttpRequest/g;
  return { modules: [...new Set(modules)].sort(), others: code.match(loads) ?? [] };
}

test("the built file imports nothing but files, paths, events, keys and the process", () => {
  const { modules, others } = reachOf(readFileSync(SVC, "utf8"));
  assert.deepEqual(modules, ["node:crypto", "node:events", "node:fs", "node:path", "node:process"]);
  // In src/online/exchange.ts, which the commands that ask a server load when they do (import-graph.test.ts).
  assert.deepEqual(others, ["fetch("]);
});

test("the scan sees what it looks for", () => {
  const code =
    'import { a } from "node:net";\nimport "node:tls";\nexport * from "node:dns";\nawait import("x"); require("y");\n';
  assert.deepEqual(reachOf(code), { modules: ["node:dns", "node:net", "node:tls"], others: ["import(", "require("] });
});

const preload = fileURLToPath(new URL("refuse-network.mjs", import.meta.url));
const withoutNetwork = (args: readonly string[]) =>
  runProcess(process.execPath, ["--import", preload, ...args], { stdin: "{}" });

test("every call ends the same where each way to a network throws", async () => {
  const control = await withoutNetwork(["--input-type=module", "--eval", CONNECTS]);
  assert.match(control.stderr, /network refused: net\.connect/);
  for (const [args, code] of OFFLINE_CALLS) {
    const outcome = await withoutNetwork([SVC, ...args]);
    assert.equal(outcome.stderr, "");
    assert.equal(outcome.code, code);
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
  for (const [index, [args, code]] of OFFLINE_CALLS.entries()) {
    const outcome = await traced(`call-${index}`, [SVC, ...args]);
    assert.deepEqual(outcome.sockets, []);
    assert.equal(outcome.code, code);
  }
});
