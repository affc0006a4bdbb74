/** `svc-server init`: makes a deployment and prints its names. The system key is shown only here and is not stored. */

import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { initialize } from "../initialize.ts";
import { kernel } from "../kernel.ts";
import { originFault } from "../origin.ts";
import type { Program } from "../program/program.ts";
import { readConfig } from "../settings/config.ts";
import { invocation, shownFolder } from "./invocation.ts";

interface Options {
  readonly origin?: string;
  readonly data?: string;
  readonly tenant: string;
  readonly system: string;
  readonly useCase: string;
  readonly json?: true;
}

/** Returns the command `init`. */
export function initCommand(program: Program): Command {
  return new Command("init")
    .description("make a data folder with keys, a tenant, a system, a system key and a stream")
    .option("--origin <origin>", 'what all evidence is issued under, such as "demo.example/evidence"; fixed for good')
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--tenant <name>", "the tenant's name", "default")
    .option("--system <name>", "the source system's name", "default")
    .option("--use-case <text>", "what the first stream records", "general")
    .option("--json", "print one JSON object instead of text")
    .action((options: Options) => init(program, options));
}

async function init(program: Program, options: Options): Promise<void> {
  const config = readConfig(program, process.env, options);
  const origin = options.origin ?? config.origin;
  if (origin === null)
    throw new UsageError([
      'The origin is missing. Choose a name that is yours, such as "evidence.example.com", and give it with ' +
        "--origin: it is in all evidence and can never be changed.",
    ]);
  const fault = originFault(origin);
  if (fault !== null) throw new UsageError([`--origin ${JSON.stringify(origin)} cannot be used: ${fault}.`]);
  const made = await initialize({
    program,
    dataFolder: config.dataFolder,
    origin,
    tenantName: options.tenant,
    systemName: options.system,
    useCase: options.useCase,
    withKey: true,
    keySettings: config.keySettings,
    databaseSettings: config,
    kernel,
    clock: systemClock,
  });
  if (options.json) {
    console.log(JSON.stringify(made));
    return;
  }
  console.log(`Initialised ${made.origin}

  origin       ${made.origin} (is in all evidence, fixed for good)
  data folder  ${made.data_folder} (keep a backup: the keys cannot be made again)
  signing key  ${made.kid}
               ${made.public_key_hex} (public; verifiers pin this)
  tenant       ${made.tenant_id}
  system       ${made.system_id}
  stream       ${made.stream_id}, policy ${made.policy_id}

  API key      ${made.api_key}
               Shown this once and not stored. Another: ${invocation(program)} keys create --data ${shownFolder(config.dataFolder)}

Next: ${invocation(program)} start --data ${shownFolder(config.dataFolder)}`);
}
