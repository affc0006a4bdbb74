/**
 * `svc-server keys rotate-witness`: the service's own witness cosigns with another key from now on, in the server or in
 * a separate process, also while the server runs.
 */
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import type { FedWitness } from "../feeding/fed-witness.ts";
import { feedingSettings } from "../feeding/settings.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { serviceRow } from "../signing/service-store.ts";
import { witnessKeys } from "../signing/witness-keys.ts";
import { rotateWitness, settleWitness, type WitnessProcess } from "../witness-keys/rotate.ts";
import { tryProcess } from "../witness-keys/try-process.ts";
import { type Deployment, type DeploymentOptions, show, withDeployment } from "./deployment.ts";

/** How long a running server gets to cosign what waits for the old key, before it is left to the next start. */
const SETTLE_MS = 10_000;
const LOOK_MS = 100;

interface RotateOptions extends DeploymentOptions {
  readonly to?: string;
}

/** Returns the command `keys rotate-witness`. */
export function rotateWitnessCommand(program: Program): Command {
  return new Command("rotate-witness")
    .description("cosign with another key of the service's own witness from now on; also while the server runs")
    .option("--to <name>", `a separate process to which it moves: a witness of ${feedingSettings.witnesses.variable}`)
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: RotateOptions) => withDeployment(program, options, (deployment) => rotate(options, deployment)));
}

async function rotate(options: RotateOptions, { config, folder, database }: Deployment): Promise<void> {
  const to = options.to === undefined ? null : processOf(options.to, config.witnesses);
  if (to !== null) await tryProcess(to, config.witnessTimeoutMs);
  const { evidence_origin: origin } = (await database.read(serviceRow)) ?? { evidence_origin: "" };
  const source = witnessKeys(kernel, folder.path);
  const context = { database, kernel, clock: systemClock, origin, source, dataFolder: folder.path };
  const rotated = await rotateWitness(context, to === null ? null : asProcess(to));
  const deadline = performance.now() + SETTLE_MS;
  let waits = await settleWitness(context);
  while (waits && performance.now() < deadline) {
    await pause(LOOK_MS);
    waits = await settleWitness(context);
  }
  const { name, public_key_hex, key_epoch, valid_from, policies } = rotated;
  show(options, { ...rotated, old_key_is_needed: waits }, [
    `${name} cosigns with its key of epoch ${key_epoch} from ${valid_from} on; ${policies} policies have a new ` +
      `version.`,
    `  public key  ${public_key_hex}`,
    ...(to === null ? [`  private key ${source.place}; copy it now, with witness-keys.json`] : []),
    waits
      ? "Checkpoints of before wait for the old key, which stays beside it until they are cosigned and the server " +
        "starts again."
      : to === null
        ? "The old key is gone; what it has cosigned stays verifiable."
        : "The key in the data folder cosigns nothing more.",
  ]);
}

function asProcess({ name, publicKeyHex }: FedWitness): WitnessProcess {
  return { name, public_key_hex: publicKeyHex };
}

function processOf(name: string, witnesses: Deployment["config"]["witnesses"]): FedWitness {
  const [found, ...others] = witnesses.filter((one) => one.name === name);
  if (found !== undefined && others.length === 0) return found;
  throw new UsageError([
    `${feedingSettings.witnesses.variable} names ` +
      `${found === undefined ? "no witness" : "several keys of a witness"} ${JSON.stringify(name)}; it must name ` +
      `one, as "<vkey> <URL>", here and for the running server.`,
  ]);
}
