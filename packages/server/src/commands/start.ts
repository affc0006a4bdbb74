/**
 * `svc-server start`: runs the server until a signal stops it. The first signal drains it, a second one ends it at
 * once. An empty data folder becomes a deployment for trying things out; in production only under a chosen origin.
 */

import { setFlagsFromString } from "node:v8";
import { systemClock } from "@svc/host/clock";
import { releaseTerminal, stopRequest } from "@svc/host/command-line";
import { UsageError } from "@svc/host/settings";
import { StoreUncertain } from "@svc/host/store";
import { Command } from "commander";
import { openDataFolder, stateOf } from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { initialize, type Made } from "../initialize.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { type RunningServer, serveOnThreads } from "../serving/serve.ts";
import { type Config, readConfig } from "../settings/config.ts";
import { secretVariables, settingsHelp } from "../settings/settings.ts";
import { oldestStream } from "../streams/streams-store.ts";
import { invocation, shownFolder } from "./invocation.ts";

const KID_PREFIX = "ed25519-";

interface Options {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
  readonly renewProgressFile?: true;
  readonly json?: true;
}

/** Returns the command `start`. */
export function startCommand(program: Program): Command {
  return new Command("start")
    .description("run the server; an empty data folder is initialised first")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--host <address>", "the address to listen on (default: $SVC_HOST or 127.0.0.1)")
    .option("--port <number>", "the port to listen on, 0 for a free one (default: $SVC_PORT or 8787)")
    .option("--renew-progress-file", "go on where the file of SVC_PROGRESS_FILE is lost for good, and make it anew")
    .option("--json", "print one JSON line when listening, instead of text")
    .addHelpText("after", settingsHelp(program.settings))
    .action((options: Options) => start(program, options));
}

async function start(program: Program, options: Options): Promise<void> {
  const config = readConfig(program, process.env, options);
  for (const name of secretVariables(program.settings)) delete process.env[name];
  keepYoungHeapsSmall();
  const stopped = stopRequest();
  const isEmpty = ["nothing", "unfinished"].includes(stateOf(config.dataFolder));
  const made = isEmpty ? await initializeForTrying(program, config) : null;
  const unlock = lockFolder(openDataFolder(config.dataFolder).path);
  try {
    const server = await serveOnThreads(program, config, { renewProgressFile: options.renewProgressFile === true });
    await announce(program, config, server, made, options.json === true);
    const request = await Promise.race([stopped, server.failed]);
    if (!options.json) console.log(`${sayWhy(request)}: finishing what is in flight.`);
    await server.close();
    if (request instanceof Error) throw request;
  } finally {
    unlock();
    releaseTerminal();
  }
  if (!options.json) console.log("Stopped. Everything that was answered is on disk.");
}

function sayWhy(request: string | Error): string {
  if (request instanceof StoreUncertain) return "The disk has failed";
  return request instanceof Error ? "The thread that records has ended" : request;
}

/**
 * Every thread has a heap, whose part for young values grows as long as much is made at a time, and never shrinks. The
 * values of a request die with it, so a small part collects them as well, and the process stays a hundred MiB smaller.
 */
function keepYoungHeapsSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

async function initializeForTrying(program: Program, config: Config): Promise<Made> {
  if (config.origin === null && process.env.NODE_ENV === "production")
    throw new UsageError([
      "SVC_ORIGIN is missing, and NODE_ENV is production. Set it to a name that is yours, such as " +
        '"evidence.example.com": it is in all evidence and can never be changed.',
    ]);
  return initialize({
    program,
    dataFolder: config.dataFolder,
    origin: config.origin ?? ((kid) => `localhost/${kid.slice(KID_PREFIX.length)}`),
    tenantName: "default",
    systemName: "default",
    useCase: "general",
    withKey: false,
    keySettings: config.keySettings,
    databaseSettings: config,
    kernel,
    clock: systemClock,
  });
}

async function announce(
  program: Program,
  config: Config,
  { url, metricsUrl, service }: RunningServer,
  made: Made | null,
  json: boolean,
): Promise<void> {
  const { origin, database, signingKey } = service.context;
  const signer = await database.read((reader) => signingKey.current(reader));
  const folder = shownFolder(config.dataFolder);
  if (json) {
    const line = { url, pid: process.pid, data_folder: config.dataFolder, origin, kid: signer.kid };
    const metrics = metricsUrl === null ? {} : { metrics_url: metricsUrl };
    console.log(
      JSON.stringify({ ...line, ...metrics, public_key_hex: signer.publicKeyHex, initialised: made !== null }),
    );
    return;
  }
  const tryingOut =
    made !== null && config.origin === null
      ? `
This folder was empty, so a deployment was made in it under a new origin, good for
trying things out. An origin is in all evidence and is fixed for good. To choose one:
  ${invocation(program)} init --origin evidence.example.com --data <another folder>
`
      : "";
  const oldest = await database.read(oldestStream);
  const stream = oldest === null ? "" : `\n  first stream ${oldest.stream_id} of system ${oldest.system_id}`;
  console.log(`${program.name} is listening on ${url}

  data folder  ${config.dataFolder}
  signing key  ${signer.kid}
               ${signer.publicKeyHex} (public; verifiers pin this)
  origin       ${origin}${stream}${metricsUrl === null ? "" : `\n  metrics      ${metricsUrl}`}
${tryingOut}
Next: get an API key, in another terminal:
  ${invocation(program)} keys create --data ${folder}
then append an event with it (packages/server/README.md shows how), or look at ${url}/v2/keys
Stop with Ctrl-C: what is in flight is finished first.`);
}
