/** For each error code a command that provokes it, or the test that shows it if no command can. */
import type { ErrorCode } from "@svc/api";
import type { Example, RefusalExample, ShownByTest } from "./example.ts";
import { LOAN } from "./first-receipt.ts";

const AUTH = '-H "Authorization: Bearer $API_KEY"';

/** Keys and a second deployment for some of the refusals. */
export const ERROR_PREPARATION: readonly Example[] = [
  {
    says: "Another system of the same tenant. Keep its `system_id` as `$OTHER_SYSTEM`.",
    command: "svc-server systems create --name Cards --data svc-data --json",
    keep: { OTHER_SYSTEM: "system_id" },
  },
  {
    says: "A key of it, as `$OTHER_KEY`.",
    command: 'svc-server keys create --system "$OTHER_SYSTEM" --data svc-data --json',
    keep: { OTHER_KEY: "api_key" },
  },
  {
    says: "A key that may only read, as `$READ_KEY`.",
    command: 'svc-server keys create --system "$SYSTEM" --allow read --data svc-data --json',
    keep: { READ_KEY: "api_key" },
  },
  {
    says: "An export of the first system. Keep its `export_id` as `$READY`.",
    command: `curl -s "$URL/v1/exports" ${AUTH} --json '{"streams":["'$LOANS'"],"to_seq_no":1}'`,
    keep: { READY: "export_id" },
  },
  {
    says: "A ticket of it, when it is ready. Keep its `path` as `$USED`.",
    command: `until curl -s "$URL/v1/exports/$READY" ${AUTH} | grep -q '"state":"ready"'; do sleep 0.2; done
curl -s -X POST "$URL/v1/exports/$READY/download/prepare" ${AUTH}`,
    keep: { USED: "path" },
  },
  { says: "The ticket is used.", command: `curl -s -o ready.truth.zip -w '%{http_code}\\n' "$URL$USED"` },
  {
    says: "A second deployment. Keep `api_key` and `system_id` as `$STRICT_KEY` and `$STRICT_SYSTEM`.",
    command: "svc-server init --origin evidence.example.com/strict --data svc-data-strict --json",
    keep: { STRICT_KEY: "api_key", STRICT_SYSTEM: "system_id" },
  },
  {
    says: "Its server makes no streams and serves one request a second of a key. Its URL is `$STRICT`.",
    command: `SVC_KEY_REQUESTS_PER_SECOND=1 LEGACY_STREAM_CREATION_ENABLED=0 \\
  svc-server start --data svc-data-strict --port 8788 --json &`,
    serves: {
      variable: "STRICT",
      data: "svc-data-strict",
      settings: { SVC_KEY_REQUESTS_PER_SECOND: "1", LEGACY_STREAM_CREATION_ENABLED: "0" },
    },
  },
];

const append = (body: string, key = "refused") =>
  `curl -si "$URL/v2/streams/$LOANS/events" ${AUTH} -H "Idempotency-Key: ${key}" \\\n  --json ${body}`;
/** A report on the export that the routes have made and deleted: its package is still here as a file. */
const report = (ok: boolean, sha256: string, { version = "1.0", form = "-si" } = {}) =>
  `curl ${form} "$URL/v1/exports/$EXPORT/truth-package/verify" ${AUTH} \\
  --json '{"verifierKind":"my-verifier","verifierVersion":"${version}","accessId":"'$ACCESS'","proof":"'$proof'",
    "verificationReport":{"ok":${ok},"packageSha256":"'$(${sha256})'","manifestSha256":"'$MANIFEST'","verifiedArtifacts":3,"problems":[]}}'`;
const PROOF = 'proof=$({ printf %s "$CHALLENGE"; cat loans.truth.zip; } | sha256sum | cut -c 1-64)';
const OTHER_PACKAGE = "printf %064d 0";
const THIS_PACKAGE = "sha256sum loans.truth.zip | cut -c 1-64";
/** A declaration of witnesses that is refused. `keys`: JSON. */
const declare = (members: string, id = "refused") =>
  `curl -si -X PUT "$URL/v2/tenant/witness/policies/${id}" -H "Authorization: Bearer $POLICY_KEY" \\\n  --json ` +
  `'{${members}}'`;
const witness = (id: string, key: string, more = "") =>
  `{"witness_id":"${id}","name":"${id}.example","public_key_hex":"${key}"${more}}`;
const ONE_KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const OTHER_KEY = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025";
const verify = (body: string) => `curl -si "$URL/v2/verify" --json ${body}`;

/** By code. */
export const ERROR_EXAMPLES: Readonly<Partial<Record<string, Omit<RefusalExample, "code">>>> = {
  request_malformed: { says: "A method that HTTP does not have.", command: 'curl -si -X BREW "$URL/v2/streams"' },
  headers_too_large: {
    says: "A header of 20,000 characters.",
    command: `curl -si "$URL/health" -H "X-Long: $(printf 'x%.0s' $(seq 20000))"`,
  },
  expectation_failed: {
    says: "An expectation that the server cannot meet.",
    command: 'curl -si "$URL/health" -H "Expect: a-miracle"',
  },
  transfer_coding_unsupported: {
    says: "A body that is compressed on its way: curl says so of one that is not.",
    command: `curl -si "$URL/v2/verify" -H "Transfer-Encoding: gzip, chunked" --json '{}'`,
  },
  object_too_complex: {
    says: "More than two million values. A body of 4 MB costs its address some seconds of other requests.",
    command: `{ printf '[0'; yes ',0' | head -n 2000001 | tr -d '\\n'; printf ']'; } |
curl -si "$STRICT/v2/verify" --json @-`,
  },
  anchor_not_found: { says: "An anchor that is not there.", command: 'curl -si "$URL/v2/anchors/anc_none"' },
  checkpoint_not_in_epoch: {
    says: "A checkpoint that was made after the epoch.",
    command: 'curl -si "$URL/v2/anchors/$ANCHOR?checkpoint=$LATER"',
  },
  anchor_not_earlier: {
    says: "An epoch does not extend itself.",
    command: 'curl -si "$URL/v2/anchors/$NEWER/consistency?from=$NEWER"',
  },
  ivc_epoch_not_found: { says: "There are no such epochs yet.", command: 'curl -si "$URL/v2/ivc/epochs/ivc_none"' },
  event_log_stream: {
    says: "An event of v2 for the stream of the event log.",
    command: append(`'${LOAN}'`).replace("$LOANS", "$LOG"),
  },
  export_not_found: {
    says: "An export that is not there. One of another tenant gets the same answer.",
    command: `curl -si "$URL/v1/exports/exp_none" ${AUTH}`,
  },
  export_forbidden: {
    says: "An export of another system.",
    command: 'curl -si "$URL/v1/exports/$READY" -H "Authorization: Bearer $OTHER_KEY"',
  },
  export_deleted: {
    says: "A ticket for the export that was deleted on [its page](exports.md).",
    command: `curl -si -X POST "$URL/v1/exports/$EXPORT/download/prepare" ${AUTH}`,
  },
  export_empty: {
    says: "What was received before there was anything.",
    command: `curl -si "$URL/v1/exports" ${AUTH} \\
  --json '{"streams":["'$LOANS'"],"received_before":"2000-01-01T00:00:00Z"}'`,
  },
  ticket_invalid: {
    says: "A ticket that was never made.",
    command: 'curl -si "$URL/v1/exports/$READY/download?ticket=none"',
  },
  prefetch_refused: {
    says: "What a browser sends ahead of a click. It uses no ticket.",
    command: 'curl -si "$URL$USED" -H "Sec-Purpose: prefetch"',
  },
  ticket_used: { says: "The ticket that was used.", command: 'curl -si "$URL$USED"' },
  range_not_satisfiable: {
    says: "A new ticket, and a range behind the end. It does not use the ticket up.",
    command: `path=$(curl -s -X POST "$URL/v1/exports/$READY/download/prepare" ${AUTH} | sed 's/.*"path":"\\([^"]*\\)".*/\\1/')
curl -si "$URL$path" -H "Range: bytes=99999999-"`,
  },
  report_not_ok: {
    says: "A report of a package that did not verify.",
    command: `${PROOF}\n${report(false, OTHER_PACKAGE)}`,
  },
  report_mismatch: {
    says: "A report by somebody who knows the package's hash, and does not have its bytes.",
    command: `proof=$(printf %s "$CHALLENGE" | sha256sum | cut -c 1-64)\n${report(true, THIS_PACKAGE)}`,
  },
  too_many_verifiers: {
    says: "Reports of nine more verifiers. The last answer is shown.",
    command: `${PROOF}
for n in 1 2 3 4 5 6 7 8 9; do
${report(true, THIS_PACKAGE, { version: "2.'$n'", form: "-s -D head -o body" })}
done
cat head body`,
  },
  json_malformed: { says: "A comma too many. `offset` counts bytes from 0.", command: verify(`'{"a":1,}'`) },
  duplicate_name: { says: "One name twice.", command: verify(`'{"a":1,"a":2}'`) },
  lossy_number: { says: "An integer above 2^53 - 1.", command: verify(`'{"a":9007199254740993}'`) },
  invalid_unicode: { says: "Half of a surrogate pair.", command: verify(`'{"a":"\\ud83d"}'`) },
  too_deep: {
    says: "65 arrays, one in another.",
    command: verify(`"$(printf '[%.0s' $(seq 65))$(printf ']%.0s' $(seq 65))"`),
  },
  idempotency_key_required: {
    says: "An event without the header.",
    command: `curl -si "$URL/v2/streams/$LOANS/events" ${AUTH} \\\n  --json '${LOAN}'`,
  },
  idempotency_key_invalid: { says: "A key with a space.", command: append(`'${LOAN}'`, "my key") },
  unsupported_object: { says: "JSON that is no evidence.", command: verify(`'{"hello":"world"}'`) },
  unauthorized: {
    says: "No key. A wrong, expired or revoked one gets the same answer.",
    command: 'curl -si "$URL/v2/streams"',
  },
  system_forbidden: {
    says: "A stream for another system than that of the key.",
    command: `curl -si "$URL/v2/streams" ${AUTH} \\
  --json '{"system_id":"'$OTHER_SYSTEM'","use_case":"cards","policy_id":"default","metadata":{}}'`,
  },
  action_forbidden: {
    says: "Appending with the key that may only read.",
    command: append(`'${LOAN}'`).replace("$API_KEY", "$READ_KEY"),
  },
  stream_forbidden: {
    says: "The head of a stream of another system.",
    command: 'curl -si "$URL/v2/streams/$LOANS/head" -H "Authorization: Bearer $OTHER_KEY"',
  },
  legacy_stream_creation_disabled: {
    says: "The second server makes no streams.",
    command: `curl -si "$STRICT/v2/streams" -H "Authorization: Bearer $STRICT_KEY" \\
  --json '{"system_id":"'$STRICT_SYSTEM'","use_case":"loan decisions","policy_id":"default","metadata":{}}'`,
  },
  route_not_found: { says: "A path that no route has.", command: 'curl -si "$URL/v1/streams"' },
  stream_not_found: {
    says: "A stream that is not there. One of another tenant gets the same answer.",
    command: `curl -si "$URL/v2/streams/str_none/head" ${AUTH}`,
  },
  stream_empty: {
    says: "The stream that `init` made has no event yet.",
    command: `curl -si "$URL/v2/streams/$STREAM/head" ${AUTH}`,
  },
  receipt_not_found: {
    says: "An event that is not there.",
    command: `curl -si "$URL/v2/receipts/sev_none" ${AUTH}`,
  },
  window_not_found: { says: "A window that is not there.", command: 'curl -si "$URL/v2/windows/win_none"' },
  event_not_in_window: {
    says: "An event that another window holds.",
    command: 'curl -si "$URL/v2/windows/$WINDOW?event=2"',
  },
  checkpoint_not_found: {
    says: "A checkpoint that is not there.",
    command: 'curl -si "$URL/v2/checkpoints/chk_none"',
  },
  policy_not_found: {
    says: "A version that is not there.",
    command: 'curl -si "$URL/v2/witness/policies/default?version=99"',
  },
  policy_id_taken: { says: "The policy that every deployment has.", command: declare('"threshold":1', "default") },
  witness_keys_missing: { says: "Independent of whom?", command: declare('"mode":"independent","witnessKeys":[]') },
  witness_threshold_unreachable: { says: "Two cosignatures of one witness.", command: declare('"threshold":2') },
  witness_key_repeated: {
    says: "One key for two witnesses.",
    command: declare(`"witnessKeys":[${witness("w1", ONE_KEY)},${witness("w2", ONE_KEY)}]`),
  },
  witness_name_repeated: {
    says: "One name for two witnesses.",
    command: declare(
      `"witnessKeys":[${witness("w1", ONE_KEY)},${witness("w2", OTHER_KEY).replace("w2.example", "w1.example")}]`,
    ),
  },
  witness_epochs_overlap: {
    says: "A new key of a witness, while the old one has no end.",
    command: declare(`"witnessKeys":[${witness("w1", ONE_KEY)},${witness("w1", OTHER_KEY, ',"key_epoch":2')}]`),
  },
  witness_validity_backwards: {
    says: "A key that ended before it is declared.",
    command: declare(`"witnessKeys":[${witness("w1", ONE_KEY, ',"valid_to":"2020-01-01T00:00:00.000Z"')}]`),
  },
  witness_not_managed: {
    says: "An outside witness as if it were the service's own.",
    command: declare(`"witnessKeys":[${witness("w1", ONE_KEY, ',"managed":true')}]`),
  },
  witness_not_independent: {
    says: "The service's own witness as if it were an outside one.",
    command: `own=$(curl -s "$URL/v2/witness/policies/default" | sed 's/.*"public_key_hex":"\\([0-9a-f]*\\)".*/\\1/')
${declare(`"witnessKeys":[${witness("w1", "'$own'")}]`)}`,
  },
  method_not_allowed: {
    says: "A path with a method that it does not have.",
    command: 'curl -si -X DELETE "$URL/v2/keys"',
  },
  idempotency_conflict: {
    says: "The key of the first event with another event.",
    command: append(`'${LOAN.replace("granted", "refused")}'`, "loan-4711"),
  },
  sequence_conflict: {
    says: "Only where the stream still has no event; and it has two.",
    command: append(`'${LOAN}'`).replace(" \\\n", ' \\\n  -H "If-Head-Match: $(printf %064d 0)" \\\n'),
  },
  predecessor_missing: {
    says: "Only behind a request that was never sent.",
    command: append(`'${LOAN}'`).replace('/events"', '/events?after_key=loan-4710"'),
  },
  evidence_missing: {
    says: "A pack with an event that is not there yet.",
    command: `curl -si "$URL/v2/audit/packs" ${AUTH} \\
  --json '{"stream_id":"'$LOANS'","from_seq_no":1,"to_seq_no":99}'`,
  },
  body_too_large: {
    says: "A stream with 64 KiB and one byte.",
    command: `head -c 65537 /dev/zero | tr '\\0' ' ' |
curl -si "$URL/v2/streams" ${AUTH} --json @-`,
  },
  payload_too_large: {
    says: "An event with a text of 256 KiB, which has some bytes around it.",
    command: `{ printf '{"source_ref":"big","event_type":"scan","occurred_at":"2026-03-01T10:15:30Z","payload":{"text":"'
  head -c 262144 /dev/zero | tr '\\0' x; printf '"}}'; } |
${append("@-")}`,
  },
  unsupported_media_type: {
    says: "A body that is sent as a form, as curl does by itself.",
    command: `curl -si "$URL/v2/verify" -d '{}'`,
  },
  invalid_request: {
    says: "Two members are wrong. `problems` names each.",
    command: append(`'${LOAN.replace("loan.decided", "").replace('"payload"', '"data"')}'`),
  },
  timezone_required: { says: "A local time.", command: append(`'${LOAN.replace("+01:00", "")}'`) },
  wrong_kind: {
    says: "A window where a receipt is wanted.",
    command: 'curl -s "$URL/v2/windows/$WINDOW" | curl -si "$URL/v2/verify/receipt" --json @-',
  },
  fork_not_proved: {
    says: "One checkpoint twice is no fork.",
    command: `one=$(curl -s "$URL/v2/checkpoints/$CHECKPOINT")
curl -si "$URL/v2/forks" --json '{"fork_id":"frk_01k3c0h7wz0000000000000000","stream_id":"'$LOANS'","kind":"checkpoint",
  "left":'"$one"',"right":'"$one"',"divergence":null,"detected_at":"2026-03-01T00:33:20.000Z"}'`,
  },
  checkpoint_not_earlier: {
    says: "Asked the wrong way round.",
    command: 'curl -si "$URL/v2/checkpoints/$CHECKPOINT/consistency?from=$LATER"',
  },
  rate_limited: {
    says: "Nine requests at once with one key. The last answer is shown.",
    command: `curl -si "$STRICT/v2/streams?limit=[1-9]" -H "Authorization: Bearer $STRICT_KEY"`,
  },
};

/** Codes that no command from outside can provoke. */
export const ERRORS_SHOWN_BY_TESTS: Readonly<Partial<Record<ErrorCode, ShownByTest>>> = {
  request_timeout: {
    comes:
      "Comes where the lines of a request take longer than a minute, and where a body to be verified brings less " +
      "than 128 KiB a second after its first five.",
    test: "packages/server/test/http/raw-requests.test.ts",
  },
  verifier_busy: {
    comes:
      "Comes where an object has waited for half a minute while others were verified, and where one address has " +
      "64 of them waiting or bodies that are too much together.",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  key_busy: {
    comes:
      "Comes where a system has four packs, or eight bodies of events over 256 KiB, under way and none of them " +
      "is done within half a minute.",
    test: "packages/server/test/packs/packs-at-once.test.ts",
  },
  store_uncertain: {
    comes:
      "Comes where the disk fails while a commit is waited for. The server ends then. Send the same request " +
      "again once it is back: it is recorded once.",
    test: "packages/server/test/disk/failing-disk.slow.test.ts",
  },
  store_full: {
    comes: "Comes where the disk of the database is full. Nothing is recorded, and reading goes on.",
    test: "packages/server/test/disk/full-disk.slow.test.ts",
  },
  archive_unavailable: {
    comes:
      "Comes where a payload is asked for that is in a file of the archive, and the folder of the archive is not " +
      "mounted or the file is gone. Bring the folder back, and ask again.",
    test: "packages/server/test/archive/archive-files.stores.slow.test.ts",
  },
  archive_damaged: {
    comes:
      "Comes where the file of the archive was changed: the payload in it does not have its event's hash. The " +
      "operator puts the original back.",
    test: "packages/server/test/archive/archive-files.stores.slow.test.ts",
  },
  ticket_expired: {
    comes: "Comes where a ticket is used when its five minutes are over.",
    test: "packages/server/test/exports/downloads.slow.test.ts",
  },
  export_not_ready: {
    comes: "Comes for a ticket, or a report, as long as the package is not built.",
    test: "packages/server/test/exports/verifications.slow.test.ts",
  },
  challenge_missing: {
    comes: "Comes for a report on a package that a release without challenges has built. Ask for a new export.",
    test: "packages/server/test/exports/verifications.slow.test.ts",
  },
  export_failed: {
    comes: "Comes for a ticket where the package could not be built. `failure` of the export says why.",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  too_many_exports: {
    comes:
      "Comes where the tenant has twenty exports that wait, are built or have their package here, or one of its " +
      "several systems has ten.",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  stream_class_closed: {
    comes: "Comes for an event to a stream that only the service itself writes.",
    test: "packages/server/test/faults-within.test.ts",
  },
  stream_closed: {
    comes:
      "Comes for an event to a stream that `svc-server accept-loss` has closed, since its database had lost events.",
    test: "packages/server/test/high-water-mark/rolled-back.slow.test.ts",
  },
  fork_untrusted: {
    comes:
      "Comes for fork evidence about a stream of this service under keys that are not its own: anybody can make " +
      "such evidence.",
    test: "packages/server/test/forks/hand-in.stores.slow.test.ts",
  },
  fork_foreign: {
    comes: "Comes for fork evidence about a stream that is not here, or under another origin.",
    test: "packages/server/test/forks/hand-in.stores.slow.test.ts",
  },
  too_many_forks: {
    comes: "Comes where 64 pieces of fork evidence about the stream are kept, or 4 MiB of it.",
    test: "packages/server/test/forks/hand-in.stores.slow.test.ts",
  },
  range_too_large: {
    comes: "Comes where the range holds more than fits into a pack. To see it one would have to record 128 MiB first.",
    test: "packages/server/test/hardship.slow.test.ts",
  },
  internal_error: {
    comes:
      "Comes where the server meets what it does not foresee, such as a table that is gone. The answer has a " +
      "`request_id`, under which the log says more.",
    test: "packages/server/test/faults-within.test.ts",
  },
  store_unavailable: {
    comes:
      "Comes where the database is locked by another program for longer than a request waits, or cannot be " +
      "written. Send the same request again.",
    test: "packages/server/test/http/requests.slow.test.ts",
  },
};
