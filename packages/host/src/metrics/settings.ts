/** The settings of a program's metrics: the port and the token of `/metrics`. */
import { integer, Mistakes, setting } from "../settings.ts";

const TOKEN = /^[!-~]{16,}$/;

/** Returns the settings of a program whose variables begin with `prefix`, such as `SVC`. */
export function metricsSettingsOf(prefix: string) {
  return {
    /** The port of the metrics alone; null for none. */
    metricsPort: setting({
      variable: `${prefix}_METRICS_PORT`,
      meaning: "a separate port for /metrics; 0 for a free one",
      parse: integer(0, 65_535),
    }),
    /**
     * The token that a reader of metrics must show. Without a separate port, metrics are served only with a token; null
     * for none.
     */
    metricsToken: setting({
      variable: `${prefix}_METRICS_TOKEN`,
      meaning: "what GET /metrics asks for: at least 16 visible ASCII characters",
      isSecret: true,
      parse: (text, name) =>
        TOKEN.test(text) ? text : new Mistakes(`${name} must be at least 16 visible ASCII characters without spaces.`),
    }),
  };
}
