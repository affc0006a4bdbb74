/**
 * Configuration from environment and options, all of it checked before anything starts. Every mistake is listed at
 * once. Each setting is defined beside the code that reads it; this file has the rules between settings of different
 * parts.
 */
import { sep } from "node:path";
import { type Environment, readSettings, UsageError, type ValuesOf } from "@svc/host/settings";
import { anchoringMistakes } from "../chain/settings.ts";
import { facesTwice } from "../faces.ts";
import { type KeySettings, keySettingsOf } from "../signing/key-settings.ts";
import type { ServerSettings } from "./settings.ts";

/** The values of all settings, checked. */
export interface Config extends ValuesOf<ServerSettings> {
  /** The place of the sealing key; the keys themselves if the environment holds them. */
  readonly keySettings: KeySettings;
}

/**
 * Returns the configuration. Options win over the environment, the environment over defaults. Throws UsageError with
 * every mistake.
 */
export function readConfig(
  { settings }: { readonly settings: ServerSettings },
  environment: Environment,
  options: { readonly data?: string; readonly host?: string; readonly port?: string } = {},
): Config {
  const { values, mistakes } = readSettings(settings, environment, { ...options });
  const { dataFolder, progressFile, port, metricsPort } = values;
  if (metricsPort !== null && metricsPort > 0 && metricsPort === port)
    mistakes.push(`SVC_METRICS_PORT is ${metricsPort}, the port of the service itself; it must be another one.`);
  if (progressFile !== null && `${progressFile}${sep}`.startsWith(`${dataFolder}${sep}`))
    mistakes.push(
      `SVC_PROGRESS_FILE is ${progressFile}, in the data folder; it must be outside, best on another disk: it is ` +
        `to stay when the folder is rolled back.`,
    );
  const keys = keySettingsOf(values, environment);
  mistakes.push(...facesTwice(values), ...keys.mistakes, ...anchoringMistakes(values, dataFolder));
  if (mistakes.length > 0) throw new UsageError(mistakes);
  return { ...values, keySettings: keys.settings };
}
