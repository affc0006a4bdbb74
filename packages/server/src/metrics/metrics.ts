/**
 * What the server counts of itself, in the text format of Prometheus. Labels are route templates, methods, statuses and codes: sets that stay
 * small, and say nothing of whose evidence it is. A registry of its own for each server.
 */
import type { ErrorCode } from "@svc/api";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { BuildOutcome } from "../exports/build-export.ts";
import type { Backlog } from "./read-backlog.ts";

/** From an answer out of memory to a verdict on a large bundle. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const BUILD_BUCKETS_S = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** A request that has been answered. */
export interface Answered {
  /** The path as the route declares it, such as `/v2/streams/{streamId}/head`. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Counter({
    name: "svc_http_requests_total",
    help: "Requests answered, by route, method and status.",
    labelNames: ["route", "method", "status"],
    registers: [this.#registry],
  });
  readonly #duration = new Histogram({
    name: "svc_http_request_duration_seconds",
    help: "How long answers took, by route and method.",
    labelNames: ["route", "method"],
    buckets: DURATION_BUCKETS_S,
    registers: [this.#registry],
  });
  readonly #refusals = this.#counter("svc_refusals_total", "Requests refused, by code.", ["code"]);
  readonly #events = this.#counter("svc_events_recorded_total", "Events recorded by this process.");
  readonly #failures = this.#counter(
    "svc_background_failures_total",
    "Steps beside the requests, as of the sealer, that failed and will be tried again.",
  );
  readonly #forks = this.#counter("svc_forks_total", "Forks of this service's own streams that it has found.");
  readonly #builds = this.#counter("svc_export_builds_total", "Builds of truth packages by this process, by outcome.", [
    "outcome",
  ]);
  readonly #builtBytes = this.#counter(
    "svc_export_built_bytes_total",
    "Bytes of truth packages built by this process.",
  );
  readonly #buildDuration = new Histogram({
    name: "svc_export_build_duration_seconds",
    help: "How long builds of truth packages took.",
    buckets: BUILD_BUCKETS_S,
    registers: [this.#registry],
  });
  readonly #waitingExports = this.#gauge("svc_exports_waiting", "Exports whose truth package is not built yet.");
  readonly #unwindowed = this.#gauge("svc_sealer_lag_events", "Events that no window holds yet.");
  readonly #uncheckpointed = this.#gauge("svc_sealer_lag_windows", "Windows that no checkpoint covers yet.");
  readonly #commits = this.#gauge(
    "svc_database_commits",
    "Commits that were waited for until they were on disk; several events share one.",
  );
  readonly #databaseBytes = this.#gauge("svc_database_bytes", "Size of the database file, without its log.");

  readonly #elsewhere = this.#gauge(
    "svc_data_folder_elsewhere",
    "1 where the data folder was in another place at this start than at the one before, as a copy is; else 0.",
  );

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  answered({ route, method, status, seconds }: Answered): void {
    this.#requests.inc({ route, method, status });
    this.#duration.observe({ route, method }, seconds);
  }

  refused(code: ErrorCode): void {
    this.#refusals.inc({ code });
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
    return this.#registry.metrics();
  }

  #counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string): Gauge {
    return new Gauge({ name, help, registers: [this.#registry] });
  }
}
