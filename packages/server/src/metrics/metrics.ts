/** What the server counts of itself: requests, and what its families do. A registry of its own for each server. */
import { MetricsRegistry, RequestMetrics } from "@svc/host/metrics";
import type { BuildOutcome } from "../exports/build-export.ts";
import type { Backlog } from "./read-backlog.ts";

const BUILD_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export class Metrics {
  readonly #registry = new MetricsRegistry();
  /** What is counted of requests. */
  readonly requests = new RequestMetrics(this.#registry);
  readonly #events = this.#registry.counter("svc_events_recorded_total", "Events recorded by this process.");
  readonly #failures = this.#registry.counter(
    "svc_background_failures_total",
    "Steps beside the requests, as of the sealer, that failed and will be tried again.",
  );
  readonly #forks = this.#registry.counter("svc_forks_total", "Forks of this service's own streams that it has found.");
  readonly #builds = this.#registry.counter(
    "svc_export_builds_total",
    "Builds of truth packages by this process, by outcome.",
    ["outcome"],
  );
  readonly #builtBytes = this.#registry.counter(
    "svc_export_built_bytes_total",
    "Bytes of truth packages built by this process.",
  );
  readonly #buildDuration = this.#registry.histogram(
    "svc_export_build_duration_seconds",
    "How long builds of truth packages took.",
    BUILD_BUCKETS_S,
  );
  readonly #waitingExports = this.#registry.gauge(
    "svc_exports_waiting",
    "Exports whose truth package is not built yet.",
  );
  readonly #unwindowed = this.#registry.gauge("svc_sealer_lag_events", "Events that no window holds yet.");
  readonly #uncheckpointed = this.#registry.gauge("svc_sealer_lag_windows", "Windows that no checkpoint covers yet.");
  readonly #commits = this.#registry.gauge(
    "svc_database_commits",
    "Commits that were waited for until they were on disk; several events share one.",
  );
  readonly #databaseBytes = this.#registry.gauge("svc_database_bytes", "Size of the database file, without its log.");

  readonly #elsewhere = this.#registry.gauge(
    "svc_data_folder_elsewhere",
    "1 where the data folder was in another place at this start than at the one before, as a copy is; else 0.",
  );

  constructor() {
    this.#registry.addProcess();
  }

  recorded(events: number): void {
    this.#events.inc(events);
  }

  failedBesideRequests(): void {
    this.#failures.inc();
  }

  foundFork(): void {
    this.#forks.inc();
  }

  foundElsewhere(isElsewhere: boolean): void {
    this.#elsewhere.set(isElsewhere ? 1 : 0);
  }

  built({ isReady, sizeBytes, seconds }: BuildOutcome): void {
    this.#builds.inc({ outcome: isReady ? "ready" : "failed" });
    if (!isReady) return;
    this.#builtBytes.inc(sizeBytes);
    this.#buildDuration.observe(seconds);
  }

  /** All of it, with what waits at this moment. */
  text({ unwindowedEvents, uncheckpointedWindows, waitingExports, databaseBytes, commits }: Backlog): Promise<string> {
    this.#unwindowed.set(unwindowedEvents);
    this.#uncheckpointed.set(uncheckpointedWindows);
    this.#waitingExports.set(waitingExports);
    this.#databaseBytes.set(databaseBytes);
    this.#commits.set(commits);
    return this.#registry.text();
  }
}
