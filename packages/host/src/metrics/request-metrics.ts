/**
 * Counts every answer by the template of its route, and every refusal by its code. Paths without a route are counted
 * together, since anybody can think of new ones.
 */
import type { MetricsRegistry } from "./registry.ts";

/** The range goes from an answer out of memory to a verdict on a large bundle. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const NO_ROUTE = "none";

/** An answered request. */
export interface Answered {
  /** The path as the route declares it, such as `/v2/streams/{streamId}/head`; null for a path without a route. */
  readonly route: string | null;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** The metrics of requests. */
export class RequestMetrics {
  readonly #requests;
  readonly #duration;
  readonly #refusals;

  constructor(registry: MetricsRegistry) {
    this.#requests = registry.counter("svc_http_requests_total", "Requests answered, by route, method and status.", [
      "route",
      "method",
      "status",
    ]);
    this.#duration = registry.histogram(
      "svc_http_request_duration_seconds",
      "How long answers took, by route and method.",
      DURATION_BUCKETS_S,
      ["route", "method"],
    );
    this.#refusals = registry.counter("svc_refusals_total", "Requests refused, by code.", ["code"]);
  }

  /** Counts an answer. */
  answered({ route: declared, method, status, seconds }: Answered): void {
    const route = declared ?? NO_ROUTE;
    this.#requests.inc({ route, method, status });
    this.#duration.observe({ route, method }, seconds);
  }

  /** Counts a refusal. */
  refused(code: string): void {
    this.#refusals.inc({ code });
  }
}
