/** Secrets that must be used again, such as those that sign messages: sealed in the database, their key beside it. */
import { type Finding, fail, ok } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import { perContext } from "@svc/host/per-context";
import { KeptSecretsKeys, kidsOfSecrets, makeSecrets, SECRETS_TABLE, Secrets } from "@svc/host/secrets";
import type { Context, ServerFamily } from "@svc/server/program";
import { checkSecrets } from "./check-secrets.ts";
import { openKeys, placesOf } from "./deployment-keys.ts";
import { secretsSettings } from "./settings.ts";

/** The secrets of a deployment, on the side that records. */
export const secretsOf = perContext(
  ({ folder, settings }: Context) => new Secrets(new KeptSecretsKeys(placesOf(folder.path, settings(secretsSettings)))),
);

/** The family of secrets. */
export const secrets = {
  name: "secrets",
  tables: [SECRETS_TABLE],
  migrations: [makeSecrets(1)],
  settings: secretsSettings,
  work: async ({ database, folder, settings, clock }) => {
    await openKeys(database, placesOf(folder.path, settings(secretsSettings)), serviceTime(clock()));
    return {};
  },
  check: checkSecrets,
  diagnose: async ({ folder, settings, read }) =>
    read("secrets", async (reader): Promise<Finding[]> => {
      const keys = new KeptSecretsKeys(placesOf(folder.path, settings(secretsSettings))).current();
      const strange = (await kidsOfSecrets(reader)).filter((kid) => !keys.some((key) => key.kid === kid));
      if (strange.length > 0)
        return [
          fail(
            "secrets",
            `some are sealed under the key ${strange.join(" and ")}, which is not here. Put it back, or give them ` +
              `up: svc-platform secrets forget`,
          ),
        ];
      const rotation = keys.length > 1 ? "; a rotation was cut off: run svc-platform secrets rotate again" : "";
      return [ok("secrets", keys[0] === undefined ? "none yet" : `sealed under the key ${keys[0].kid}${rotation}`)];
    }),
} satisfies ServerFamily;
