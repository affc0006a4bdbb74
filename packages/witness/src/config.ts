/** Settings by environment and options, all of them checked before anything starts. Every mistake is listed at once. */
import { join, sep } from "node:path";
import { metricsSettingsOf } from "@svc/host/metrics";
import {
  describeSettings,
  type Environment,
  integer,
  oneOf,
  path,
  readSettings,
  setting,
  UsageError,
  type ValuesOf,
} from "@svc/host/settings";

/** The settings of a witness. */
export const SETTINGS = {
  /** The folder of the database and of the fork evidence. */
  dataFolder: setting({
    variable: "SVC_WITNESS_DATA",
    meaning: "the folder of the database and of fork evidence",
    fallback: "./svc-witness-data",
    option: "data",
    parse: path,
  }),
  /** The folder of the key and of the high-water mark; null for `keys` in the data folder. */
  keysFolder: setting({
    variable: "SVC_WITNESS_KEYS",
    meaning: "the folder of the key and its high-water mark, best on another disk (default: keys in the data folder)",
    parse: path,
  }),
  host: setting({
    variable: "SVC_WITNESS_HOST",
    meaning: "the address to listen on",
    fallback: "127.0.0.1",
    option: "host",
    parse: (text) => text,
  }),
  port: setting({
    variable: "SVC_WITNESS_PORT",
    meaning: "the port to listen on; 0 for a free one",
    fallback: "8790",
    option: "port",
    parse: integer(0, 65_535),
  }),
  /** Validly signed requests of one origin in a second. */
  originRate: setting({
    variable: "SVC_WITNESS_ORIGIN_RATE",
    meaning: "signed checkpoints of one origin in a second, twice as many at once; 0 for no limit",
    fallback: "20",
    parse: integer(0, 1_000_000),
  }),
  /** Requests of one address in a second, whatever they hold. */
  addressRate: setting({
    variable: "SVC_WITNESS_ADDRESS_RATE",
    meaning: "requests of one address in a second, twice as many at once; 0 for no limit, as behind a proxy",
    fallback: "500",
    parse: integer(0, 1_000_000),
  }),
  ...metricsSettingsOf("SVC_WITNESS"),
  logLevel: setting({
    variable: "SVC_WITNESS_LOG_LEVEL",
    meaning: "the least level that is logged to standard error",
    fallback: "info",
    parse: oneOf(["fatal", "error", "warn", "info", "debug", "silent"]),
  }),
};

/** The values of all settings, checked. */
export interface Config extends Omit<ValuesOf<typeof SETTINGS>, "keysFolder"> {
  readonly keysFolder: string;
}

/** The options of commands that replace variables. */
export interface SettingOptions {
  readonly data?: string;
  readonly host?: string;
  readonly port?: string;
}

/** Returns the configuration. Options win over the environment. Throws UsageError with every mistake. */
export function readConfig(environment: Environment, options: SettingOptions = {}): Config {
  const { values, mistakes } = readSettings(SETTINGS, environment, { ...options });
  const { metricsPort, port, keysFolder } = values;
  if (metricsPort !== null && metricsPort > 0 && metricsPort === port)
    mistakes.push(`SVC_WITNESS_METRICS_PORT is ${metricsPort}, the port of the witness itself; choose another one.`);
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { ...values, keysFolder: keysFolder ?? join(values.dataFolder, "keys") };
}

/** Returns whether the keys lie in the data folder, so that a rollback of that rolls back the mark as well. */
export function keysAreInside({ dataFolder, keysFolder }: Pick<Config, "dataFolder" | "keysFolder">): boolean {
  return `${keysFolder}${sep}`.startsWith(`${dataFolder}${sep}`);
}

/** Returns the lines of `--help` about the settings. */
export function settingsHelp(): string {
  return `\nSettings:\n${describeSettings(SETTINGS).join("\n")}`;
}
