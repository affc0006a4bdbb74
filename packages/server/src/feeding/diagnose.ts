/** The operator's question about outside witnesses: which of them do not cosign, and why. */
import { type Finding, ok, warn } from "@svc/host/checks";
import type { DiagnoseContext } from "../check-context.ts";
import { feedKind } from "./fed-witness.ts";
import { type FeedTotals, feedTotals } from "./feeds-store.ts";
import { feedingSettings } from "./settings.ts";

/** A witness that keeps up is never so far behind. */
const LONG_MS = 60_000;

/** Resolves to a finding for each witness that is configured, and for each that is asked for and is not. */
export function diagnoseFeeding({ read, now, settings }: DiagnoseContext): Promise<Finding[]> {
  const { witnesses } = settings(feedingSettings);
  return read("witnesses", async (reader) => {
    const totals = await feedTotals(reader);
    const known = new Set(witnesses.map(feedKind));
    // The service log asks for no witness by name.
    const unaddressed = totals.filter(({ kind, of_policies }) => !known.has(kind) && Number(of_policies) > 0);
    const byKind = new Map(totals.map((one) => [one.kind, one]));
    return [
      ...witnesses.map((witness) => finding(`witness ${witness.name}`, byKind.get(feedKind(witness)), now)),
      ...unaddressed.map(({ kind, of_policies }) =>
        warn(
          "witness",
          `${kind.slice(kind.indexOf(" ") + 1)} is asked for by a policy, and ${of_policies} origins wait: it ` +
            `has no address. Name it in SVC_WITNESSES, or declare the policy without it.`,
        ),
      ),
    ];
  });
}

function finding(check: string, totals: FeedTotals | undefined, now: number): Finding {
  if (totals === undefined) return ok(check, "has cosigned everything for which it was asked");
  const { open, failing, since, last_error } = totals;
  if (Number(failing) > 0) return warn(check, `${failing} of ${open} origins fail, since ${since}: ${last_error}`);
  return now - Date.parse(since) > LONG_MS
    ? warn(check, `${open} origins wait since ${since}. Is a server running that has it in SVC_WITNESSES?`)
    : ok(check, `${open} origins wait`);
}
