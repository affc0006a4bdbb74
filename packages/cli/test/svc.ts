/**
 * The built `svc.mjs` as a real process. It is in a folder without `node_modules`, together with evidence to check;
 * the folder is removed when the tests are done. SVC_PROGRAM names another program, which must do the same: that of
 * sdks/go/cmd/svc.
 */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { after } from "node:test";
import { builtPage, copyBuilt } from "@svc/testkit/built";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import type { Plugin } from "esbuild";
import { buildCli } from "../build.ts";

/** The key that seals the good evidence. */
export const KEY: string = SERVICE.publicKeyHex;
export const PIN: readonly string[] = ["--public-key-hex", KEY];

/** The working folder of every call, with all files. World-readable, for calls as another user. */
export const FOLDER: string = realpathSync(mkdtempSync(join(tmpdir(), "svc-cli-")));
/** The folder of the program that a run of the tests has for all files; undefined for a file that runs by itself. */
const OF_RUN: string | undefined = process.env.SVC_TEST_CLI;
export const SVC: string = join(OF_RUN ?? join(FOLDER, "bin"), "svc.mjs");
/** Another program than ours under test; undefined for ours. */
export const OTHER: string | undefined = process.env.SVC_PROGRAM;

/** Node keeps the compiled program here: a file of tests starts it up to a hundred times. */
const COMPILED = join(OF_RUN ?? FOLDER, "compiled");

after(() => rmSync(FOLDER, { recursive: true }));

/** Ten loan decisions in three windows under two checkpoints, one managed witness; and the bundle over them. */
export const evidence = await issueStream(10);
export const bundle = await bundleOf(evidence);
/** The receipt of event 5. */
export const receipt = evidence.records[4] as (typeof evidence.records)[number];

chmodSync(FOLDER, 0o755);
mkdirSync(join(FOLDER, "bin"));
if (OTHER === undefined && OF_RUN === undefined) await copyBuilt("cli", join(FOLDER, "bin"));
put("march.bundle.json", bundle);
put("loan-1005.receipt.json", receipt);

/**
 * Builds a `svc` whose compiled kernel has one fault, which no file can provoke. Resolves to its path. `fault` is the
 * faulty member of the kernel, as TypeScript.
 */
export async function buildWithFault(name: string, fault: string): Promise<string> {
  // Another program has no such build.
  if (OTHER !== undefined) return name;
  const faultyKernel: Plugin = {
    name: "faulty-kernel",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]start-kernel\.ts$/ }, ({ path }) => ({
        resolveDir: dirname(path),
        loader: "ts",
        contents: `import { referenceKernel } from "@svc/core";
          const faulty = { ...referenceKernel, name: "wasm", sha256Hex: "${"0badc0de".repeat(8)}", ${fault} };
          export const startKernel = (name) => (name === "reference" ? referenceKernel : faulty);`,
      }));
    },
  };
  const program = join(FOLDER, "bin", `${name}.mjs`);
  await buildCli(program, [faultyKernel], await builtPage());
  return program;
}

/** Writes a file into the folder, as JSON unless it is already text or bytes. Returns its name. */
export function put(name: string, content: unknown): string {
  const isRaw = typeof content === "string" || content instanceof Uint8Array;
  writeFileSync(join(FOLDER, name), isRaw ? content : JSON.stringify(content, null, 1));
  return name;
}

/** Returns a copy of plain data with a change made to it. */
export function changed<Value>(value: Value, change: (copy: ReturnType<typeof JSON.parse>) => void): Value {
  const copy = JSON.parse(JSON.stringify(value));
  change(copy);
  return copy;
}

/** The result of a process. `code` is null if a signal ended it. */
export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

export interface RunOptions {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
  /** Another build than the ordinary one. */
  readonly program?: string;
  /** Closes the reading end of stdout at once. */
  readonly closesStdout?: boolean;
}

/** Runs `svc` with arguments. */
export function svc(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const [file = "", ...words] = commandOf(process.execPath, options);
  const env = { ...(OTHER === undefined ? { NODE_COMPILE_CACHE: COMPILED } : {}), ...options.env };
  return runProcess(file, [...words, ...args], { ...options, env });
}

/** Returns the program under test as words before its arguments; ours runs on this Node. */
export function commandOf(node: string, { program }: RunOptions = {}): readonly string[] {
  return OTHER === undefined ? [node, program ?? SVC] : [OTHER];
}

/** The program under test in a shell's words. */
export const COMMAND: string = commandOf(process.execPath)
  .map((word) => `"${word}"`)
  .join(" ");

/**
 * Returns the part of a report that every program must give: all of it from ours, and all but the verifier and its own
 * words from another one (protocol section 16).
 */
export function told(value: unknown): unknown {
  if (OTHER === undefined || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(told);
  const members = Object.entries(value).filter(([name]) => !OWN_WORDS.includes(name));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(name, told(member))]));
}

/** Problems of one check have no order; the order of checks is compared by the conformance kit. */
function inOrder(name: string, value: unknown): unknown {
  if (name !== "problems" || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

const OWN_WORDS: readonly string[] = ["verifier", "message", "note", "expected", "actual"];

/** Runs any program in the folder, with an environment that holds only PATH and the given variables. */
export function runProcess(file: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: FOLDER,
      env: { PATH: outerPath(), ...options.env },
      ...(options.uid === undefined ? {} : { uid: options.uid }),
    });
    let stdout = "";
    let stderr = "";
    if (options.closesStdout) child.stdout.destroy();
    else child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    // A process that refuses its arguments ends without reading its input.
    child.stdin.on("error", () => {}).end(options.stdin);
    child.on("error", reject);
    child.on("close", (code) => resolve({ stdout, stderr, code }));
  });
}

/** Returns PATH without the folders that package managers put in front: the machine's own programs. */
export function outerPath(): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.filter((folder) => !folder.includes("node_modules")).join(delimiter);
}

/**
 * Returns output with fixed words for the parts that differ from run to run, and from one build of the kernel to the
 * next.
 */
export function steady(text: string): string {
  return text
    .replace(/(verified|checked) in (under )?\d+\.\d s,/, "$1 in <duration>,")
    .replace(/(, kernel |\(wasm )[0-9a-f]{16}…/g, "$1<sha256>…")
    .replace(/, kernel reference,/g, OTHER === undefined ? "$&" : ", kernel <sha256>…,");
}
