/**
 * An example for each route, by method and path. They run in the order of the routes, after the first receipt; `$URL`,
 * `$API_KEY`, `$SYSTEM`, `$STREAM`, `$LOANS` and `$EVENT` come from there.
 */
import type { Example } from "./example.ts";
import { LOAN } from "./first-receipt.ts";

/** The header of every request with a key, kept short. */
const AUTH = '-H "Authorization: Bearer $API_KEY"';
const RATE =
  '{"source_ref":"rate-REF","event_type":"rate.set","occurred_at":"2026-03-01T10:15:30+01:00","payload":{"rate":"3.5"}}';

const LOGIN =
  '{"type":"login","status":"refused","occurred_at":"2026-03-01T10:15:30+01:00","source_ref":"session-REF","payload":{"reason":"password"}}';

export const ROUTE_EXAMPLES: Readonly<Record<string, readonly Example[]>> = {
  "POST /v2/streams": [
    {
      says:
        "With an Idempotency-Key the same request makes one stream, however often it is sent. Keep its `stream_id` " +
        "as `$RATES`.",
      command: `curl -si "$URL/v2/streams" ${AUTH} -H "Idempotency-Key: rates" \\
  --json '{"system_id":"'$SYSTEM'","use_case":"interest rates","policy_id":"default","metadata":{"department":"treasury"}}'`,
      status: 201,
      keep: { RATES: "stream_id" },
    },
  ],
  "POST /v2/streams/{streamId}/events": [
    {
      says:
        "Only where the stream still has no event, and without payload and salt in the answer. Keep its " +
        "`stream_event_id` as `$RATE`.",
      command: `curl -si "$URL/v2/streams/$RATES/events" ${AUTH} -H "Idempotency-Key: rate-1" \\
  -H "If-Head-Match: $(printf %064d 0)" -H "Prefer: return=minimal" \\
  --json '${RATE.replace("REF", "1")}'`,
      status: 201,
      keep: { RATE: "stream_event_id" },
    },
    {
      says: "A retry of the same request gets the same answer, byte for byte, and records nothing.",
      command: `curl -si "$URL/v2/streams/$LOANS/events" ${AUTH} -H "Idempotency-Key: loan-4711" \\
  --json '${LOAN}'`,
      status: 201,
    },
  ],
  "POST /v2/streams/{streamId}/events/batch": [
    {
      says: "Two events, both or none.",
      command: `curl -si "$URL/v2/streams/$RATES/events/batch" ${AUTH} -H "Idempotency-Key: rates-2-3" \\
  --json '{"events":[
    ${RATE.replace("REF", "2")},
    ${RATE.replace("REF", "3")}]}'`,
      status: 201,
    },
    {
      says: "One more behind these two, which may still be on their way: it is recorded behind them, or refused.",
      command: `curl -si "$URL/v2/streams/$RATES/events/batch?after_key=rates-2-3" ${AUTH} -H "Idempotency-Key: rates-4" \\
  --json '{"events":[${RATE.replace("REF", "4")}]}'`,
      status: 201,
    },
  ],
  "GET /v2/streams": [
    {
      says: "One stream a page. `next_cursor` leads to the next one.",
      command: `curl -si "$URL/v2/streams?limit=1" ${AUTH}`,
      status: 200,
      keep: { CURSOR: "next_cursor" },
    },
    {
      says: "The next page, with `next_cursor` of the one before as `$CURSOR`.",
      command: `curl -si "$URL/v2/streams?limit=1&cursor=$CURSOR" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/streams/{streamId}/events": [
    {
      says: "The events of one type with one reference.",
      command: `curl -si "$URL/v2/streams/$RATES/events?event_type=rate.set&source_ref=rate-2" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/streams/{streamId}/head": [
    {
      says: "The head. Its `stream_head_hash` is what If-Head-Match takes.",
      command: `curl -si "$URL/v2/streams/$LOANS/head" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/streams/{streamId}/proof-state": [
    {
      says:
        "Wait until the first event is witnessed and published, then look. Keep `latest_window_id` and " +
        "`latest_checkpoint_id` as `$WINDOW` and `$CHECKPOINT`.",
      command: `until curl -s "$URL/v2/streams/$LOANS/proof-state" ${AUTH} | grep -q '"published_to_seq_no":[1-9]'; do sleep 0.2; done
curl -si "$URL/v2/streams/$LOANS/proof-state" ${AUTH}`,
      status: 200,
      keep: { WINDOW: "latest_window_id", CHECKPOINT: "latest_checkpoint_id" },
    },
  ],
  "GET /v2/receipts/{eventId}": [
    {
      says: "The record, as it was answered first.",
      command: `curl -si "$URL/v2/receipts/$EVENT" ${AUTH}`,
      status: 200,
    },
    {
      says: "The portable receipt: the record with all that proves it.",
      command: `curl -si "$URL/v2/receipts/$EVENT?portable=true" ${AUTH}`,
      status: 200,
      levels: 3,
    },
  ],
  "POST /v1/sdk/events": [
    {
      says:
        "The first event of a system makes the stream of its log. Keep its `stream_event_id` and `stream_id` as " +
        "`$LOGGED` and `$LOG`.",
      command: `curl -si "$URL/v1/sdk/events" ${AUTH} -H "Idempotency-Key: session-1" \\
  --json '${LOGIN.replace("REF", "1")}'`,
      status: 201,
      keep: { LOGGED: "stream_event_id", LOG: "stream_id" },
    },
  ],
  "GET /v1/events/{eventId}/proof": [
    {
      says:
        "Its proof, when it is witnessed and published. Until then the answer has fewer parts, and verifies as " +
        "well. Keep its `anchor_epoch_id` as `$PUBLISHED`.",
      command: `until curl -s "$URL/v1/events/$LOGGED/proof" ${AUTH} | grep -q '"anchor_epoch_id":'; do sleep 0.2; done
curl -si "$URL/v1/events/$LOGGED/proof" ${AUTH}`,
      status: 200,
      levels: 3,
      keep: { PUBLISHED: "anchor.anchor_epoch_id" },
    },
  ],
  "POST /v1/sdk/events/batch": [
    {
      says: "Two events, both or none; without payloads and salts in the answer.",
      command: `curl -si "$URL/v1/sdk/events/batch" ${AUTH} -H "Idempotency-Key: session-2-3" -H "Prefer: return=minimal" \\
  --json '{"events":[
    ${LOGIN.replace("REF", "2")},
    ${LOGIN.replace("REF", "3").replace("refused", "granted")}]}'`,
      status: 201,
    },
  ],
  "GET /v1/events": [
    {
      says: "The refused logins of a day, one a page. Keep `next_cursor` as `$REFUSED`.",
      command: `curl -si "$URL/v1/events?type=login&status=refused&occurred_from=2026-03-01T00:00:00%2B01:00&occurred_before=2026-03-02T00:00:00%2B01:00&limit=1" \\
  ${AUTH}`,
      status: 200,
      keep: { REFUSED: "next_cursor" },
    },
    {
      says: "The next page.",
      command: `curl -si "$URL/v1/events?type=login&status=refused&occurred_from=2026-03-01T00:00:00%2B01:00&occurred_before=2026-03-02T00:00:00%2B01:00&limit=1&cursor=$REFUSED" \\
  ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v1/events/{eventId}": [
    { says: "The first event, as it was sent.", command: `curl -si "$URL/v1/events/$LOGGED" ${AUTH}`, status: 200 },
  ],
  "POST /v1/public/verify": [
    {
      says: "The verdict on it. Nothing but the proof is sent, and no key is needed.",
      command: `curl -s "$URL/v1/events/$LOGGED/proof" ${AUTH} | curl -si "$URL/v1/public/verify" --json @-`,
      status: 200,
    },
  ],
  "POST /v2/streams/{streamId}/events/{eventId}/erase": [
    {
      says: "A key that may erase, as `$ERASE_KEY`.",
      command: 'svc-server keys create --system "$SYSTEM" --allow erase --data svc-data --json',
      keep: { ERASE_KEY: "api_key" },
    },
    {
      says: "Erase the payload of the first rate.",
      command: `curl -si "$URL/v2/streams/$RATES/events/$RATE/erase" -H "Authorization: Bearer $ERASE_KEY" \\
  --json '{"reason":"request 17"}'`,
      status: 200,
    },
  ],
  "POST /v2/audit/packs": [
    {
      says: "The first event of a stream as a bundle, without its payload.",
      command: `curl -si "$URL/v2/audit/packs" ${AUTH} \\
  --json '{"stream_id":"'$LOANS'","from_seq_no":1,"to_seq_no":1,"payloads":"redacted"}'`,
      status: 201,
      levels: 3,
    },
  ],
  "POST /v1/exports": [
    {
      says: "The first event of a stream, as a table and with all that proves it. Keep its `export_id` as `$EXPORT`.",
      command: `curl -si "$URL/v1/exports" ${AUTH} -H "Idempotency-Key: march" \\
  --json '{"streams":["'$LOANS'"],"from_seq_no":1,"to_seq_no":1}'`,
      status: 201,
      keep: { EXPORT: "export_id" },
    },
  ],
  "GET /v1/exports": [
    {
      says: "Wait until it is ready; then it is in the list of those that are.",
      command: `until curl -s "$URL/v1/exports/$EXPORT" ${AUTH} | grep -q '"state":"ready"'; do sleep 0.2; done
curl -si "$URL/v1/exports?state=ready" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v1/exports/{exportId}": [
    {
      says: "What is known of its package. Keep `package.manifest_sha256` as `$MANIFEST`.",
      command: `curl -si "$URL/v1/exports/$EXPORT" ${AUTH}`,
      status: 200,
      keep: { MANIFEST: "package.manifest_sha256" },
    },
  ],
  "POST /v1/exports/{exportId}/download/prepare": [
    {
      says: "Keep `path`, `access_id` and `challenge` as `$DOWNLOAD`, `$ACCESS` and `$CHALLENGE`.",
      command: `curl -si -X POST "$URL/v1/exports/$EXPORT/download/prepare" ${AUTH}`,
      status: 201,
      keep: { DOWNLOAD: "path", ACCESS: "access_id", CHALLENGE: "challenge" },
    },
  ],
  "GET /v1/exports/{exportId}/download": [
    {
      says: "The first hundred bytes, as if the connection had broken off then. No key is needed.",
      command: 'curl -s -D headers -o loans.truth.zip "$URL$DOWNLOAD" -H "Range: bytes=0-99"; cat headers',
      status: 206,
    },
    {
      says: "The rest, with the same ticket and the `ETag` of that answer.",
      command: `etag=$(grep -i "^etag:" headers | cut -d " " -f 2 | tr -d "\\r")
curl -s -D - -o rest "$URL$DOWNLOAD" -H "Range: bytes=100-" -H "If-Range: $etag"
cat rest >> loans.truth.zip`,
      status: 206,
    },
  ],
  "POST /v1/exports/{exportId}/truth-package/verify": [
    {
      says:
        "`svc verify truth-package loans.truth.zip --access-id $ACCESS --challenge $CHALLENGE --report " +
        "report.json` writes such a body; other verifiers may send their own.",
      command: `proof=$({ printf %s "$CHALLENGE"; cat loans.truth.zip; } | sha256sum | cut -c 1-64)
curl -si "$URL/v1/exports/$EXPORT/truth-package/verify" ${AUTH} \\
  --json '{"verifierKind":"my-verifier","verifierVersion":"1.0","accessId":"'$ACCESS'","proof":"'$proof'",
    "verificationReport":{"ok":true,"packageSha256":"'$(sha256sum loans.truth.zip | cut -c 1-64)'","manifestSha256":"'$MANIFEST'","verifiedArtifacts":3,"problems":[]}}'`,
      status: 201,
    },
  ],
  "DELETE /v1/exports/{exportId}": [
    {
      says: "The package goes; what is known of it stays.",
      command: `curl -si -X DELETE "$URL/v1/exports/$EXPORT" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/windows/{windowId}": [
    {
      says: "The window of the first event, with all its leaves.",
      command: 'curl -si "$URL/v2/windows/$WINDOW?leaves=true"',
      status: 200,
    },
    {
      says: "The proof that the event is in it.",
      command: 'curl -si "$URL/v2/windows/$WINDOW?event=1"',
      status: 200,
    },
  ],
  "GET /v2/checkpoints/{checkpointId}": [
    { says: "The checkpoint.", command: 'curl -si "$URL/v2/checkpoints/$CHECKPOINT"', status: 200 },
  ],
  "GET /v2/checkpoints/{checkpointId}/note": [
    { says: "Its note, as text.", command: 'curl -si "$URL/v2/checkpoints/$CHECKPOINT/note"', status: 200 },
  ],
  "GET /v2/checkpoints/{checkpointId}/tlog-policy": [
    {
      says: "What a program for transparency logs asks of such notes.",
      command: 'curl -si "$URL/v2/checkpoints/$CHECKPOINT/tlog-policy"',
      status: 200,
    },
  ],
  "GET /v2/receipts/{eventId}/tlog-proof": [
    {
      says: "The event for such a program.",
      command: `curl -si "$URL/v2/receipts/$EVENT/tlog-proof" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/streams/{streamId}/windows": [
    { says: "The first windows.", command: `curl -si "$URL/v2/streams/$LOANS/windows" ${AUTH}`, status: 200 },
  ],
  "GET /v2/streams/{streamId}/checkpoints": [
    {
      says: "The first checkpoints.",
      command: `curl -si "$URL/v2/streams/$LOANS/checkpoints?limit=5" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/checkpoints/{checkpointId}/consistency": [
    {
      says:
        "Record one more event and wait until it is witnessed and published. Keep the newer `latest_checkpoint_id` " +
        "as `$LATER`.",
      command: `curl -s -o receipt-2.json "$URL/v2/streams/$LOANS/events" ${AUTH} -H "Idempotency-Key: loan-4712" \\
  --json '${LOAN.replace("4711", "4712")}'
until curl -s "$URL/v2/streams/$LOANS/proof-state" ${AUTH} | grep -q '"published_to_seq_no":2'; do sleep 0.2; done
curl -si "$URL/v2/streams/$LOANS/proof-state" ${AUTH}`,
      status: 200,
      keep: { LATER: "latest_checkpoint_id" },
    },
    {
      says: "The later checkpoint extends the earlier one.",
      command: 'curl -si "$URL/v2/checkpoints/$LATER/consistency?from=$CHECKPOINT"',
      status: 200,
    },
  ],
  "GET /v2/witness/policies/{policyId}": [
    {
      says: "The first version of the policy that every deployment has.",
      command: 'curl -si "$URL/v2/witness/policies/default?version=1"',
      status: 200,
    },
    {
      says: "The one that a window names, as any declared policy is found.",
      command: `digest=$(curl -s "$URL/v2/windows/$WINDOW" | sed 's/.*"witness_policy_digest":"\\([0-9a-f]*\\)".*/\\1/')
curl -si "$URL/v2/witness/policies/default?digest=$digest"`,
      status: 200,
    },
  ],
  "PUT /v2/tenant/witness/policies/{policyId}": [
    {
      says: "A key that may declare policies, as `$POLICY_KEY`.",
      command: 'svc-server keys create --system "$SYSTEM" --allow declare_policy --data svc-data --json',
      keep: { POLICY_KEY: "api_key" },
    },
    {
      says: "One of two outside witnesses has to cosign. Streams that name the policy `witnessed` follow it.",
      command: `curl -si -X PUT "$URL/v2/tenant/witness/policies/witnessed" -H "Authorization: Bearer $POLICY_KEY" \\
  --json '{"mode":"independent","threshold":1,"witnessKeys":[
    {"witness_id":"w1","name":"w1.example","public_key_hex":"3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"},
    {"witness_id":"w2","name":"w2.example","public_key_hex":"fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"}]}'`,
      status: 200,
    },
  ],
  "POST /v2/verify": [
    {
      says: "A checkpoint, as the server answers it.",
      command: 'curl -s "$URL/v2/checkpoints/$CHECKPOINT" | curl -si "$URL/v2/verify" --json @-',
      status: 200,
    },
  ],
  "POST /v2/verify/receipt": [
    {
      says: "A record in which somebody changed the decision: the answer is 200, and the verdict is in the report.",
      command:
        `curl -s "$URL/v2/receipts/$EVENT" ${AUTH} | sed s/granted/refused/ | curl -si "$URL/v2/verify/receipt" ` +
        `--json @-`,
      status: 200,
    },
  ],
  "GET /v2/anchors": [
    {
      says: "The first epoch. Keep its `anchor_epoch_id` as `$ANCHOR`.",
      command: 'curl -si "$URL/v2/anchors?limit=1"',
      status: 200,
      levels: 2,
      keep: { ANCHOR: "items.0.anchor_epoch_id" },
    },
  ],
  "GET /v2/anchors/{anchorId}": [
    {
      says:
        "An epoch newer than that of the proof, with the place of the checkpoint in it. Keep its `anchor_epoch_id` " +
        "as `$NEWER`.",
      command: `while curl -s "$URL/v2/anchors/latest" | grep -q "$PUBLISHED"; do sleep 0.2; done
curl -si "$URL/v2/anchors/latest?checkpoint=$CHECKPOINT"`,
      status: 200,
      levels: 2,
      keep: { NEWER: "anchor_epoch_id" },
    },
  ],
  "GET /v2/anchors/{anchorId}/note": [
    { says: "Its note, as text.", command: 'curl -si "$URL/v2/anchors/$NEWER/note"', status: 200 },
  ],
  "GET /v2/anchors/{anchorId}/consistency": [
    {
      says: "The newest epoch extends the first one.",
      command: `while curl -s "$URL/v2/anchors/latest" | grep -q "$ANCHOR"; do sleep 0.2; done
curl -si "$URL/v2/anchors/latest/consistency?from=$ANCHOR"`,
      status: 200,
      levels: 1,
    },
  ],
  "GET /v2/ivc/epochs/{ivcEpochId}": [
    { says: "Nor are there epochs of this lane.", command: 'curl -si "$URL/v2/ivc/epochs/ivc_01"', status: 404 },
  ],
  "GET /v2/streams/{streamId}/forks": [
    {
      says: "None: this service has signed one history.",
      command: `curl -si "$URL/v2/streams/$LOANS/forks" ${AUTH}`,
      status: 200,
    },
  ],
  "GET /v2/forks": [
    {
      says: "None: this service has one log, and has signed no other.",
      command: 'curl -si "$URL/v2/forks"',
      status: 200,
    },
  ],
  "POST /v2/forks": [
    {
      says: "One checkpoint twice is no fork.",
      command: `one=$(curl -s "$URL/v2/checkpoints/$CHECKPOINT")
curl -si "$URL/v2/forks" --json '{"fork_id":"frk_01k3c0h7wz0000000000000000","stream_id":"'$LOANS'","kind":"checkpoint",
  "left":'"$one"',"right":'"$one"',"divergence":null,"detected_at":"2026-03-01T00:33:20.000Z"}'`,
      status: 422,
    },
  ],
  "GET /metrics": [
    {
      says: "One of the metrics.",
      command: `curl -s "$URL/metrics" -H "Authorization: Bearer a-token-of-the-page" | grep '^svc_events_recorded'`,
    },
  ],
  "GET /verify.html": [
    { says: "Its first lines; a browser shows it.", command: 'curl -s "$URL/verify.html" | head -n 4' },
  ],
  "GET /v2/keys": [{ says: "The keys.", command: 'curl -si "$URL/v2/keys"', status: 200 }],
  "GET /health": [{ says: "Nothing but the process is asked.", command: 'curl -si "$URL/health"', status: 200 }],
  "GET /ready": [{ says: "The database is asked too.", command: 'curl -si "$URL/ready"', status: 200 }],
  "GET /": [{ says: "Its heading; a browser shows the page.", command: `curl -s "$URL/" | grep '<h1>'` }],
  "GET /openapi.json": [
    { says: "The document for programs.", command: 'curl -si "$URL/openapi.json"', status: 200, levels: 2 },
  ],
  "GET /docs": [
    { says: "Its first line.", command: 'curl -s -D - -o page.html "$URL/docs"; head -n 1 page.html', status: 200 },
  ],
};
