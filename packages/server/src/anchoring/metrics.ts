/** The metrics of anchoring. The key's address, balance and number are public; the key itself never comes here. */
import type { MetricsRegistry } from "@svc/host/metrics";
import { anchoringOf, anchoringSettings } from "../chain/settings.ts";
import type { AnsweringContext } from "../context.ts";
import { anchorFault, anchorStep } from "./anchor-step.ts";
import { anchoringFigures } from "./figures.ts";

const GWEI_IN_ETHER = 1_000_000_000;

/** Adds the metrics. A deployment that does not anchor has them too, mostly at 0: so dashboards are the same. */
export function anchoringMetrics(
  registry: MetricsRegistry,
  { channel, database, settings, clock }: AnsweringContext,
): void {
  const config = anchoringOf(settings(anchoringSettings));
  const steps = registry.counter("svc_anchor_steps_total", "Steps of anchoring, by this process.", ["step"]);
  const faults = registry.counter(
    "svc_anchor_faults_total",
    "Rounds of anchoring that ended with a fault, by this process, by code.",
    ["code"],
  );
  channel.subscribe(anchorStep, (step) => steps.inc({ step }));
  channel.subscribe(anchorFault, (code) => faults.inc({ code }));
  const figures = () => database.read((reader) => anchoringFigures(reader, clock()));
  registry.gauges(
    "svc_anchor_newest_epoch",
    "Number of the newest epoch in each state; 0 for none.",
    ["state"],
    async () => Object.entries((await figures()).newest).map(([state, value]) => ({ labels: { state }, value })),
  );
  registry.gauge(
    "svc_anchor_in_flight",
    "Epochs that are sent and not yet final.",
    async () => (await figures()).inFlight,
  );
  registry.gauge(
    "svc_anchor_lag_seconds",
    "Age of the newest epoch, where that is to be anchored and is not for good, in seconds; otherwise 0.",
    async () => (config === null ? 0 : (await figures()).lagSeconds),
  );
  registry.gauge(
    "svc_anchor_balance_ether",
    "Balance of the anchoring key, as it was last seen.",
    async () => ((await figures()).status?.balance_gwei ?? 0) / GWEI_IN_ETHER,
  );
  registry.gauge(
    "svc_anchor_nonce",
    "Transactions of the anchoring key, as last seen.",
    async () => (await figures()).status?.nonce ?? 0,
  );
  registry.gauge(
    "svc_anchor_spent_today_ether",
    "Spent by anchoring since midnight UTC, at most.",
    async () => (await figures()).spentGwei / GWEI_IN_ETHER,
  );
  registry.gauge(
    "svc_anchor_day_budget_ether",
    "The budget of a day.",
    async () => (config?.dayBudgetGwei ?? 0) / GWEI_IN_ETHER,
  );
  registry.gauge("svc_anchor_failing", "Whether the last round of anchoring ended with a fault: 1 or 0.", async () =>
    (await figures()).status?.problem == null ? 0 : 1,
  );
}
