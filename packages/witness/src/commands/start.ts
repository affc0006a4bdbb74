/** `svc-witness start`: runs the witness until it is told to stop. A second signal ends it at once. */
import { Command } from "commander";
import { readConfig, SETTINGS, type SettingOptions, settingsHelp } from "../config.ts";
import { kernel } from "../kernel.ts";
import { serve } from "../serve.ts";
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
  // A closed terminal must not end a witness in the middle of a drain.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const stopped = stopRequest();
  const witness = await serve(config, { kernel });
  const { url, metricsUrl, vkey } = witness;
  if (options.json) console.log(JSON.stringify({ url, metrics_url: metricsUrl, vkey, pid: process.pid }));
  else
    console.log(`svc-witness is listening on ${url}

  vkey         ${vkey}
  data folder  ${config.dataFolder}${metricsUrl === null ? "" : `\n  metrics      ${metricsUrl}`}

Logs send their checkpoints to ${url}/add-checkpoint
Stop with Ctrl-C: what is in flight is finished first.`);
  const reason = await Promise.race([stopped, witness.failed]);
  await witness.close();
  if (reason instanceof Error) throw reason;
  if (!options.json) console.log("Stopped. Everything that was answered is on disk.");
}

/** Resolves at the first signal; the second one ends the process at once. */
function stopRequest(): Promise<string> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: string) => {
      if (isStopping) process.exit(1);
      isStopping = true;
      resolve(signal);
    };
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal));
  });
}
