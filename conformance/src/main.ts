/** The runner of the conformance kit: `node run.mjs --command "<program>"`; call.ts has its words. */
import { readCall, USAGE } from "./call.ts";
import { readExpectedFailures } from "./cases/expected-failures.ts";
import { readCases } from "./cases/read.ts";
import { selectCases } from "./cases/select.ts";
import { escapeText } from "./escape.ts";
import { EXIT, type ExitCode, Refusal } from "./exit.ts";
import { searchDifferences } from "./mutants/search.ts";
import { missingProgram } from "./program/command.ts";
import { killGroups, killGroupsAtExit } from "./program/groups.ts";
import { checkWritable, writeReport } from "./reports/files.ts";
import { htmlOf } from "./reports/html.ts";
import { junitOf } from "./reports/junit.ts";
import { handshakeLines, resultLines } from "./reports/text.ts";
import { END, HELLO } from "./run/hello.ts";
import { holds, resultOf } from "./run/result.ts";
import { run } from "./run/run.ts";
import { RUNNER } from "./runner.ts";

/** So often the last words of a program that failed are shown. */
const MAX_LAST_WORDS = 5;

/** Runs a call, and resolves to its exit code. `words`: those behind the name of the program. Never rejects. */
export async function main(words: readonly string[]): Promise<ExitCode> {
  try {
    return await obey(words);
  } catch (error) {
    if (error instanceof Refusal) {
      console.error(`conformance: ${inLines(error.message)}`);
      return error.exitCode;
    }
    console.error(`conformance: an error of the runner itself: ${error instanceof Error ? error.stack : error}`);
    return EXIT.internal;
  } finally {
    // A program that still runs would keep this process from its end.
    killGroups();
  }
}

async function obey(words: readonly string[]): Promise<ExitCode> {
  const call = readCall(words);
  if (call === null) {
    console.log(USAGE);
    return EXIT.passed;
  }
  const caseSet = readCases(call.cases);
  const cases = selectCases(caseSet.cases, call);
  const known = [HELLO, END, ...caseSet.cases.map(({ name }) => name)];
  const { expectFailures } = call;
  const expectedFailures = expectFailures === null ? new Set<string>() : readExpectedFailures(expectFailures, known);
  for (const command of [call.command, ...(call.mutants === null ? [] : [call.mutants.against])]) {
    const missing = missingProgram(command);
    if (missing !== null) throw new Refusal(EXIT.usage, missing);
  }
  for (const file of [call.json, call.junit, call.html]) if (file !== null) checkWritable(file);
  killGroupsAtExit();
  let shown = 0;
  const lastWords = (text: string) => {
    if (text !== "" && ++shown <= MAX_LAST_WORDS) console.error(`the program wrote to its standard error:\n${text}\n`);
  };
  if (call.mutants !== null) return searchDifferences(cases, call, call.mutants, lastWords);
  const startedAt = new Date();
  const ran = await run(cases, { ...call, lastWords }, (handshake) => print(handshakeLines(handshake)));
  const result = resultOf({
    ...ran,
    runner: RUNNER,
    caseSet,
    command: call.command,
    cases,
    expectedFailures,
    startedAt,
    seconds: (Date.now() - startedAt.getTime()) / 1000,
  });
  if (call.json !== null) writeReport(call.json, `${JSON.stringify(result, null, 2)}\n`);
  if (call.junit !== null) writeReport(call.junit, junitOf(result, cases));
  if (call.html !== null) writeReport(call.html, htmlOf(result));
  print(resultLines(result));
  return holds(result) ? EXIT.passed : EXIT.failed;
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(inLines(line));
}

function inLines(text: string): string {
  return text.split("\n").map(escapeText).join("\n");
}
