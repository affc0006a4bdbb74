/** The tests of malicious verifiers share these: the built program, the cases, and what the runner says of one. */
import process from "node:process";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { caseFiles } from "../../case-set/case-set.ts";
import type { Case } from "../../src/cases/case.ts";
import type { Result } from "../../src/run/result.ts";
import { allCases } from "../../test/cases.ts";
import { casesFolder, result } from "../../test/runner.ts";
import { buildLiars } from "../build.ts";
import type { Lie } from "../lie.ts";

const program = buildLiars(temporaryFolder());
export const CASES: readonly Case[] = allCases(caseFiles());

/** Resolves to how a malicious verifier does on cases, by the runner of the kit. */
export async function holdLiar({ name }: Lie, cases: readonly Case[]): Promise<Result> {
  const command = `'${process.execPath}' '${await program}' ${name}`;
  return (await result(["--command", command, "--cases", casesFolder({ "cases.jsonl": cases })])).result;
}
