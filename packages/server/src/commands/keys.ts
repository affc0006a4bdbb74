/** `svc-server keys create`: one more system key, also while the server runs. Shown once, kept only as a keyed hash. */
import { Command } from "commander";
import { serviceTime, systemClock } from "../clock.ts";
import { readConfig, UsageError } from "../config.ts";
import { openDataFolder } from "../data-folder.ts";
import { KeyedHash } from "../keys/keyed-hash.ts";
import { requireOwnDatabase } from "../own-database.ts";
import { migrate } from "../store/migrate.ts";
import { openSqlite } from "../store/sqlite.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { SystemKeys } from "../tenancy/system-keys.ts";
import { allSystems, type SystemRow } from "../tenancy/tenants-store.ts";

interface Options {
  readonly data?: string;
  readonly system?: string;
  readonly json?: true;
}

export function createKeyCommand(): Command {
  return new Command("create")
    .description("make a system key; it is shown once")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--system <id>", "the system that the key is for (default: the only one)")
    .option("--json", "print one JSON object instead of text")
    .action(createKey);
}

async function createKey(options: Options): Promise<void> {
  const folder = openDataFolder(readConfig(process.env, options).dataFolder);
  const database = openSqlite(folder.databasePath);
  try {
    const keyedHash = new KeyedHash(folder.pepper);
    await migrate(database, () => serviceTime(systemClock()));
    requireOwnDatabase(folder.path, keyedHash, await database.read(serviceRow));
    const system = chooseSystem(await database.read(allSystems), options.system);
    const keys = new SystemKeys({ database, clock: systemClock, keyedHash });
    const actor = { tenantId: system.tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
    const apiKey = await database.write((writer) => keys.create(writer, system.tenant_id, system.system_id, actor));
    const made = { api_key: apiKey, system_id: system.system_id, tenant_id: system.tenant_id };
    console.log(
      options.json
        ? JSON.stringify(made)
        : `API key of ${system.system_id} (${system.name}). It is shown this once and not stored.\n\n  ${apiKey}\n\nSend it as "Authorization: Bearer <key>". It works at once, also on a running server.`,
    );
  } finally {
    await database.close();
  }
}

function chooseSystem(systems: readonly SystemRow[], wanted: string | undefined): SystemRow {
  const list = systems.map((system) => `  ${system.system_id}  ${system.name}`).join("\n");
  const [only, ...others] = systems;
  const chosen = wanted === undefined ? only : systems.find((system) => system.system_id === wanted);
  if (chosen === undefined)
    throw new UsageError([`There is no system ${JSON.stringify(wanted ?? "")}. There are:\n${list}`]);
  if (wanted === undefined && others.length > 0)
    throw new UsageError([`There are several systems; choose one with --system:\n${list}`]);
  return chosen;
}
