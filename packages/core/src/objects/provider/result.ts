/**
 * A provider's result about a mark in content (protocol section 29): a field of a capsule, which leaves the vault only
 * where somebody opens it. Nobody signs it by itself. It is an observation, and no evidence of authorship.
 */

import type { Json } from "../../kernel/kernel.ts";
import { ASK_DISCLOSURE } from "../../own-actions.ts";
import type { Examination } from "../../report/examination.ts";
import type { Finding } from "../../report/report.ts";
import type { ShapeFault } from "../../report/shape.ts";
import { Closed, Hash, OneOf, ServiceTime, Slug } from "../../schema/atoms.ts";
import { validatorOf } from "../../schema/check.ts";
import * as Type from "../../schema/type.ts";
import { shapeProblems } from "../../schema/validate.ts";
import { BindingAlgorithm, NullableBoolean, NullableHash, NullableTextOf, TextOf } from "../../schema/vault-atoms.ts";

/** The value of `schema`. */
export const PROVIDER_RESULT_SCHEMA = "SVC-PROVIDER-RESULT-001";
/** The name of the capsule field that holds a result. */
export const PROVIDER_RESULT_FIELD = "providerResult";
/** The first word of the note on a result whose presented content is not the recorded one; re-encoding causes it. */
export const PRESENTED_MISMATCH = "presented_mismatch_observed";
const MISMATCH_NOTE =
  `${PRESENTED_MISMATCH}: by its word, the presented file is not the ` + `marked one, as after encoding it anew`;

/**
 * A mark in content, by its algorithm and the hash of what it carries. As JSON, shortened:
 *
 * ```json
 * {"alg":"example.mark.1","value_sha256":"2a4d77…"}
 * ```
 */
export const SoftBinding = Closed({ alg: BindingAlgorithm, value_sha256: Hash });
export type SoftBinding = Type.Static<typeof SoftBinding>;

const members = {
  schema: Type.Literal(PROVIDER_RESULT_SCHEMA),
  provider_id: Slug,
  provider_version: TextOf(1, 128),
  operation: OneOf("register", "mark", "detect"),
  media: OneOf("image", "audio", "video", "text", "other"),
  detected: Type.Boolean(),
  registration_ref: NullableTextOf(1, 512),
  soft_binding: Type.Unsafe<SoftBinding | null>({ ...SoftBinding, type: ["object", "null"] }),
  record_marked_asset_sha256: NullableHash,
  presented_sha256: NullableHash,
  observed_at: ServiceTime,
};

/**
 * A provider's result about a mark (protocol section 29). As JSON, shortened:
 *
 * ```json
 * {"schema":"SVC-PROVIDER-RESULT-001","version":"0.2","provider_id":"marker.one","provider_version":"3.1.4",
 *  "operation":"detect","media":"image","detected":true,"registration_ref":"reg-0001","soft_binding":null,
 *  "record_marked_asset_sha256":"410f0f…","presented_sha256":"410f0f…","presented_matches_record":true,
 *  "observed_at":"2026-03-01T00:00:00.000Z"}
 * ```
 */
export const ProviderResult = Closed(
  { ...members, version: Type.Literal("0.2"), presented_matches_record: NullableBoolean },
  { $id: "provider-result" },
);
export type ProviderResult = Type.Static<typeof ProviderResult>;

/**
 * A result of the first version, which says nothing of a match (protocol section 29). As JSON, shortened:
 *
 * ```json
 * {"schema":"SVC-PROVIDER-RESULT-001","version":"0.1","provider_id":"marker.one","provider_version":"3.0.0",
 *  "operation":"mark","media":"image","detected":false,"registration_ref":null,"soft_binding":null,
 *  "record_marked_asset_sha256":null,"presented_sha256":null,"observed_at":"2026-03-01T00:00:00.000Z"}
 * ```
 */
export const EarlierProviderResult = Closed(
  { ...members, version: Type.Literal("0.1") },
  { $id: "earlier-provider-result" },
);
export type EarlierProviderResult = Type.Static<typeof EarlierProviderResult>;
export type AnyProviderResult = ProviderResult | EarlierProviderResult;

/** The media of which a presented file can be compared with the marked one byte by byte. */
const COMPARABLE: readonly string[] = ["image", "audio", "video"];

/** Says whether a value is a result of the first version, or was meant to be. */
export function isEarlierResult(value: Json): boolean {
  return (value as { readonly version?: Json } | null)?.version === "0.1";
}

const validators = { earlier: validatorOf(EarlierProviderResult), later: validatorOf(ProviderResult) };

/** Returns each fault of form of a value that stands where a result must. `path`: of the value. */
export function providerResultFaults(value: Json, path: string): Finding[] {
  const validator = isEarlierResult(value) ? validators.earlier : validators.later;
  return shapeProblems(validator, value).map((finding) => ({ ...finding, path: `${path}${finding.path}` }));
}

/**
 * Checks that the members of a result do not contradict each other. Returns the note of a result that observed a
 * mismatch, otherwise null. `path`: of the result.
 */
export function examineProviderResult(exam: Examination, result: AnyProviderResult, path: string): string | null {
  exam.looked("provider");
  const fault = contradiction(result);
  if (fault !== null)
    exam.reject("provider", { code: "provider_result_inconsistent", ...fault, path: `${path}${fault.path}` });
  const isMismatch = "presented_matches_record" in result && result.presented_matches_record === false;
  return fault === null && isMismatch ? MISMATCH_NOTE : null;
}

/** Examines a result that stands alone: nobody has signed it. */
export function examineStandaloneProviderResult(exam: Examination, result: AnyProviderResult): void {
  exam.subject = { id: null };
  const mismatch = examineProviderResult(exam, result, "");
  if (mismatch !== null) exam.notChecked("provider", mismatch);
  const message = "Nobody signed this result: only a disclosure ties it to a vault and an event.";
  exam.distrust({ code: "key_not_pinned", path: "", message, ownAction: ASK_DISCLOSURE }, "");
}

function contradiction(result: AnyProviderResult): ShapeFault | null {
  const { operation, media, detected, registration_ref, record_marked_asset_sha256: marked } = result;
  const isDetection = operation === "detect";
  if (detected && !isDetection)
    return { path: "/detected", message: `A mark is detected by "detect" only, and this is "${operation}".` };
  if (!("presented_matches_record" in result)) return null;
  const { presented_matches_record: matches, presented_sha256: presented } = result;
  const isComparable =
    isDetection && detected && registration_ref !== null && marked !== null && COMPARABLE.includes(media);
  const path = "/presented_matches_record";
  if (isComparable !== (matches !== null)) {
    const why = isComparable ? "A match must be stated here" : "No match can be stated here";
    return {
      path,
      message: `${why}: it is for a mark found in image, audio or video, of a registration with its marked file.`,
    };
  }
  if (matches === null) return null;
  if (presented === null)
    return { path: "/presented_sha256", message: "A match is stated of a file that is not named." };
  if (matches === (presented === marked)) return null;
  return { path, message: "What it says of the match is not what its two hashes say." };
}
