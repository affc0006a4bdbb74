/** The metrics of feeding, by witness. */
import type { MetricsRegistry } from "@svc/host/metrics";
import type { AnsweringContext } from "../context.ts";
import { fed } from "./fed.ts";
import { type FedWitness, feedKind } from "./fed-witness.ts";
import { feedTotals } from "./feeds-store.ts";
import { feedingSettings } from "./settings.ts";

const BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Adds the metrics of the configured witnesses. */
export function feedingMetrics(
  registry: MetricsRegistry,
  { channel, database, settings, clock }: AnsweringContext,
): void {
  const { witnesses } = settings(feedingSettings);
  const answers = registry.counter(
    "svc_witness_answers_total",
    "Tries to have a note cosigned by an outside witness, by this process, by outcome.",
    ["witness", "outcome"],
  );
  const duration = registry.histogram(
    "svc_witness_cosigned_seconds",
    "How long outside witnesses took to cosign.",
    BUCKETS_S,
    ["witness"],
  );
  channel.subscribe(fed, ({ witness, outcome, seconds }) => {
    answers.inc({ witness, outcome });
    if (outcome === "cosigned") duration.observe({ witness }, seconds);
  });
  const total = (
    name: string,
    help: string,
    of: (totals: { open: number; failing: number; sinceMs: number }) => number,
  ) =>
    registry.gauges(name, help, ["witness"], async () => {
      const totals = new Map((await database.read(feedTotals)).map((one) => [one.kind, one]));
      return witnesses.map((witness: FedWitness) => {
        const found = totals.get(feedKind(witness));
        const sinceMs = found === undefined ? clock() : Date.parse(found.since);
        const value = of({ open: Number(found?.open ?? 0), failing: Number(found?.failing ?? 0), sinceMs });
        return { labels: { witness: witness.name }, value };
      });
    });
  total(
    "svc_witness_waiting_origins",
    "Origins with a note that the witness has not cosigned yet.",
    ({ open }) => open,
  );
  total("svc_witness_failing_origins", "Those whose last try failed.", ({ failing }) => failing);
  total("svc_witness_lag_seconds", "How long the first of them has waited.", ({ sinceMs }) =>
    Math.max(0, (clock() - sinceMs) / 1000),
  );
}
