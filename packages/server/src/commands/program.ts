/** The command line of a program. Exit codes: 0 done, 1 refused or failed, 64 wrong usage. */
import { rootCommand, runProgram } from "@svc/host/command-line";
import { Command } from "commander";
import type { Program } from "../program/program.ts";
import { acceptLossCommand } from "./accept-loss.ts";
import { anchorCommand } from "./anchor.ts";
import { auditLogCommand } from "./audit-log.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { doctorCommand } from "./doctor.ts";
import { fsckCommand } from "./fsck.ts";
import { initCommand } from "./init.ts";
import { createKeyCommand, listKeysCommand, revokeKeyCommand, rotateKeyCommand } from "./keys.ts";
import { migrateStoreCommand } from "./migrate-store.ts";
import { policiesCommand } from "./policies.ts";
import { rotatePepperCommand } from "./rotate-pepper.ts";
import { rotateSigningCommand } from "./rotate-signing.ts";
import { rotateWitnessCommand } from "./rotate-witness.ts";
import { startCommand } from "./start.ts";
import { systemsCommand, tenantsCommand } from "./tenants.ts";

/** Runs a command line without the program's own name, and resolves to its exit code. Never rejects. */
export function run(program: Program, words: readonly string[]): Promise<number> {
  const keys = new Command("keys").description(
    "system keys, by which systems are known; the keys that seal and cosign; and the pepper under which secrets " +
      "are hashed",
  );
  for (const make of [
    createKeyCommand,
    listKeysCommand,
    rotateKeyCommand,
    revokeKeyCommand,
    rotateSigningCommand,
    rotateWitnessCommand,
    rotatePepperCommand,
  ])
    keys.addCommand(make(program));
  const commands = [
    initCommand(program),
    startCommand(program),
    tenantsCommand(program),
    systemsCommand(program),
    policiesCommand(program),
    anchorCommand(),
    keys,
    auditLogCommand(program),
    acceptLossCommand(program),
    fsckCommand(program),
    doctorCommand(program),
    backupCommand(program),
    restoreCommand(program),
    migrateStoreCommand(program),
    ...program.commands(program),
  ];
  return runProgram(rootCommand(program.name, program.description, commands), words);
}
