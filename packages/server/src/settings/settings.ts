/** Every variable of the environment that the server reads: those of the process, and those of its families. */
import { describeSettings, type Setting, type SettingTable } from "@svc/host/settings";
import { FAMILIES } from "../families.ts";
import { processSettings } from "./process-settings.ts";

type FamilySettings<Family> = Family extends { readonly settings: infer Table extends SettingTable } ? Table : never;
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Settings = typeof processSettings & Intersection<FamilySettings<(typeof FAMILIES)[number]>>;

const ofFamilies = FAMILIES.map((family) => ("settings" in family ? family.settings : {}));
/** All settings by the names of their values. The types of a list of tables do not add up by themselves. */
export const SETTINGS = Object.assign({}, processSettings, ...ofFamilies) as Settings;
const all: readonly Setting<unknown>[] = Object.values(SETTINGS);

/**
 * Variables that hold secrets: a running server removes them from its environment, so that no child process inherits
 * them.
 */
export const SECRET_VARIABLES: readonly string[] = all
  .filter(({ isSecret }) => isSecret)
  .map(({ variable }) => variable);

/** Returns the lines of `start --help` about the settings. */
export function settingsHelp(): string {
  return `\nEnvironment (an option wins; all mistakes are listed at once):\n${describeSettings(SETTINGS).join("\n")}`;
}
