/**
 * `svc-server tenants create | list` and `systems create | list | retire`: the tenants that keep evidence here, and
 * their systems that record it.
 */

import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { createSystem, createTenant, retireSystem } from "../administration/systems.ts";
import type { Program } from "../program/program.ts";
import { allSystems, allTenants } from "../tenancy/tenants-store.ts";
import {
  chosenSystem,
  chosenTenant,
  columns,
  type DeploymentOptions,
  operatorOf,
  show,
  withDeployment,
} from "./deployment.ts";
import { inWords } from "./refusals.ts";

const DATA = "the data folder (default: $SVC_DATA or ./svc-data)";
const JSON_HELP = "print one JSON object instead of text";
const ZONE_HELP = "an IANA time zone, such as Europe/Berlin";

interface TenantOptions extends DeploymentOptions {
  readonly name: string;
  readonly timeZone: string;
}

interface SystemOptions extends DeploymentOptions {
  readonly tenant?: string;
  readonly name: string;
  readonly sourceTimezone?: string;
}

/** Returns the command `tenants`. */
export function tenantsCommand(program: Program): Command {
  return new Command("tenants")
    .description("tenants: whose evidence is kept here")
    .addCommand(
      new Command("create")
        .description("make a tenant")
        .requiredOption("--name <name>", "what people call it")
        .option("--time-zone <zone>", ZONE_HELP, "UTC")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: TenantOptions) => makeTenant(program, options)),
    )
    .addCommand(
      new Command("list")
        .description("list the tenants")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: DeploymentOptions) =>
          withDeployment(program, options, async ({ database }) => {
            const tenants = await database.read(allTenants);
            const rows = tenants.map(({ tenant_id, name, time_zone }) => [tenant_id, time_zone, JSON.stringify(name)]);
            show(options, { tenants }, columns(["tenant", "time zone", "name"], rows));
          }),
        ),
    );
}

/** Returns the command `systems`. */
export function systemsCommand(program: Program): Command {
  return new Command("systems")
    .description("systems: what records events, each with its own keys and streams")
    .addCommand(
      new Command("create")
        .description("make a system of a tenant")
        .requiredOption("--name <name>", "what people call it")
        .option("--tenant <id>", "the tenant (default: the only one)")
        .option("--source-timezone <zone>", `${ZONE_HELP}, kept beside its events (default: the tenant's)`)
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: SystemOptions) => makeSystem(program, options)),
    )
    .addCommand(
      new Command("list")
        .description("list the systems")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((options: DeploymentOptions) =>
          withDeployment(program, options, async ({ database }) => {
            const systems = await database.read(allSystems);
            const rows = systems.map(({ system_id, tenant_id, name, retired_at }) => [
              system_id,
              tenant_id,
              retired_at === null ? "records" : `retired ${retired_at}`,
              JSON.stringify(name),
            ]);
            show(options, { systems }, columns(["system", "tenant", "state", "name"], rows));
          }),
        ),
    )
    .addCommand(
      new Command("retire")
        .description("end all keys of a system, which gets no others; its streams and evidence stay")
        .argument("<system>", "the id of the system: sys_..., as systems list shows it")
        .option("--data <folder>", DATA)
        .option("--json", JSON_HELP)
        .action((systemId: string, options: DeploymentOptions) =>
          withDeployment(program, options, async (deployment) => {
            const { database, now } = deployment;
            const { tenant_id } = await chosenSystem(deployment, systemId);
            const keys = await inWords({ system_retired: (id) => `${id} has been retired already.` }, () =>
              database.write((writer) => retireSystem(writer, operatorOf(tenant_id), systemId, now)),
            );
            show(options, { system_id: systemId, retired_at: now, revoked_keys: keys }, [
              `${systemId} is retired. Its keys are revoked: ${keys.join(", ") || "it had no others"}.`,
              "Its streams and everything in them stay, and can be verified as before.",
            ]);
          }),
        ),
    );
}

async function makeTenant(program: Program, options: TenantOptions): Promise<void> {
  requireName(options.name);
  const timeZone = zone("--time-zone", options.timeZone);
  await withDeployment(program, options, async ({ database, now }) => {
    const tenantId = await database.write((writer) =>
      createTenant(writer, operatorOf, { name: options.name, timeZone }, now),
    );
    show(options, { tenant_id: tenantId, name: options.name, time_zone: timeZone }, [
      `Tenant ${tenantId} is made. Next: systems create --tenant ${tenantId} --name <name>`,
    ]);
  });
}

async function makeSystem(program: Program, options: SystemOptions): Promise<void> {
  requireName(options.name);
  const sourceTimezone =
    options.sourceTimezone === undefined ? null : zone("--source-timezone", options.sourceTimezone);
  await withDeployment(program, options, async (deployment) => {
    const { database, now } = deployment;
    const { tenant_id: tenantId } = await chosenTenant(deployment, options.tenant);
    const systemId = await database.write((writer) =>
      createSystem(writer, operatorOf(tenantId), { name: options.name, sourceTimezone }, now),
    );
    const made = { system_id: systemId, tenant_id: tenantId, name: options.name, source_timezone: sourceTimezone };
    show(options, made, [`System ${systemId} of ${tenantId} is made. Next: keys create --system ${systemId}`]);
  });
}

function requireName(name: string): void {
  if (name.trim() === "" || name.length > 200) throw new UsageError(["--name must have 1 to 200 characters."]);
}

/** Returns a time zone in the spelling of ICU, if that uses the same name. Throws UsageError for an unknown one. */
function zone(option: string, text: string): string {
  try {
    const known = new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
    // Another name of the same zone can be one that the database has given up: Europe/Kiev for Europe/Kyiv.
    return known.toLowerCase() === text.toLowerCase() ? known : text;
  } catch {
    throw new UsageError([`${option} is ${JSON.stringify(text)}; it must be ${ZONE_HELP}.`]);
  }
}
