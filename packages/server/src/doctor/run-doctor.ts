/**
 * All checks of an operator before and while a server runs, one finding for each. They change nothing except a test
 * file for a moment, and open no connection but to the server of the database. They do NOT verify the evidence in the
 * database; fsck does.
 */
import type { Kernel } from "@svc/core";
import { type Finding, fail, looked, ok, warn } from "@svc/host/checks";
import type { Clock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { openReaders, type Reader } from "@svc/host/store";
import type { DiagnoseContext } from "../check-context.ts";
import { openDataFolder } from "../data-folder/data-folder.ts";
import { locationOfDatabase } from "../deployment/database.ts";
import type { Program } from "../program/program.ts";
import { readConfig } from "../settings/config.ts";
import { commandSettings } from "../settings/process-settings.ts";
import { openKeySource } from "../signing/key-source.ts";
import { serviceRow } from "../signing/service-store.ts";
import { checkBelongings, checkMark, checkWitness } from "./check-belongings.ts";
import { checkPermissions, checkPlace, checkReserve, describeLock, isServed } from "./check-folder.ts";
import { checkRoom, checkRuntime, checkSyncs } from "./check-machine.ts";
import { checkExposure, checkOrigin, checkPorts } from "./check-network.ts";
import { checkServer } from "./check-server.ts";
import { checkServerHealth } from "./check-server-health.ts";
import { checkIntegrity } from "./check-store.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Resolves to the findings, in the order of printing. Under a configuration with mistakes, only configuration and
 * runtime are checked.
 */
export async function runDoctor(
  program: Program,
  environment: Environment,
  options: { readonly data?: string },
  { kernel, clock }: { readonly kernel: Kernel; readonly clock: Clock },
): Promise<Finding[]> {
  const { config, findings } = checkConfig(program, environment, options);
  findings.push(...checkRuntime(process.version));
  // Under other settings than the intended ones, the other checks would say nothing.
  if (config === null) return [...findings, warn("all else", "was not looked at: correct the configuration first.")];
  const now = clock();
  let folder: ReturnType<typeof openDataFolder>;
  try {
    folder = openDataFolder(config.dataFolder, config);
  } catch (error) {
    return [...findings, fail("data folder", (error as Error).message), ...checkExposure(config)];
  }
  let served = false;
  const lookAtLock = () => {
    served = isServed(folder.path);
    return describeLock(served);
  };
  findings.push(
    ...(await looked("permissions", () => checkPermissions(folder, config.keySettings))),
    ...(await looked("lock", lookAtLock)),
    ...(await looked("disk", () => checkRoom(folder))),
    ...(await looked("fsync", () => checkSyncs(folder))),
    ...(await looked("reserve", () => checkReserve(folder))),
    ...(await looked("place", () => checkPlace(folder))),
  );
  const source = openKeySource(config.keySettings, kernel, folder.path);
  const withReader = (check: string, look: (reader: Reader) => Promise<Finding[]>) =>
    looked(check, async () => {
      const readers = openReaders(locationOfDatabase(folder, config));
      try {
        return await readers.read(look);
      } finally {
        readers.close();
      }
    });
  findings.push(
    ...(await looked("database server", () => checkServer(folder, config))),
    ...(await withReader("pages", (reader) => checkServerHealth(reader, folder))),
    ...(await withReader("database", (reader) => checkIntegrity(reader, program, folder))),
    ...(await withReader("folder's files", (reader) => checkBelongings(reader, kernel, folder, source))),
    ...(await withReader("progress", (reader) => checkMark(reader, folder, config.progressFile))),
    ...(await withReader("witness", (reader) => checkWitness(reader, kernel, folder))),
    // Every setting of a family is one of the configuration.
    ...(await diagnoses(program, { kernel, now, folder, source, settings: () => config as never, read: withReader })),
    ...(await withReader("origin", async (reader) =>
      checkOrigin((await serviceRow(reader))?.evidence_origin ?? "", config),
    )),
    ...(await looked("port", () => checkPorts(config, served))),
    ...checkExposure(config),
  );
  source.close();
  return findings;
}

/** Resolves to the findings of all families. */
async function diagnoses({ families }: Program, context: DiagnoseContext): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { diagnose } of families) if (diagnose !== undefined) findings.push(...(await diagnose(context)));
  return findings;
}

/**
 * Returns the configuration, null if it has mistakes, and a finding for each mistake and for each variable that nothing
 * reads.
 */
function checkConfig(program: Program, environment: Environment, options: { readonly data?: string }) {
  const known = Object.values({ ...program.settings, ...commandSettings }).map(({ variable }) => variable);
  const unread = Object.keys(environment).filter((name) => /^SVC_/.test(name) && !known.includes(name));
  const findings = unread.map((name) =>
    warn("configuration", `${name} is set, and the server has no such setting: start --help lists all.`),
  );
  try {
    const config = readConfig(program, environment, options);
    return { config, findings: [ok("configuration", "no mistakes"), ...findings] };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const mistakes = error.message.split("\n").map((mistake) => fail("configuration", mistake));
    return { config: null, findings: [...mistakes, ...findings] };
  }
}
