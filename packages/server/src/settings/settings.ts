/** Every variable of the environment that a program reads: those of the process, and those of its families. */
import { describeSettings, type Setting, type SettingTable } from "@svc/host/settings";
import type { FAMILIES } from "../families.ts";
import type { processSettings } from "./process-settings.ts";

type FamilySettings<Family> = Family extends { readonly settings: infer Table extends SettingTable } ? Table : never;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The settings of the thin server, which every program has, by the names of their values. */
export type ServerSettings = typeof processSettings & Intersection<FamilySettings<(typeof FAMILIES)[number]>>;

/**
 * Returns the variables that hold secrets: a running server removes them from its environment, so that no child process
 * inherits them.
 */
export function secretVariables(settings: SettingTable): string[] {
  const all: readonly Setting<unknown>[] = Object.values(settings);
  return all.filter(({ isSecret }) => isSecret).map(({ variable }) => variable);
}

/** Returns the lines of `start --help` about the settings. */
export function settingsHelp(settings: SettingTable): string {
  return `\nEnvironment (an option wins; all mistakes are listed at once):\n${describeSettings(settings).join("\n")}`;
}
