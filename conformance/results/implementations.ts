/**
 * Our own implementations: each with the command that the runner starts, or the reason why it does not run on this
 * machine. All are the built products, as they ship.
 */
import { spawnSync } from "node:child_process";
import { cpSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { built, serverProgram } from "@svc/testkit/built";
import { HAS_CHROMIUM, unpackChromium } from "@svc/testkit/chromium";
import { environment, pythons } from "@svc/testkit/python";
import { findBinary, findNode } from "@svc/testkit/runtimes";
import { startTestKeyServer } from "../adapters/test-key-server.ts";

/** A started implementation, as the runner needs it. */
export interface Started {
  /** The command for a shell. */
  readonly command: string;
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends what runs beside the command. */
  stop?(): Promise<void>;
}

/** An implementation. */
export interface Implementation {
  readonly name: string;
  /** The command as a reader with the kit types it. */
  readonly repeat: string;
  /** Why it does not run here; null if it does. */
  readonly missing: string | null;
  start(): Promise<Started>;
}

const OLDER_NODES = [20, 22];

/** Resolves to all implementations. `folder`: for what is unpacked; the caller deletes it. */
export async function implementations(folder: string): Promise<Implementation[]> {
  const [python] = await pythons();
  return [
    onRuntime("Node", process.execPath, "node", "wasm"),
    onRuntime("Node", process.execPath, "node", "reference"),
    ...OLDER_NODES.map((major) => onRuntime(`Node ${major}`, findNode(major), "node", "wasm")),
    onRuntime("Deno", findBinary("deno", "deno"), "deno run -A", "wasm"),
    onRuntime("Bun", findBinary("bun", "bin/bun"), "bun", "wasm"),
    page(folder),
    api(),
    inGo(folder, "reference"),
    inGo(folder, "wasm"),
    inPython(python),
  ];
}

/** The one file without symbols, as it ships. */
function inGo(folder: string, kernel: string): Implementation {
  const has = spawnSync("go", ["version"]).status === 0;
  return {
    name: `svc in Go, ${kernel} kernel`,
    repeat: `./svc conformance --kernel ${kernel}`,
    missing: has ? null : "no Go on the machine that ran the others",
    async start() {
      const program = join(folder, "svc");
      const words = ["build", "-trimpath", "-ldflags=-s -w", "-buildvcs=false", "-o", program, "."];
      const cwd = fileURLToPath(new URL("../../sdks/go/cmd/svc", import.meta.url));
      const { status, stderr } = spawnSync("go", words, { cwd, env: { ...process.env, CGO_ENABLED: "0" } });
      if (status !== 0) throw new Error(`the svc in Go cannot be built: ${stderr}`);
      return { command: `"${program}" conformance --kernel ${kernel}` };
    },
  };
}

function inPython(command: string | undefined): Implementation {
  return {
    name: `svc-sdk, wasm kernel, Python ${command === undefined ? "3" : versionOf(command)}`,
    repeat: "python3 -m svc conformance --kernel wasm",
    missing: command === undefined ? "no Python on the machine that ran the others" : null,
    async start() {
      const PYTHONPATH = fileURLToPath(new URL("../../sdks/python/src", import.meta.url));
      return { command: `"${await environment(`${command}`)}" -m svc conformance --kernel wasm`, env: { PYTHONPATH } };
    },
  };
}

function onRuntime(runtime: string, path: string | null, words: string, kernel: string): Implementation {
  const [, ...options] = words.split(" ");
  return {
    name: `svc.mjs, ${kernel} kernel, ${path === null ? runtime : `${runtime.split(" ")[0]} ${versionOf(path)}`}`,
    repeat: `${words} svc.mjs conformance --kernel ${kernel}`,
    missing: path === null ? "no such runtime on the machine that ran the others" : null,
    async start() {
      const program = join(await built("cli"), "svc.mjs");
      return { command: [`"${path}"`, ...options, `"${program}" conformance --kernel ${kernel}`].join(" ") };
    },
  };
}

function page(folder: string): Implementation {
  return {
    name: "verify.html in Chromium",
    repeat: "node adapters/page.mjs --chromium /usr/bin/chromium --page verify.html",
    missing: HAS_CHROMIUM ? null : "no Chromium for the machine that ran the others",
    async start() {
      cpSync(join(await built("page"), "verify.html"), join(folder, "verify.html"));
      const { executablePath, env } = await unpackChromium(folder);
      const words = `--chromium "${executablePath}" --page "${join(folder, "verify.html")}" --no-sandbox`;
      return { command: `"${process.execPath}" "${adapter("page.mjs")}" ${words}`, env };
    },
  };
}

/** The server has the test key of the cases for its own: the route trusts nobody else. */
function api(): Implementation {
  return {
    name: "svc-server, POST /v2/verify",
    repeat: "node adapters/api.mjs --url http://127.0.0.1:8080",
    missing: null,
    async start() {
      const { url, stop } = await startTestKeyServer(await serverProgram(), { SVC_ADDRESS_REQUESTS_PER_SECOND: "0" });
      return { command: `"${process.execPath}" "${adapter("api.mjs")}" --url ${url}`, stop };
    },
  };
}

function adapter(file: string): string {
  return fileURLToPath(new URL(`../adapters/${file}`, import.meta.url));
}

/** Returns the version of a runtime, as `--version` states it. */
function versionOf(runtime: string): string {
  const { stdout } = spawnSync(runtime, ["--version"], { encoding: "utf8" });
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? "of no stated version";
}
