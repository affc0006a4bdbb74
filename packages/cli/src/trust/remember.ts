/**
 * `svc trust remember`: notes the newest head of verified evidence, so that a history that is later rewritten is found
 * (section 16).
 */
import { type Json, type Kernel, verify } from "@svc/core";
import { Command } from "commander";
import { refuseOther } from "../evidence-file/not-evidence.ts";
import { named } from "../evidence-file/open.ts";
import { EXIT, exitCodeOf, Refusal } from "../exit.ts";
import { readInput } from "../input.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { newestHead } from "./newest-head.ts";
import { noteHead } from "./pins.ts";
import type { TrustFile } from "./store.ts";

/** Returns the command. It verifies under the content of the file at the moment of writing. */
export function rememberCommand(): Command {
  return new Command("remember")
    .description("Verify a file, and note its newest checkpoint, so that a rewritten past is found later.")
    .argument("<file>", "evidence with a checkpoint; - for standard input")
    .addHelpText("after", "\nExample:\n  svc trust remember march.bundle.json")
    .addHelpText("after", "\nOnly a verified file is remembered; otherwise the exit code is 1 or 2.")
    .action(async (path: string, options: TrustFileOption) => {
      const bytes = await readInput(path);
      refuseOther(named(path), bytes);
      const done = ["Remembered. Evidence of this stream must extend that checkpoint from now on, or be part of it."];
      await changeTrust(options, done, (file, kernel) => remembered(kernel, file, path, bytes));
    });
}

function remembered(kernel: Kernel, file: TrustFile, path: string, bytes: Uint8Array): TrustFile {
  const report = verify(bytes, { kernel, trust: file.policy });
  const [problem] = report.problems;
  if (problem !== undefined)
    throw new Refusal(
      exitCodeOf(report.verdict),
      `"${path}" is ${report.verdict}, so it was not remembered: ${problem.code} at ` +
        `${problem.path === "" ? "the whole" : problem.path}. ${problem.message}`,
      problem.action,
    );
  const parsed = kernel.parseJson(bytes);
  const head = newestHead(report.kind, parsed.ok ? parsed.value : (null as Json));
  if (head !== null) return noteHead(file, head);
  throw new Refusal(
    EXIT.usage,
    `"${path}" is verified, and shows no checkpoint to remember.`,
    "Give a bundle, a checkpoint, a portable receipt with one, or consistency evidence.",
  );
}
