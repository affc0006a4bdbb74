/** The command `svc` in Go and the npm `svc`, as programs in one folder, for tests that hold them to each other. */
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { built } from "@svc/testkit/built";
import { go, isThere } from "./toolchain.ts";

/** The working folder of every call; the tests remove it. World-readable, for calls as another user. */
export const FOLDER: string = realpathSync(mkdtempSync(join(tmpdir(), "svc-go-command-")));
chmodSync(FOLDER, 0o755);
after(() => rmSync(FOLDER, { recursive: true }));

/** The command in Go, built as a release is. */
export const GO_SVC: string = join(FOLDER, "svc");
if (isThere) go("cmd/svc", ["build", "-trimpath", "-ldflags", "-s -w", "-o", GO_SVC, "."], { CGO_ENABLED: "0" });
const NPM_SVC = join(await built("cli"), "svc.mjs");

/** The end of a process. */
export interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** A program that is called `svc`. */
export type Program = (...args: readonly string[]) => Promise<Ended>;

export const goSvc: Program = (...args) => runIn(FOLDER, GO_SVC, args);
export const npmSvc: Program = (...args) => runIn(FOLDER, process.execPath, [NPM_SVC, ...args]);

/** Runs a program with no variables but PATH, and with this on its standard input. */
export function runIn(folder: string, file: string, args: readonly string[], input?: Uint8Array): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: folder, env: { PATH: process.env.PATH } });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk) => out.push(chunk));
    child.stderr.on("data", (chunk) => err.push(chunk));
    // A process that refuses its arguments ends without reading its input.
    child.stdin.on("error", () => {}).end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ stdout: `${Buffer.concat(out)}`, stderr: `${Buffer.concat(err)}`, code }));
  });
}

/** Writes a file into the folder, as JSON unless it is a text. Returns its name. */
export function put(name: string, content: unknown): string {
  writeFileSync(join(FOLDER, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}
