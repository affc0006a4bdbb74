/** The settings of the metrics. */
import { integer, Mistakes, setting } from "@svc/host/settings";

const TOKEN = /^[!-~]{16,}$/;

export const metricsSettings = {
  /** The port that the metrics have for themselves; null: none. */
  metricsPort: setting({
    variable: "SVC_METRICS_PORT",
    meaning: "a port of its own for /metrics; 0 for a free one",
    parse: integer(0, 65_535),
  }),
  /** Shown by whoever asks for metrics. Without a port of their own they are served only with it; null: none. */
  metricsToken: setting({
    variable: "SVC_METRICS_TOKEN",
    meaning: "what GET /metrics asks for: at least 16 visible ASCII characters",
    isSecret: true,
    parse: (text, name) =>
      TOKEN.test(text) ? text : new Mistakes(`${name} must be at least 16 visible ASCII characters without spaces.`),
  }),
};
