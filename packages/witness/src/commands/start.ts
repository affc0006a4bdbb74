/** `svc-witness start`: runs the witness until a signal stops it. A second signal ends it at once. */
import { releaseTerminal, stopRequest } from "@svc/host/command-line";
import { Command } from "commander";
import { type Config, readConfig, SETTINGS, type SettingOptions, settingsHelp } from "../config.ts";
import { kernel } from "../kernel.ts";
import { type RunningWitness, serve } from "../serve.ts";
import { DATA_OPTION } from "./with-database.ts";

/** Returns the command `start`. */
export function startCommand(): Command {
  return new Command("start")
    .description("run the witness")
    .option(...DATA_OPTION)
    .option("--host <address>", "the address to listen on (default: $SVC_WITNESS_HOST or 127.0.0.1)")
    .option("--port <number>", "the port to listen on, 0 for a free one (default: $SVC_WITNESS_PORT or 8790)")
    .option("--json", "print one JSON line when listening, instead of text")
    .addHelpText("after", settingsHelp())
    .action(start);
}

async function start(options: SettingOptions & { json?: true }): Promise<void> {
  const config = readConfig(process.env, options);
  for (const { variable, isSecret } of Object.values(SETTINGS)) if (isSecret) delete process.env[variable];
  const stopped = stopRequest();
  try {
    const witness = await serve(config, { kernel });
    announce(config, witness, options.json === true);
    const reason = await Promise.race([stopped, witness.failed]);
    await witness.close();
    if (reason instanceof Error) throw reason;
  } finally {
    releaseTerminal();
  }
  if (!options.json) console.log("Stopped. Everything that was answered is on disk.");
}

function announce({ dataFolder }: Config, { url, metricsUrl, vkey }: RunningWitness, json: boolean): void {
  if (json) {
    console.log(JSON.stringify({ url, metrics_url: metricsUrl, vkey, pid: process.pid }));
    return;
  }
  console.log(`svc-witness is listening on ${url}

  vkey         ${vkey}
  data folder  ${dataFolder}${metricsUrl === null ? "" : `\n  metrics      ${metricsUrl}`}

Logs send their checkpoints to ${url}/add-checkpoint
Stop with Ctrl-C: what is in flight is finished first.`);
}
