/** The command line `svc-server`. Exit codes: 0 done, 1 refused or failed, 64 wrong usage. */
import { VERSION } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { UsageError } from "@svc/host/settings";
import { Command, CommanderError } from "commander";
import { acceptLossCommand } from "./accept-loss.ts";
import { auditLogCommand } from "./audit-log.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { doctorCommand } from "./doctor.ts";
import { fsckCommand } from "./fsck.ts";
import { initCommand } from "./init.ts";
import { createKeyCommand, listKeysCommand, revokeKeyCommand, rotateKeyCommand } from "./keys.ts";
import { machineAdvice } from "./machine-faults.ts";
import { migrateStoreCommand } from "./migrate-store.ts";
import { policiesCommand } from "./policies.ts";
import { rotateSigningCommand } from "./rotate-signing.ts";
import { startCommand } from "./start.ts";
import { systemsCommand, tenantsCommand } from "./tenants.ts";

/** The exit code of a refusal or a failure. */
export const EXIT_FAILED = 1;
/** The exit code of wrong usage (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/**
 * Runs a command line without the program's own name, and resolves to its exit code. Never rejects: it prints errors.
 */
export async function run(words: readonly string[]): Promise<number> {
  try {
    // Some package managers pass on the "--" that separates their own options.
    await program().parseAsync(words[0] === "--" ? words.slice(1) : [...words], { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed the mistake; help and version are no mistakes.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const code = error instanceof ServiceError ? `${error.code}: ` : "";
    const advice = machineAdvice(error);
    const says = error instanceof Error ? error.message : String(error);
    console.error(`svc-server: ${code}${says}${advice === null ? "" : `. ${advice}`}`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

function program(): Command {
  const root = new Command("svc-server")
    .description("Records events as evidence that anyone can verify, offline.")
    .version(VERSION)
    // Otherwise --version of a command would be taken for the program's own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(svc-server --help lists the commands)");
  const keys = new Command("keys").description("system keys, by which systems are known; and the key that seals");
  for (const make of [createKeyCommand, listKeysCommand, rotateKeyCommand, revokeKeyCommand, rotateSigningCommand])
    keys.addCommand(make());
  for (const command of [
    initCommand(),
    startCommand(),
    tenantsCommand(),
    systemsCommand(),
    policiesCommand(),
    keys,
    auditLogCommand(),
    acceptLossCommand(),
    fsckCommand(),
    doctorCommand(),
    backupCommand(),
    restoreCommand(),
    migrateStoreCommand(),
  ])
    root.addCommand(command);
  everyCommand(root, (command) => command.copyInheritedSettings(root));
  return root;
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  for (const child of command.commands) {
    visit(child);
    everyCommand(child, visit);
  }
}
