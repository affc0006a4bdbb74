/** The settings of repeated requests. */
import { integer, setting } from "@svc/host/settings";

/** How long keys are remembered. */
export const idempotencySettings = {
  idempotencyDays: setting({
    variable: "SVC_IDEMPOTENCY_DAYS",
    meaning: "how many days an Idempotency-Key is remembered, 1 to 3650",
    fallback: "30",
    parse: integer(1, 3650),
  }),
};
