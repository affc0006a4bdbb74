/** The command line `svc-witness`. Exit codes: 0 done, 1 refused or failed, 64 wrong usage. */
import { rootCommand, runProgram } from "@svc/host/command-line";
import { backupCommand } from "./backup.ts";
import { doctorCommand } from "./doctor.ts";
import { forksCommand } from "./forks.ts";
import { initCommand } from "./init.ts";
import { keyCommand } from "./key.ts";
import { originsCommand } from "./origins.ts";
import { startCommand } from "./start.ts";

/** Runs a command line without the program's own name, and resolves to its exit code. Never rejects. */
export function run(words: readonly string[]): Promise<number> {
  const description =
    "Cosigns the checkpoints of logs, each only if it extends the one before (c2sp.org/tlog-witness).";
  const commands = [
    initCommand(),
    startCommand(),
    keyCommand(),
    originsCommand(),
    forksCommand(),
    doctorCommand(),
    backupCommand(),
  ];
  return runProgram(rootCommand("svc-witness", description, commands), words);
}
