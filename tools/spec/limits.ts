/** The limits that more than one program keeps, by the names of their constants. */

import * as service from "../../packages/api/src/limits.ts";
import * as archive from "../../packages/core/src/archive/open.ts";
import { MAX_NESTING } from "../../packages/core/src/kernel/json-value.ts";
import { MAX_NOTE_LINES } from "../../packages/core/src/note/signed-note.ts";
import { MAX_PATH_HASHES } from "../../packages/core/src/note/tlog-proof.ts";
import { MAX_RLP_DEPTH } from "../../packages/core/src/objects/anchor/rlp.ts";
import * as attestation from "../../packages/core/src/objects/attestation/mismatch.ts";
import { MAX_VALUE_BYTES, MAX_VALUE_DEPTH } from "../../packages/core/src/objects/capsule/commitment.ts";
import { CAPSULE_SIZES, MAX_FURTHER_NAMES } from "../../packages/core/src/objects/capsule/slot.ts";
import { MAX_AHEAD_MS } from "../../packages/core/src/objects/envelope/recorded.ts";
import { MAX_IVC_STEPS } from "../../packages/core/src/objects/ivc/schema.ts";
import * as protocol from "../../packages/core/src/protocol.ts";
import { MAX_PROBLEMS } from "../../packages/core/src/report/bounds.ts";
import { MAX_ERRORS } from "../../packages/core/src/schema/check.ts";
import { MAX_TEXT_CHARACTERS } from "../../packages/core/src/schema/pointer.ts";
import { SHOWN_CHARACTERS } from "../../packages/core/src/schema/validate.ts";
import { MAX_TLOG_DEFINITIONS } from "../../packages/core/src/trust/tlog-policy/parse.ts";
import { MAX_CHOICES } from "../../packages/core/src/trust/tlog-policy/quorum.ts";
import { MAX_HANDOVER_CHAIN } from "../../packages/core/src/vault/known-keys.ts";
import { MAX_BYTES } from "../../packages/core/src/verify/vaults.ts";
import { MAX_PACK_BYTES } from "../../packages/sdk/src/client.ts";
import * as retry from "../../packages/sdk/src/retry.ts";
import * as transport from "../../packages/sdk/src/transport.ts";

/** Returns the limits: of verifiers, which decide verdicts or bound reports, of the service, and of its clients. */
export function limits() {
  const { MAX_PAYLOAD_DEPTH, MAX_WINDOWS_PER_CHECKPOINT, MAX_ENDORSEMENT_CHAIN, COSIGNATURE_SKEW_SECONDS } = protocol;
  const { LONGEST_MS, LATEST_AFTER_MS, EARLIEST_BEFORE_MS } = attestation;
  const { FIRST_PAUSE_MS, LONGEST_PAUSE_MS, MAX_RETRY_AFTER_MS } = retry;
  const { DEFAULT_TIMEOUT_MS, DEFAULT_MAX_ATTEMPTS, DEFAULT_MAX_ANSWER_BYTES } = transport;
  return {
    verifier: inSnakeCase({
      MAX_NESTING,
      MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
      MAX_PAYLOAD_DEPTH,
      MAX_WINDOWS_PER_CHECKPOINT,
      MAX_ENDORSEMENT_CHAIN,
      MAX_HANDOVER_CHAIN,
      COSIGNATURE_SKEW_SECONDS,
      MAX_NOTE_LINES,
      MAX_PATH_HASHES,
      MAX_TLOG_DEFINITIONS,
      MAX_QUORUM_CHOICES: MAX_CHOICES,
      MAX_RLP_DEPTH,
      MAX_EXPANDED_BYTES: archive.MAX_EXPANDED_BYTES,
      MAX_EXPANSION_RATIO: archive.MAX_EXPANSION_RATIO,
      MAX_PROVENANCE_BUNDLE_BYTES: MAX_BYTES.bundle ?? null,
      MAX_DISCLOSURE_BYTES: MAX_BYTES.disclosure ?? null,
      MAX_ATTESTATION_BYTES: MAX_BYTES["vault-attestation"] ?? null,
      CAPSULE_SIZES,
      MAX_FURTHER_NAMES,
      MAX_VALUE_DEPTH,
      MAX_VALUE_BYTES,
      MAX_VAULT_AHEAD_MS: MAX_AHEAD_MS,
      LONGEST_RESULT_MS: LONGEST_MS,
      LATEST_RESULT_AFTER_MS: LATEST_AFTER_MS,
      EARLIEST_RESULT_BEFORE_MS: EARLIEST_BEFORE_MS,
      MAX_IVC_STEPS,
      MAX_SCHEMA_ERRORS: MAX_ERRORS,
      MAX_PROBLEMS,
      MAX_SIGNERS: MAX_PROBLEMS,
      MAX_TEXT_UTF16_UNITS: MAX_TEXT_CHARACTERS,
      SHOWN_VALUE_UTF16_UNITS: SHOWN_CHARACTERS,
    }),
    service: inSnakeCase(service),
    client: inSnakeCase({
      DEFAULT_TIMEOUT_MS,
      DEFAULT_MAX_ATTEMPTS,
      DEFAULT_MAX_ANSWER_BYTES,
      MAX_PACK_BYTES,
      FIRST_PAUSE_MS,
      LONGEST_PAUSE_MS,
      MAX_RETRY_AFTER_MS,
    }),
  };
}

function inSnakeCase(constants: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(constants).map(([name, value]) => [name.toLowerCase(), value]));
}
