/**
 * A provider's result: the match is stated exactly where it can be, by enumeration; and policies, whose word counts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  crossCheck,
  issueProviderPolicy,
  OPERATIONS,
  PROVIDER_RESULT_SCHEMA,
  type ProviderPolicy,
  type ProviderResult,
  pinKeys,
  providerPolicyDigest,
  referenceKernel,
} from "../src/index.ts";
import { examineNamedProvider, examineProviderPolicies, providerPolicyFaults } from "../src/objects/provider/policy.ts";
import { examineProviderResult, PRESENTED_MISMATCH, providerResultFaults } from "../src/objects/provider/result.ts";
import { Examination } from "../src/report/examination.ts";

const kernel = referenceKernel;
const [ONE, OTHER] = ["11".repeat(32), "22".repeat(32)] as [string, string];
const BASE = {
  schema: PROVIDER_RESULT_SCHEMA,
  version: "0.2",
  provider_id: "marker.one",
  provider_version: "3.1.4",
  soft_binding: null,
  observed_at: at(0),
};

function outcome(result: object) {
  const { report, cross_check } = crossCheck(new TextEncoder().encode(JSON.stringify(result)), {
    trust: pinKeys(kernel, [SERVICE.publicKeyHex]),
  });
  assert.equal(cross_check.first_difference, null);
  return {
    codes: report.problems.map(({ code }) => code),
    note: report.checks.find(({ id }) => id === "provider")?.note,
  };
}

/** Every combination of the members on which a match depends, with whether it may stand. */
function* combinations(): Generator<{
  readonly result: object;
  readonly isGood: boolean;
  readonly isMismatch: boolean;
}> {
  for (const operation of ["register", "mark", "detect"])
    for (const media of ["image", "audio", "video", "text", "other"])
      for (const detected of [false, true])
        for (const registration_ref of [null, "reg-0001"])
          for (const record_marked_asset_sha256 of [null, ONE])
            for (const presented_sha256 of [null, ONE, OTHER])
              for (const presented_matches_record of [null, false, true]) {
                const said = { operation, media, detected, registration_ref, record_marked_asset_sha256 };
                const mayDetect = operation === "detect" || !detected;
                const isComparable =
                  operation === "detect" &&
                  detected &&
                  ["image", "audio", "video"].includes(media) &&
                  registration_ref !== null &&
                  record_marked_asset_sha256 !== null;
                const isTrue = presented_sha256 === ONE;
                const mayStand = isComparable
                  ? presented_sha256 !== null && presented_matches_record === isTrue
                  : presented_matches_record === null;
                const isGood = mayDetect && mayStand;
                yield {
                  result: { ...BASE, ...said, presented_sha256, presented_matches_record },
                  isGood,
                  isMismatch: isGood && presented_matches_record === false,
                };
              }
}

test("a match is stated for a found mark of a registration with its file, and nowhere else", () => {
  let count = 0;
  for (const { result, isGood, isMismatch } of combinations()) {
    const { codes, note } = outcome(result);
    assert.equal(codes[0], isGood ? "key_not_pinned" : "provider_result_inconsistent", JSON.stringify(result));
    assert.equal(note?.startsWith(PRESENTED_MISMATCH) === true, isMismatch, JSON.stringify(result));
    count++;
  }
  assert.equal(count, 3 * 5 * 2 * 2 * 2 * 3 * 3);
});

test("a result by itself is judged in the same way, and the problem names the member that contradicts", () => {
  const places = new Set<string>();
  for (const { result, isGood, isMismatch } of combinations()) {
    const exam = new Examination(kernel, pinKeys(kernel, [SERVICE.publicKeyHex]));
    exam.kind = "provider-result";
    const note = examineProviderResult(exam, result as ProviderResult, "/at");
    assert.equal(exam.rejected, !isGood, JSON.stringify(result));
    assert.equal(note?.startsWith(PRESENTED_MISMATCH) === true, isMismatch, JSON.stringify(result));
    for (const { path } of exam.report().problems) places.add(path);
  }
  assert.deepEqual([...places].sort(), ["/at/detected", "/at/presented_matches_record", "/at/presented_sha256"]);
});

test("the first version lacks the match, and stays readable", () => {
  const earlier = {
    ...BASE,
    version: "0.1",
    operation: "detect",
    media: "image",
    detected: true,
    registration_ref: "reg-0001",
    record_marked_asset_sha256: ONE,
    presented_sha256: OTHER,
  };
  assert.deepEqual(outcome(earlier).codes, ["key_not_pinned"]);
  assert.deepEqual(outcome({ ...earlier, operation: "mark" }).codes[0], "provider_result_inconsistent");
  assert.deepEqual(outcome({ ...earlier, presented_matches_record: null }).codes, ["unknown_member"]);
  assert.deepEqual(outcome({ ...earlier, version: "0.2" }).codes, ["missing_member"]);
  assert.deepEqual(outcome({ ...earlier, version: "0.3" }).codes, ["unsupported_object", "missing_member"]);
});

test("the faults of a result inside of something else are at its own place", () => {
  const result = { ...BASE, prompt: "x" } as unknown as ProviderResult;
  const faults = providerResultFaults(result, "/fields/3/value").map(({ code, path }) => `${code} ${path}`);
  assert.ok(faults.includes("unknown_member /fields/3/value/prompt"), `${faults}`);
  assert.deepEqual(
    providerResultFaults(null, "/fields/3/value").map(({ code, path }) => `${code} ${path}`),
    ["malformed /fields/3/value"],
  );
});

const PROVIDER = {
  providerId: "marker.one",
  operations: ["mark", "detect"],
  egress: "none",
  reason: "reviewed on our own machines",
  reviewedBy: "media governance",
  reviewedAt: at(0),
} as const;
const policy = (change: Partial<ProviderPolicy> = {}, by = SERVICE) =>
  issueProviderPolicy(kernel, by, {
    policyVersion: 2,
    providers: [{ ...PROVIDER, operations: [...PROVIDER.operations] }],
    updatedAt: at(1),
    ...change,
  });
const SCOPE = { streamId: id("str", 1) };

function named(policies: readonly ProviderPolicy[], metadata: Parameters<typeof examineNamedProvider>[1]): string[] {
  const exam = new Examination(kernel, pinKeys(kernel, [SERVICE.publicKeyHex]));
  exam.kind = "provider-result";
  const counting = examineProviderPolicies(exam, policies, "/policies", SCOPE);
  examineNamedProvider(exam, metadata, counting, "/metadata", "envelope 1");
  const { verdict, problems } = exam.report();
  return [verdict, ...problems.map(({ code, path }) => `${code} ${path}`)];
}

test("a provider may do what the policy that the envelope names says, and nothing else", async () => {
  const own = await policy();
  const digest = providerPolicyDigest(kernel, own);
  for (const operation of OPERATIONS) {
    const verdict = named([own], { operation, providerId: "marker.one", providerPolicyDigest: digest });
    const isAllowed = operation === "mark" || operation === "detect";
    assert.deepEqual(
      verdict,
      isAllowed ? ["verified"] : ["rejected", "provider_not_allowed /metadata/providerId"],
      operation,
    );
  }
  const of = (providerId: string | null, providerPolicyDigest: string | null) =>
    named([own], { operation: "mark", providerId, providerPolicyDigest });
  assert.deepEqual(of(null, null), ["verified"]);
  assert.deepEqual(of("marker.two", digest), ["rejected", "provider_not_allowed /metadata/providerId"]);
  assert.deepEqual(of("marker.one", ONE), ["rejected", "provider_not_allowed /metadata/providerPolicyDigest"]);
});

test("a policy counts by a signer whom trust reaches, and its seal must hold", async () => {
  const strange = await policy({}, testSigner("stranger"));
  const digest = providerPolicyDigest(kernel, strange);
  const metadata = { operation: "mark", providerId: "marker.one", providerPolicyDigest: digest } as const;
  assert.deepEqual(named([strange], metadata), [
    "rejected",
    "provider_not_allowed /metadata/providerPolicyDigest",
    "key_not_pinned /policies/0/seal/kid",
  ]);
  const own = await policy();
  const [changed] = own.providers;
  assert.ok(changed !== undefined);
  const edited = { ...own, updatedAt: at(2) };
  const ofEdited = { ...metadata, providerPolicyDigest: providerPolicyDigest(kernel, edited) };
  assert.deepEqual(named([edited], ofEdited), ["rejected", "signature_invalid /policies/0/seal/signature"]);
});

test("providers ascend by their ids, each once", async () => {
  const [one] = (await policy()).providers;
  assert.ok(one !== undefined);
  const of = async (...ids: string[]) =>
    providerPolicyFaults(await policy({ providers: ids.map((providerId) => ({ ...one, providerId })) }), "").length;
  assert.deepEqual([await of(), await of("a"), await of("a", "b", "c")], [0, 0, 0]);
  assert.deepEqual([await of("b", "a"), await of("a", "a"), await of("a", "c", "b")], [1, 1, 1]);
  const [fault] = providerPolicyFaults(
    await policy({ providers: ["0", "c", "b"].map((providerId) => ({ ...one, providerId })) }),
    "/policies/0",
  );
  assert.equal(fault?.path, "/policies/0/providers/2/providerId");
});
