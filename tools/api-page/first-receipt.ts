/** The first page: from nothing to a receipt that verifies. */
import type { Example } from "./example.ts";

/** An event, as the examples send it. */
export const LOAN =
  '{"source_ref":"loan-4711","event_type":"loan.decided","occurred_at":"2026-03-01T10:15:30+01:00","payload":{"decision":"granted"}}';

/** The steps that an operator takes once. */
export const PREPARATION: readonly Example[] = [
  {
    says:
      "Make a deployment. The key is shown this once. Keep `api_key`, `system_id` and `stream_id` as `$API_KEY`, " +
      "`$SYSTEM` and `$STREAM`.",
    command: "svc-server init --origin evidence.example.com --data svc-data --json",
    keep: { API_KEY: "api_key", SYSTEM: "system_id", STREAM: "stream_id" },
  },
  {
    says: "Start it. All examples use its URL as `$URL`.",
    command:
      "SVC_METRICS_TOKEN=a-token-of-the-page SVC_EPOCH_INTERVAL_MS=1000 svc-server start --data svc-data --json &",
    serves: {
      variable: "URL",
      data: "svc-data",
      settings: { SVC_METRICS_TOKEN: "a-token-of-the-page", SVC_EPOCH_INTERVAL_MS: "1000" },
    },
  },
];

/** Three commands. */
export const FIRST_RECEIPT: readonly Example[] = [
  {
    says: "Make a stream. Keep its `stream_id` as `$LOANS`.",
    command: `curl -si "$URL/v2/streams" -H "Authorization: Bearer $API_KEY" \\
  --json '{"system_id":"'$SYSTEM'","use_case":"loan decisions","policy_id":"default","metadata":{}}'`,
    status: 201,
    keep: { LOANS: "stream_id" },
  },
  {
    says:
      "Record an event. The answer is its receipt record, and the event is on disk. Keep its `stream_event_id` as " +
      "`$EVENT`.",
    command: `curl -si "$URL/v2/streams/$LOANS/events" -H "Authorization: Bearer $API_KEY" -H "Idempotency-Key: loan-4711" \\
  --json '${LOAN}'`,
    status: 201,
    keep: { EVENT: "stream_event_id" },
  },
  {
    says: "Read the record again and have it verified. Nothing but the record is sent, and no key is needed.",
    command:
      `curl -s "$URL/v2/receipts/$EVENT" -H "Authorization: Bearer $API_KEY" | curl ` +
      `-si "$URL/v2/verify" --json @-`,
    status: 200,
  },
];
