/**
 * For each limit what it bounds, and a command that goes one beyond it, or the test that shows it if no command can in
 * reasonable time.
 */
import type { RefusalExample, ShownByTest } from "./example.ts";
import { limits } from "./limits.ts";

const AUTH = '-H "Authorization: Bearer $API_KEY"';
const EVENT = '"source_ref":"limit","event_type":"limit.tried","occurred_at":"2026-03-01T10:15:30Z"';

interface LimitExample extends Omit<RefusalExample, "code"> {
  /** The unit of the number. */
  readonly bounds: string;
  /** Null if nothing is refused. */
  readonly code: RefusalExample["code"] | null;
}

const events = (path: string, key = "limit") =>
  `curl -si "$URL/v2/streams/$LOANS/${path}" ${AUTH} -H "Idempotency-Key: ${key}"`;
const blanks = (count: number) => `head -c ${count} /dev/zero | tr '\\0' ' '`;
const stream = (useCase: string, metadata: string) => `curl -si "$URL/v2/streams" ${AUTH} \\
  --json '{"system_id":"'$SYSTEM'","use_case":"${useCase}","policy_id":"default","metadata":{${metadata}}}'`;
/** Returns a text of dots, to splice into a text in single quotes. */
const dots = (count: number) => `'$(printf '.%.0s' $(seq ${count}))'`;
const tooLarge = (bounds: string, bytes: number, command: string): LimitExample => ({
  bounds,
  says: `Blanks, ${(bytes + 1).toLocaleString("en-US")} of them. They are refused before they are read.`,
  command: `${blanks(bytes + 1)} |\n${command} --json @-`,
  code: "body_too_large",
});

/** By the name of the limit. */
export const LIMIT_EXAMPLES: Readonly<Partial<Record<string, LimitExample>>> = {
  MAX_PAYLOAD_BYTES: {
    bounds: "Bytes of a payload in canonical form.",
    says: `The payload is \`{"text":"xx..."}\`, and its text as long as the limit less 10 bytes.`,
    command: `{ printf '{${EVENT},"payload":{"text":"'
  head -c ${limits.MAX_PAYLOAD_BYTES - 10} /dev/zero | tr '\\0' x; printf '"}}'; } |
${events("events")} --json @-`,
    code: "payload_too_large",
  },
  MAX_PAYLOAD_NESTING: {
    bounds: "Levels of a payload, the payload itself counted.",
    says: "An object, and in it as many arrays as the limit says.",
    command: `n=${limits.MAX_PAYLOAD_NESTING}
${events("events")} \\
  --json '{${EVENT},
    "payload":{"a":'$(printf '[%.0s' $(seq $n))$(printf ']%.0s' $(seq $n))'}}'`,
    code: "too_deep",
  },
  MAX_EVENT_BODY_BYTES: tooLarge("Bytes of a request with one event.", limits.MAX_EVENT_BODY_BYTES, events("events")),
  MAX_BATCH_BODY_BYTES: tooLarge(
    "Bytes of a request with several events.",
    limits.MAX_BATCH_BODY_BYTES,
    events("events/batch"),
  ),
  MAX_BATCH_EVENTS: {
    bounds: "Events in one request.",
    says: "They are counted before anything else is looked at.",
    command: `printf '{"events":[{}%s]}' "$(printf ',{}%.0s' $(seq ${limits.MAX_BATCH_EVENTS}))" |
${events("events/batch")} --json @-`,
    code: "invalid_request",
  },
  MAX_BODY_BYTES: tooLarge(
    "Bytes of every other request with a body.",
    limits.MAX_BODY_BYTES,
    `curl -si "$URL/v2/streams" ${AUTH}`,
  ),
  MAX_VERIFY_BODY_BYTES: tooLarge(
    "Bytes of evidence that is sent to be verified. `svc verify` takes larger files.",
    limits.MAX_VERIFY_BODY_BYTES,
    'curl -si "$URL/v2/verify"',
  ),
  MAX_FORK_BODY_BYTES: tooLarge(
    "Bytes of fork evidence that is handed in.",
    limits.MAX_FORK_BODY_BYTES,
    'curl -si "$URL/v2/forks"',
  ),
  MAX_METADATA_PAIRS: {
    bounds: "Pairs in the metadata of a stream.",
    says: "One pair more.",
    command: stream("limits", `"n0":""'$(printf ',"n%s":""' $(seq ${limits.MAX_METADATA_PAIRS}))'`),
    code: "invalid_request",
  },
  MAX_METADATA_NAME_CHARACTERS: {
    bounds: "Characters of a name in the metadata.",
    says: "A name with one more.",
    command: stream("limits", `"${dots(limits.MAX_METADATA_NAME_CHARACTERS + 1)}":""`),
    code: "invalid_request",
  },
  MAX_METADATA_VALUE_CHARACTERS: {
    bounds: "Characters of a value in the metadata.",
    says: "A value with one more.",
    command: stream("limits", `"n":"${dots(limits.MAX_METADATA_VALUE_CHARACTERS + 1)}"`),
    code: "invalid_request",
  },
  MAX_USE_CASE_CHARACTERS: {
    bounds: "Characters of a use case.",
    says: "One more.",
    command: stream(dots(limits.MAX_USE_CASE_CHARACTERS + 1), ""),
    code: "invalid_request",
  },
  MAX_REASON_CHARACTERS: {
    bounds: "Characters of the reason of an erasure.",
    says: "One more.",
    command: `curl -si "$URL/v2/streams/$RATES/events/$RATE/erase" -H "Authorization: Bearer $ERASE_KEY" \\
  --json '{"reason":"${dots(limits.MAX_REASON_CHARACTERS + 1)}"}'`,
    code: "invalid_request",
  },
  MAX_IDEMPOTENCY_KEY_CHARACTERS: {
    bounds: "Characters of an Idempotency-Key.",
    says: "One more.",
    command: `${events("events", `$(printf 'k%.0s' $(seq ${limits.MAX_IDEMPOTENCY_KEY_CHARACTERS + 1}))`)} --json '{}'`,
    code: "idempotency_key_invalid",
  },
  MAX_EXPORT_STREAMS: {
    bounds: "Streams of an export.",
    says: "One more.",
    command: `curl -si "$URL/v1/exports" ${AUTH} \\
  --json '{"streams":["s"'$(printf ',"s%s"' $(seq ${limits.MAX_EXPORT_STREAMS}))']}'`,
    code: "invalid_request",
  },
  MAX_VERIFIER_CHARACTERS: {
    bounds: "Characters of the name and the version by which a verifier reports.",
    says: "A name with one more.",
    command: `curl -si "$URL/v1/exports/$EXPORT/truth-package/verify" ${AUTH} \\
  --json '{"verifierKind":"${dots(limits.MAX_VERIFIER_CHARACTERS + 1)}","verifierVersion":"1.0","accessId":"'$ACCESS'","proof":"'$(printf %064d 0)'",
    "verificationReport":{"ok":true,"packageSha256":"'$(printf %064d 0)'","manifestSha256":"'$MANIFEST'","verifiedArtifacts":3,"problems":[]}}'`,
    code: "invalid_request",
  },
  DEFAULT_PAGE_ITEMS: {
    bounds: "Items of a page where the request does not say.",
    says: "There are fewer streams, so there is no next page.",
    command: `curl -si "$URL/v2/streams" ${AUTH}`,
    code: null,
  },
  MAX_PAGE_ITEMS: {
    bounds: "Items of a page.",
    says: "One more.",
    command: `curl -si "$URL/v2/streams?limit=${limits.MAX_PAGE_ITEMS + 1}" ${AUTH}`,
    code: "invalid_request",
  },
};

/** Limits that take too long to reach by requests. */
export const LIMITS_SHOWN_BY_TESTS: Readonly<Partial<Record<string, ShownByTest & { readonly bounds: string }>>> = {
  MAX_EXAMINED_ROWS: {
    bounds: "Rows that a list examines for one page.",
    comes: "Beyond it the page is short, and `next_cursor` leads on.",
    test: "packages/server/test/lists/list-cost.slow.test.ts",
  },
  BYTES_OF_A_REQUEST: {
    bounds: "A request without a key counts as one more for each so many bytes of its body.",
    comes: "Beyond what its address may send the answer is [`rate_limited`](#rate_limited).",
    test: "packages/server/test/http/rate-limit.test.ts",
  },
  MS_OF_A_REQUEST: {
    bounds: "And as one more for each so many milliseconds that a thread works for it.",
    comes: "Beyond what its address may send the answer is [`rate_limited`](#rate_limited).",
    test: "packages/server/test/http/rate-limit.test.ts",
  },
  BYTES_OF_A_KEY_REQUEST: {
    bounds: "A request with a key counts as one more for each so many bytes of its body.",
    comes: "Beyond what its key may send the answer is [`rate_limited`](#rate_limited).",
    test: "packages/server/test/http/rate-limit.test.ts",
  },
  MAX_FORKS_KEPT: {
    bounds: "Pieces of fork evidence that are kept for one stream, or for the service's own log.",
    comes: "Beyond it the answer is [`too_many_forks`](#too_many_forks).",
    test: "packages/server/test/forks/hand-in.stores.slow.test.ts",
  },
  MAX_FORK_BYTES_KEPT: {
    bounds: "Bytes of such evidence for one stream; the first piece is always kept.",
    comes: "Beyond it the answer is [`too_many_forks`](#too_many_forks).",
    test: "packages/server/test/forks/hand-in.stores.slow.test.ts",
  },
  MAX_SMALL_VERIFY_BYTES: {
    bounds:
      "Bytes of an object that is verified beside others. Larger ones have a thread for themselves, one at a time.",
    comes: "Beyond it the answer is the same, and may take longer.",
    test: "packages/server/test/verify/verify.slow.test.ts",
  },
  MAX_VERIFY_VALUES: {
    bounds: "Values in an object that is verified, commas and brackets in strings counted.",
    comes: "Beyond it the answer is [`object_too_complex`](#object_too_complex).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_VERIFY_MEMORY_BYTES: {
    bounds: "Bytes of all bodies to verify that are in memory at a time.",
    comes: "Beyond it the address that sends most loses its largest body: [`verifier_busy`](#verifier_busy).",
    test: "packages/host/test/http/body-memory.test.ts",
  },
  MAX_SMALL_VERIFY_BODY_BYTES: {
    bounds: "Bytes of a body to verify that waits for no other of its address.",
    comes: "Larger ones take one of the places below when so many bytes have come.",
    test: "packages/server/test/verify/verify.slow.test.ts",
  },
  MAX_LARGE_VERIFY_BODIES: {
    bounds: "Such larger bodies of one address at a time.",
    comes: "Others of it wait.",
    test: "packages/server/test/verify/verify.slow.test.ts",
  },
  MAX_VERIFY_WAIT_MS: {
    bounds: "Milliseconds that they wait for a place, and any object for a thread.",
    comes: "Beyond it the answer is [`verifier_busy`](#verifier_busy).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_VERIFY_WAITING: {
    bounds: "Objects of one address that wait for a thread at a time.",
    comes: "Beyond it the answer is [`verifier_busy`](#verifier_busy).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MIN_VERIFY_BYTES_PER_SECOND: {
    bounds: "Bytes a second that a body to be verified must bring, after its first seconds.",
    comes: "Below it the answer is [`request_timeout`](#request_timeout).",
    test: "packages/server/test/verify/verify.slow.test.ts",
  },
  BODY_GRACE_MS: {
    bounds: "Milliseconds in which it need not.",
    comes: "After them the answer is [`request_timeout`](#request_timeout).",
    test: "packages/server/test/verify/verify.slow.test.ts",
  },
  MAX_VERIFY_HEAP_MIB: {
    bounds: "MiB of memory that verifying an object beside others may take.",
    comes: "Beyond it the answer is [`object_too_complex`](#object_too_complex).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_VERIFY_MS: {
    bounds: "Milliseconds that it may take.",
    comes: "Beyond it the answer is [`object_too_complex`](#object_too_complex).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_LARGE_VERIFY_HEAP_MIB: {
    bounds: "MiB of memory that verifying a larger object may take.",
    comes: "Beyond it the answer is [`object_too_complex`](#object_too_complex).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_LARGE_VERIFY_MS: {
    bounds: "Milliseconds that it may take.",
    comes: "Beyond it the answer is [`object_too_complex`](#object_too_complex).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_READS_WAITING: {
    bounds:
      "Requests of one system or address that wait at a time to be read: by the thread that answers, and by the " +
      "one for proofs, packs and lists of windows and checkpoints.",
    comes: "Beyond it the answer is [`rate_limited`](#rate_limited).",
    test: "packages/server/test/reading/reading-thread.slow.test.ts",
  },
  MAX_ALL_READS_WAITING: {
    bounds: "Requests of all systems and addresses together that wait to be read.",
    comes: "Beyond it each has one that waits, and others are answered with [`rate_limited`](#rate_limited).",
    test: "packages/host/test/http/reading-lane.test.ts",
  },
  MAX_VERIFY_THREADS: {
    bounds: "Objects that are verified at the same time, on a machine with more processors than that.",
    comes: "Others wait for their turn; an answer that comes too late is [`verifier_busy`](#verifier_busy).",
    test: "packages/server/test/verify/verifying-threads.slow.test.ts",
  },
  MAX_SMALL_EVENT_BODY_BYTES: {
    bounds: "Bytes of a body of events that never waits for another.",
    comes:
      "Larger ones, and those of a size that is not stated, take one of the places below. They are parsed in " +
      "turns, and all together have half of the time while other systems send smaller ones.",
    test: "packages/server/test/packs/packs-at-once.test.ts",
  },
  MAX_LARGE_EVENT_BODIES: {
    bounds: "Larger bodies of events that a system sends at a time.",
    comes: "Others wait.",
    test: "packages/server/test/packs/packs-at-once.test.ts",
  },
  MAX_PACKS_AT_ONCE: {
    bounds: "Audit packs that a system fetches at a time.",
    comes: "Others wait.",
    test: "packages/server/test/packs/packs-at-once.test.ts",
  },
  MAX_PERMIT_WAIT_MS: {
    bounds: "Milliseconds that these wait at most.",
    comes: "Beyond it the answer is [`key_busy`](#key_busy).",
    test: "packages/server/test/packs/packs-at-once.test.ts",
  },
  MAX_EXPORT_EVENTS: {
    bounds: "Events that one export is asked for.",
    comes: "Beyond it the answer is [`range_too_large`](#range_too_large).",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  MAX_EXPORT_BYTES: {
    bounds: "Bytes of a truth package: what an archive holds without ZIP64.",
    comes: "Beyond it the export fails, and says so.",
    test: "packages/server/test/exports/build-export.test.ts",
  },
  MAX_EXPORTS_KEPT: {
    bounds: "Exports of a tenant that wait, are built or have their package here.",
    comes: "Beyond it the answer is [`too_many_exports`](#too_many_exports).",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  MAX_SYSTEM_EXPORTS_KEPT: {
    bounds:
      "Those of one system, where the tenant has another. A system that has none gets one, however many the " +
      "tenant has.",
    comes: "Beyond it the answer is [`too_many_exports`](#too_many_exports).",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  MAX_EXPORT_DAYS: {
    bounds: "Days for which a package is kept.",
    comes: "After them its answer is [`export_deleted`](#export_deleted).",
    test: "packages/server/test/exports/downloads.slow.test.ts",
  },
  MAX_EXPORT_WAIT_SECONDS: {
    bounds: "Seconds that an export waits for the evidence of its events.",
    comes: "After them it fails, and says so.",
    test: "packages/server/test/exports/exports.slow.test.ts",
  },
  MAX_EXPORT_BUILDS: {
    bounds: "Times that the building of a package is begun.",
    comes: "After them the export fails, and says so.",
    test: "packages/server/test/exports/export-builds.slow.test.ts",
  },
  MAX_TICKET_SECONDS: {
    bounds: "Seconds for which a ticket opens a download.",
    comes: "After them the answer is [`ticket_expired`](#ticket_expired).",
    test: "packages/server/test/exports/downloads.slow.test.ts",
  },
  MAX_DOWNLOAD_RESUMPTIONS: {
    bounds: "Times that a download goes on with its ticket after it broke off.",
    comes: "Beyond it the answer is [`ticket_used`](#ticket_used).",
    test: "packages/server/test/exports/downloads.slow.test.ts",
  },
  MAX_VERIFIERS_PER_ACCESS: {
    bounds: "Verifiers whose reports on one access are recorded.",
    comes: "Beyond it the answer is [`too_many_verifiers`](#too_many_verifiers).",
    test: "packages/server/test/exports/verifications.slow.test.ts",
  },
  MAX_WINDOW_SECONDS: {
    bounds: "Seconds that a declared policy may let a window stay open.",
    comes: "Beyond it `svc-server policies declare` says so.",
    test: "packages/server/test/policies/policies.slow.test.ts",
  },
  MAX_WITNESS_KEYS: {
    bounds: "Keys that a witness policy may list.",
    comes: "Beyond it the answer is [`invalid_request`](#invalid_request).",
    test: "packages/server/test/policies/declare-witnesses.stores.slow.test.ts",
  },
  MAX_PACK_PAYLOAD_BYTES: {
    bounds: "Bytes of the payloads in one audit pack.",
    comes: "Beyond it the answer is [`range_too_large`](#range_too_large).",
    test: "packages/server/test/hardship.slow.test.ts",
  },
  MAX_PACK_EVENTS: {
    bounds: "Events in one audit pack, after its range was extended to whole windows and checkpoints.",
    comes: "Beyond it the answer is [`range_too_large`](#range_too_large).",
    test: "packages/server/test/faults-within.test.ts",
  },
  MAX_SEAL_WAIT_MS: {
    bounds: "Milliseconds for which an audit pack waits for the seals that its range still lacks.",
    comes: "Beyond it the answer is [`evidence_missing`](#evidence_missing).",
    test: "packages/server/test/sealing/sealing.slow.test.ts",
  },
};
