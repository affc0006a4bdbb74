/** The settings of the metrics. */
import { integer, Mistakes, setting } from "@svc/host/settings";

const TOKEN = /^[!-~]{16,}$/;

/** The port and the token of the metrics. */
export const metricsSettings = {
  /** The port of the metrics alone; null for none. */
  metricsPort: setting({
    variable: "SVC_METRICS_PORT",
    meaning: "a port of its own for /metrics; 0 for a free one",
    parse: integer(0, 65_535),
  }),
  /**
   * The token that a reader of metrics must show. Without a port of their own, metrics are served only with a token;
   * null for none.
   */
  metricsToken: setting({
    variable: "SVC_METRICS_TOKEN",
    meaning: "what GET /metrics asks for: at least 16 visible ASCII characters",
    isSecret: true,
    parse: (text, name) =>
      TOKEN.test(text) ? text : new Mistakes(`${name} must be at least 16 visible ASCII characters without spaces.`),
  }),
};
