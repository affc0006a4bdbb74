/**
 * `node conformance/malicious/main.ts <name>`: a program that speaks the conformance protocol and lies in
 * exactly one way. The kit is held against each: one that passes shows a missing case. `--list` prints all names, each
 * with what it does.
 */
import process from "node:process";
import { type Kernel, selectKernel } from "@svc/core";
import { escapeJson } from "@svc/report";
import { answerBytes } from "../../packages/cli/src/conformance/answer.ts";
import { MAX_REQUEST_BYTES } from "../../packages/cli/src/conformance/converse.ts";
import { splitLines } from "../../packages/cli/src/conformance/lines.ts";
import type { Lie } from "./lie.ts";
import { LIES } from "./lies.ts";

const [name] = process.argv.slice(2);
const lie = LIES.find((one) => one.name === name);
if (name === "--list") for (const one of LIES) console.log(`${one.name}: ${one.does}`);
else if (lie !== undefined) await converse(lie, selectKernel());
else {
  console.error(`There is no malicious verifier ${name ?? ""}. --list prints all of them.`);
  process.exitCode = 64;
}

/** Answers every line, in order. A line that is no JSON gets the honest answer: no lie is about it. */
async function converse({ tell }: Lie, kernel: Kernel): Promise<void> {
  const answering = tell(kernel);
  for await (const line of splitLines(process.stdin, MAX_REQUEST_BYTES)) {
    if (line === null) throw new RangeError(`a line is longer than ${MAX_REQUEST_BYTES} bytes`);
    const parsed = kernel.parseJson(line);
    const answer = parsed.ok ? await answering(parsed.value) : answerBytes(line, kernel);
    process.stdout.write(`${escapeJson(JSON.stringify(answer))}\n`);
  }
}
