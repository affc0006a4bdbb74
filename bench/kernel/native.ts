/**
 * The native build of the same crate, as the limit for the compiled kernel on this machine: compiled on demand with the
 * machine's cargo, started once, with its inputs in files.
 */
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../../packages/wasm/toolchain/run.ts";
import { type Contender, expectAnswer } from "../measure.ts";

const CRATE = fileURLToPath(new URL("../native", import.meta.url));
const PROGRAM = "svc-kernel-bench";
/**
 * The SHA instructions of x86 are found at run time, as the sha2 crate does it: compiled in, they mix with AVX code in
 * one function, and that was ten times slower.
 */
const RUSTFLAGS = process.arch === "x64" ? "-Ctarget-cpu=native -Ctarget-feature=-sha" : "-Ctarget-cpu=native";

/** Returns a contender of the native build; null without one. `expected` is the fingerprint of its answer. */
export function nativeWork(
  native: Native | null,
  work: string,
  inputs: readonly Uint8Array[],
  amount: number,
  expected: string,
  ...numbers: number[]
): Contender | null {
  return native?.contender(work, inputs, amount, expected, numbers) ?? null;
}

/** A running native build. */
export class Native {
  /** The output of `rustc --version`. */
  readonly compiler: string;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;
  readonly #folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
  #files = 0;

  private constructor(program: string, compiler: string) {
    this.compiler = compiler;
    this.#process = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Compiles and starts it, or returns in a few words why it cannot. */
  static build(): Native | string {
    const cargo = findCargo();
    if (cargo === null) return "no cargo";
    const target = cacheFolder("bench-target");
    const env = {
      ...process.env,
      PATH: [dirname(cargo), process.env.PATH ?? ""].join(delimiter),
      CARGO_TARGET_DIR: target,
      RUSTFLAGS,
    };
    const { status } = spawnSync(cargo, ["build", "--release", "--locked", "--quiet"], {
      cwd: CRATE,
      env,
      stdio: ["ignore", 2, 2],
    });
    if (status !== 0) {
      console.error(
        "After a change of the kernel's dependencies, `cargo update --workspace` in bench/native renews its lock.",
      );
      return "not built";
    }
    const { stdout } = spawnSync("rustc", ["--version"], { env, encoding: "utf8" });
    return new Native(join(target, "release", PROGRAM), stdout.trim());
  }

  /** Returns a contender; native/src/main.rs describes the works and their inputs. */
  contender(
    work: string,
    inputs: readonly Uint8Array[],
    amount: number,
    expected: string,
    numbers: readonly number[],
  ): Contender {
    const line = [work, this.#write(inputs), ...numbers].join("\t");
    return {
      amount,
      lap: async () => {
        this.#process.stdin.write(`${line}\n`);
        const [nanoseconds = "", answer = ""] = String((await this.#answers.next()).value).split("\t");
        expectAnswer(`native ${work}`, answer, expected);
        return Number(nanoseconds) / 1e6;
      },
    };
  }

  /** Stops it, and deletes its inputs. */
  close(): void {
    this.#process.stdin.end();
    rmSync(this.#folder, { recursive: true });
  }

  /** Writes byte strings as a file: their count, their lengths, their bytes; numbers are 32-bit little-endian. */
  #write(texts: readonly Uint8Array[]): string {
    const path = join(this.#folder, `${this.#files++}`);
    const head = Buffer.alloc(4 + 4 * texts.length);
    head.writeUInt32LE(texts.length);
    texts.forEach((text, index) => {
      head.writeUInt32LE(text.length, 4 + 4 * index);
    });
    const file = openSync(path, "w");
    for (const part of [head, texts.length === 1 ? (texts[0] ?? head) : Buffer.concat(texts)]) {
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    }
    closeSync(file);
    return path;
  }
}

/** Returns the cargo on the PATH, rustup's, or the system's; null without any. */
function findCargo(): string | null {
  const folders = [...(process.env.PATH ?? "").split(delimiter), join(homedir(), ".cargo/bin"), "/usr/bin"];
  const works = (cargo: string) => spawnSync(cargo, ["--version"], { stdio: "ignore" }).status === 0;
  return folders.map((folder) => join(folder, "cargo")).find(works) ?? null;
}
