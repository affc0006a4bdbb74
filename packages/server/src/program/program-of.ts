/** Makes a program of families: all that it knows of them is a sum of what they say themselves. */
import { facesOf } from "@svc/api";
import { type Migration, newestVersion, OWN_TABLES, type Schema, soleSchema } from "@svc/host/store";
import type { ServerFamily } from "../context.ts";
import { FAMILIES } from "../families.ts";
import { MIGRATIONS } from "../migrations/all.ts";
import { diskFailed, failed, warned } from "../notices.ts";
import { processSettings } from "../settings/process-settings.ts";
import type { ServerSettings } from "../settings/settings.ts";
import { PLATFORM_MIGRATIONS } from "./platform-tables.ts";
import type { Program } from "./program.ts";

/**
 * Returns a program of the thin server's families and `added` ones, whose migrations are a second schema. Throws
 * TypeError where two families, contracts, tables, settings, parts, reads or topics have one name, and for a gap in the
 * migrations.
 */
export function programOf({
  added,
  ...names
}: Pick<Program, "name" | "description" | "callInRepository" | "threads"> &
  Partial<Pick<Program, "commands">> & { readonly added: readonly ServerFamily[] }): Program {
  const families: readonly ServerFamily[] = [...FAMILIES, ...added];
  const program = {
    commands: () => [],
    ...names,
    families,
    schemas: schemasOf(added),
    tables: [...families.flatMap(({ tables = [] }) => tables), ...OWN_TABLES],
    // The types of a list of families do not add up by themselves.
    settings: Object.assign({}, processSettings, ...families.map(({ settings = {} }) => settings)) as ServerSettings,
    events: families.flatMap(({ events = [] }) => events),
    tells: [warned, failed, diskFailed, ...families.flatMap(({ tells = [] }) => tells)],
    parts: families.flatMap(({ parts = [] }) => parts),
    reads: families.flatMap(({ reads = [] }) => reads),
  };
  requireDistinct(program);
  return program;
}

function schemasOf(added: readonly ServerFamily[]): Schema[] {
  const migrations = added.flatMap(({ migrations = [] }) => migrations).sort(byVersion);
  const second = { table: PLATFORM_MIGRATIONS, versionWords: "platform schema version", migrations, namesTables: true };
  const schemas = [soleSchema(MIGRATIONS), ...(migrations.length === 0 ? [] : [second])];
  for (const schema of schemas)
    if (newestVersion(schema) !== schema.migrations.length || schema.migrations.some(isMisplaced))
      throw new TypeError(`the migrations of ${schema.table} are not numbered from 1 on without a gap`);
  return schemas;
}

function byVersion(one: Migration, other: Migration): number {
  return one.version - other.version;
}

function isMisplaced({ version }: Migration, index: number): boolean {
  return version !== index + 1;
}

function requireDistinct({ families, tables, parts, reads, events, tells }: Omit<Program, "threads" | "commands">) {
  const settings = [processSettings, ...families.map(({ settings = {} }) => settings)];
  const names = {
    families: families.map(({ name }) => name),
    contracts: families
      .flatMap(({ contracts = [] }) => contracts)
      .flatMap((one) => facesOf(one).map((face) => `${one.method} ${one.path} on the face ${face}`)),
    tables: tables.map(({ name }) => name),
    settings: settings.flatMap((table) => Object.keys(table)),
    variables: settings.flatMap((table) => Object.values(table)).map(({ variable }) => variable),
    parts: parts.map(({ name }) => name),
    reads: reads.map(({ name }) => name),
    events: events.map(({ name }) => name),
    topics: tells.map(({ name }) => name),
  };
  for (const [what, all] of Object.entries(names)) {
    const twice = all.find((name, index) => all.indexOf(name) < index);
    if (twice !== undefined) throw new TypeError(`two ${what} of a program have the name ${twice}`);
  }
}
