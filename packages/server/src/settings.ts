/** Every variable of the environment that the server reads. */
import { describeSettings } from "@svc/host/settings";
import { faceSettings } from "./faces.ts";
import { idempotencySettings } from "./idempotency/settings.ts";
import { keyVariables } from "./keys/key-settings.ts";
import { metricsSettings } from "./metrics/settings.ts";
import { processSettings } from "./process-settings.ts";
import { sealingSettings } from "./sealing/settings.ts";
import { streamSettings } from "./streams/settings.ts";

export const SETTINGS = {
  ...processSettings,
  ...sealingSettings,
  ...idempotencySettings,
  ...keyVariables,
  ...metricsSettings,
  ...faceSettings,
  ...streamSettings,
};

/** Variables that hold secrets: they are taken out of the environment of a running server, so that nothing inherits them. */
export const SECRET_VARIABLES: readonly string[] = Object.values(SETTINGS)
  .filter(({ isSecret }) => isSecret)
  .map(({ variable }) => variable);

/** The lines of `start --help` about them. */
export function settingsHelp(): string {
  return `\nEnvironment (an option wins; all mistakes are listed at once):\n${describeSettings(SETTINGS).join("\n")}`;
}
