/** Every variable of the environment that the server reads, in the words of `start --help`; config.ts and keys/key-settings.ts check their values. */

export interface Setting {
  readonly variable: string;
  /** What counts where it is not set; null: nothing. */
  readonly otherwise: string | null;
  readonly meaning: string;
}

function setting(variable: string, otherwise: string | null, meaning: string): Setting {
  return { variable, otherwise, meaning };
}

export const SETTINGS: readonly Setting[] = [
  setting("SVC_DATA", "./svc-data", "the data folder"),
  setting("SVC_HOST", "127.0.0.1", "the address to listen on"),
  setting("SVC_PORT", "8787", "the port; 0 for a free one"),
  setting("SVC_ORIGIN", null, "the origin, read only where the data folder is made"),
  setting("SVC_LOG_LEVEL", "info", "fatal, error, warn, info, debug, trace or silent"),
  setting("SVC_SEAL_INTERVAL_MS", "250", "how often the sealer looks for work, 20 to 60000"),
  setting("SVC_KEY_REQUESTS_PER_SECOND", "2000", "requests a second of one system key; 0 for any number"),
  setting("SVC_ADDRESS_REQUESTS_PER_SECOND", "100", "the same of one address, on public routes"),
  setting("SVC_TRUSTED_PROXIES", null, "addresses or networks of proxies, with commas between"),
  setting("SVC_PROGRESS_FILE", null, "a second progress.json, on another disk: it notices a folder rolled back"),
  setting("SVC_IDEMPOTENCY_DAYS", "30", "how many days an Idempotency-Key is remembered, 1 to 3650"),
  setting("SVC_SIGNING_KEY", null, "the sealing key itself, as PKCS#8 PEM or base64 of its seed"),
  setting("SVC_NEXT_SIGNING_KEY", null, "the key that keys rotate-signing puts in its place"),
  setting("SVC_PKCS11_MODULE", null, "the library of the PKCS#11 token that holds the sealing key"),
  setting("SVC_PKCS11_TOKEN", null, "the label of that token"),
  setting("SVC_PKCS11_KEY", null, "the label of the sealing key on it"),
  setting("SVC_PKCS11_PIN_FILE", null, "the file with the user's PIN"),
  setting("SVC_METRICS_PORT", null, "a port of its own for /metrics; 0 for a free one"),
  setting("SVC_METRICS_TOKEN", null, "what GET /metrics asks for: at least 16 visible ASCII characters"),
  setting("SVC_API_URL", null, "where the API is reached, https://host[:port]"),
  setting("SVC_DASHBOARD_URL", null, "where the dashboard is reached"),
  setting("SVC_AUDIT_URL", null, "where the auditor portal is reached"),
  setting("SVC_STATUS_URL", null, "where the status page is reached"),
  setting("SVC_MARKETPLACE_URL", null, "where the marketplace is reached"),
  setting("LEGACY_STREAM_CREATION_ENABLED", "1", "0: no new streams of class legacy"),
  setting("PROVENANCE_LANE_ENABLED", "0", "1: new legacy streams come with a compatibilityWarning"),
];

/** Variables of commands other than `start`. */
export const COMMAND_SETTINGS: readonly Setting[] = [
  setting("SVC_BACKUP_PASSPHRASE", null, "the passphrase of sealed keys, of backup and restore"),
];

/** The lines of `start --help` about them. */
export function settingsHelp(): string {
  const width = Math.max(...SETTINGS.map(({ variable }) => variable.length));
  const lines = SETTINGS.map(
    ({ variable, otherwise, meaning }) =>
      `  ${variable.padEnd(width)}  ${meaning}${otherwise === null ? "" : ` (default: ${otherwise})`}`,
  );
  return `\nEnvironment (an option wins; all mistakes are listed at once):\n${lines.join("\n")}`;
}
