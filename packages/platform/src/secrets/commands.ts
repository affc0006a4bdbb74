/** `svc-platform secrets`: another key seals the secrets, and secrets whose key is lost are given up. */
import { existsSync } from "node:fs";
import {
  destroySecret,
  KeptSecretsKeys,
  openSecret,
  placeOf,
  SecretError,
  type SecretPlace,
  sealAllAnew,
  secretsAfter,
  takeNextKey,
  writeSecretsKey,
} from "@svc/host/secrets";
import {
  DataFolderError,
  type Deployment,
  type DeploymentOptions,
  type Program,
  show,
  withDeployment,
} from "@svc/server/program";
import { Command } from "commander";
import { openKeys, placesOf } from "./deployment-keys.ts";

const PORTION = 200;

/** Returns the command `secrets`. */
export function secretsCommand(program: Program): Command {
  const under = (command: Command) =>
    command
      .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
      .option("--json", "print one JSON object instead of text");
  return new Command("secrets")
    .description("the secrets that are kept sealed in the database, and the key that seals them")
    .addCommand(
      under(new Command("rotate"))
        .description(
          "seal all secrets under another key, also beside running servers; cut off, it goes on when run again",
        )
        .action((options: DeploymentOptions) =>
          withDeployment(program, options, (deployment) => rotate(options, deployment)),
        ),
    )
    .addCommand(
      under(new Command("forget"))
        .description("give up the secrets that no key opens, after their key was lost")
        .action((options: DeploymentOptions) =>
          withDeployment(program, options, (deployment) => forget(options, deployment)),
        ),
    );
}

function keyPlaces({ config, folder }: Deployment) {
  // Every setting of a family is one of the configuration.
  return placesOf(folder.path, config as never);
}

async function rotate(options: DeploymentOptions, deployment: Deployment): Promise<void> {
  const { database, now } = deployment;
  const places = keyPlaces(deployment);
  if (places.given !== null && places.nextGiven === null)
    throw new DataFolderError(
      "The key is in SVC_SECRETS_KEY. Stop all servers, set SVC_NEXT_SECRETS_KEY to another key, run this again, and " +
        "then start them with that one as SVC_SECRETS_KEY.",
    );
  await openKeys(database, places, now);
  if (places.given === null && !existsSync(places.nextFile)) writeSecretsKey(places.nextFile);
  const keys = new KeptSecretsKeys(places).current();
  const secrets = await sealAllAnew(database, keys, () => {
    if (places.given === null) takeNextKey(places);
  });
  const [key] = keys;
  show(options, { kid: key?.kid ?? null, secrets }, [
    `${secrets} secrets are sealed under the key ${key?.kid}.`,
    places.given === null
      ? "Copy secrets-key from the data folder to where your keys are kept, and to the folders of other servers."
      : "Start all servers with it as SVC_SECRETS_KEY, and without SVC_NEXT_SECRETS_KEY.",
  ]);
}

async function forget(options: DeploymentOptions, deployment: Deployment): Promise<void> {
  const { database, now } = deployment;
  const keys = new KeptSecretsKeys(keyPlaces(deployment)).current();
  const given: SecretPlace[] = [];
  let after: SecretPlace = { tenant: "", kind: "", object: "", version: 0 };
  for (;;) {
    const rows = await database.read((reader) => secretsAfter(reader, after, PORTION));
    for (const row of rows) {
      after = placeOf(row);
      if (row.sealed === null || opens(keys, after, row.sealed)) continue;
      const place = after;
      if (await database.write((writer) => destroySecret(writer, place, now))) given.push(place);
    }
    if (rows.length < PORTION) break;
  }
  const named = given.map(({ kind, object }) => `${kind} of ${object}`);
  show(options, { forgotten: given }, [
    given.length === 0 ? "Every secret opens: none was given up." : `Given up: ${named.join(", ")}.`,
  ]);
}

function opens(keys: Parameters<typeof openSecret>[0], place: SecretPlace, sealed: string): boolean {
  try {
    openSecret(keys, place, sealed);
    return true;
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}
