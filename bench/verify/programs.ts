/**
 * The programs that `bench verify` compares. Each lap is a separate process, so that none finds warm code or memory of
 * another.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { type Contender, WrongAnswer } from "../measure.ts";
import type { Form } from "./bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLAIN = join(ROOT, "bench/yardsticks/plain-verify.mjs");

/** The call of the yardstick, before its file and its key. */
export const PLAIN_CALL: readonly string[] = [
  "--import",
  new URL("resolve-canonicalize.mjs", import.meta.url).href,
  PLAIN,
];

/** A program with its arguments, and the output of its laps so far. */
export interface Program extends Contender {
  readonly printed: readonly Printed[];
}

/** The output of a program. */
export interface Printed {
  readonly ok: boolean;
  readonly receipts: number;
  readonly ms: number;
  /** Peak memory, in MiB. */
  readonly rss_mb: number;
  /** The signatures' share of `ms`; the yardstick reports it. */
  readonly signature_ms?: number;
}

/** Makes our program one file, as a user would have it. */
export async function buildOurs(folder: string): Promise<string> {
  const outfile = join(folder, "ours.mjs");
  await build({
    entryPoints: [join(ROOT, "bench/verify/ours.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return outfile;
}

/** Writes a bundle, in a separate process: the memory of a child counts from that of its parent on. */
export async function writeBundleApart(file: string, count: number, form: Form): Promise<void> {
  const code = `import { writeBundle } from ${JSON.stringify(new URL("bundle.ts", import.meta.url).href)};
    await writeBundle(${JSON.stringify(file)}, ${count}, ${JSON.stringify(form)});`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: ROOT,
  });
}

/** Returns our verifier over a file. */
export function ours(
  program: string,
  file: string,
  count: number,
  keyHex: string,
  kernel: "wasm" | "reference",
  threads: number,
): Program {
  return programOf([program, file, keyHex, kernel, `${threads}`], count);
}

/** Returns the yardstick over a file. */
export function plain(file: string, count: number, keyHex: string): Program {
  return programOf([...PLAIN_CALL, file, keyHex], count);
}

function programOf(args: readonly string[], amount: number): Program {
  const printed: Printed[] = [];
  return {
    amount,
    printed,
    async lap() {
      const { stdout } = await promisify(execFile)(process.execPath, args, { encoding: "utf8" });
      const answer = JSON.parse(stdout) as Printed;
      if (!answer.ok || answer.receipts !== amount) throw new WrongAnswer(`${args.join(" ")}: ${stdout}`);
      printed.push(answer);
      return answer.ms;
    },
  };
}
