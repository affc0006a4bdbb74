/** The programs that `bench verify` compares. Each lap is a process of its own, so that nobody finds warm code or memory of another. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { type Contender, WrongAnswer } from "../measure.ts";
import type { Form } from "./bundle.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PLAIN = join(ROOT, "../shared/bench/plain-verify.mjs");

/** How the yardstick is called, before its file and its key. */
export const PLAIN_CALL: readonly string[] = [
  "--import",
  new URL("resolve-canonicalize.mjs", import.meta.url).href,
  PLAIN,
];

/** A program with its arguments, and what it printed in its laps so far. */
export interface Program extends Contender {
  readonly printed: readonly Printed[];
}

/** What a program prints. */
export interface Printed {
  readonly ok: boolean;
  readonly receipts: number;
  readonly ms: number;
  /** Peak memory, in MiB. */
  readonly rss_mb: number;
  /** How much of `ms` the signatures took; the yardstick says it. */
  readonly signature_ms?: number;
}

/** Makes our program a file of its own, as a user would have it. */
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

/** Writes a bundle, in a process of its own: the memory of a child is counted from that of its parent on. */
export async function writeBundleApart(file: string, count: number, form: Form): Promise<void> {
  const code = `import { writeBundle } from ${JSON.stringify(new URL("bundle.ts", import.meta.url).href)};
    await writeBundle(${JSON.stringify(file)}, ${count}, ${JSON.stringify(form)});`;
  await promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", code], {
    cwd: ROOT,
  });
}

/** Our verifier over a file. */
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

/** The yardstick over a file. Throws where it is missing. */
export function plain(file: string, count: number, keyHex: string): Program {
  if (!existsSync(PLAIN)) throw new TypeError(`the yardstick is missing: ${PLAIN}`);
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
