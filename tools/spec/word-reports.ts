/** Reports and readers that have what words depend on. They are no evidence: only words are made of them. */
import { type CheckResult, ONLY_OWN_WITNESS, type Problem, type Report, type TrustPolicy } from "@svc/core";
import type { Reader } from "../../packages/report/src/signers.ts";
import { marker, type Values } from "./derive.ts";
import type { Name } from "./word-dimensions.ts";

const NONE = "none";
/** The identifier of a signer's key, and its fingerprint. */
export const KID = "ed25519-0123456789abcdef";
const PRINT = "0123456789abcdef".repeat(4);

/** Returns a report with such values; what is not asked is as in a good report of a bundle. */
export function reportOf(asked: Values, step = ""): Report {
  const of = (name: Name, usual: string) => asked[name] ?? usual;
  const count = (name: Name, shown: string) => (of(name, "0") === "more" ? marker(shown) : Number(of(name, "0")));
  const held = count("held", "held");
  const check = (id: CheckResult["id"], status: string, more: Partial<CheckResult> = {}) =>
    ({ id, status, ...more }) as CheckResult;
  const known = asked.known_checkpoints === "part" ? 1 : count("known_checkpoints", "count");
  const checks: CheckResult[] = [
    check("shape", of("form_status", "pass")),
    check(of("signatures_held", "true") === "true" ? "receipt_signature" : "payload_hash", "pass", { count: held }),
    check("bundle_seal", of("bundle_seal", "not_checked")),
    check("window_root", "pass", { count: marker("windows") }),
    check("checkpoint_root", "pass", { count: marker("checkpoints") }),
    check("witness", "pass", of("own_witness_only", "false") === "true" ? { note: ONLY_OWN_WITNESS } : {}),
    check("known_checkpoint", "pass", {
      count: known,
      ...(asked.known_checkpoints === "part" ? { note: "{known_note}" } : {}),
    }),
    check("trust", asked.trust_status === "other" ? "not_checked" : of("trust_status", "pass")),
    ...(of("level_note", NONE) === NONE ? [] : [check("assurance", "pass", { note: "{level_note}" })]),
  ].filter(({ id }) => step === "included" || (id !== "window_root" && id !== "checkpoint_root"));
  const hasProvenance = of("provenance", NONE) === "some" || step === "vault" || step === "level";
  return {
    ok: of("verdict", "verified") === "verified",
    verdict: of("verdict", "verified"),
    kind: of("kind", "bundle"),
    subject: subjectOf(asked),
    verifier: { name: "", version: "", kernel_sha256: null },
    assurance: {
      signed: of("signed", "true") === "true",
      included: of("included", "true") === "true",
      complete: of("complete", "true") === "true",
      witnessed: {
        required: count("required", "required"),
        valid: count("valid", "valid"),
        pinned: count("pinned", "pinned"),
      },
      published: of("published", "none"),
      anchored: of("anchored", "none"),
      redacted: 0,
      ...(hasProvenance
        ? {
            provenance: {
              events: 1,
              installations: of("installations", "1") === "more" ? marker("installations") : 1,
              claimed: { L0: 0, L1: 0, L2: 0, unknown: 0 },
              effective: { L0: 0, L1: 0, L2: marker("L2"), L3: 0 },
              vault_chain: of("vault_chain", "none"),
              vault_keys: of("vault_keys", "none"),
              substantiated_by: of("substantiated_by", "none"),
              key_custody: of("key_custody", "none"),
              software_root: of("software_root", "false") === "true",
            },
          }
        : {}),
    },
    signers: signersOf(asked),
    checks,
    problems: problemsOf(asked),
    proves: [],
    does_not_prove: [],
  } as unknown as Report;
}

function subjectOf(asked: Values): Report["subject"] {
  const range = asked.range ?? NONE;
  const [from, to] = [marker("from_seq_no"), marker("to_seq_no")];
  return {
    id: null,
    ...(range === "several" ? { from_seq_no: from } : range === "one_event" ? { from_seq_no: to } : {}),
    ...(range === NONE ? {} : { to_seq_no: to }),
    ...(asked.stream_id === "some" ? { stream_id: "{stream_id}" } : {}),
    ...(asked.origin === "some" ? { origin: "{origin}" } : {}),
    ...(asked.received === "some"
      ? { from_received_at: "2026-03-01T09:00:00.000Z", to_received_at: "2026-03-31T09:00:00.000Z" }
      : {}),
  };
}

function signersOf({ signers = NONE, reached, role, verdict, part_reached }: Values): Report["signers"] {
  if (reached === undefined && signers === NONE) return [];
  const signer = {
    kid: KID,
    fingerprint: PRINT,
    role: role === "vault" ? "vault" : "bundle",
    reached: reached ?? (signers === "reached" ? "endorsed" : NONE),
  } as Report["signers"][number];
  const untold = { ...signer, kid: `${KID.slice(0, -1)}1`, fingerprint: null };
  return [
    ...(signers === "untold" ? [] : [signer]),
    ...(signers.startsWith("strangers") ? [{ ...signer, kid: `${KID.slice(0, -1)}0` }] : []),
    ...(signers.endsWith("untold") ? [untold] : []),
    ...(verdict === "untrusted" && part_reached === "true"
      ? [{ ...signer, kid: `${KID.slice(0, -1)}2`, fingerprint: PRINT.replace("0", "f"), reached: "pinned" as const }]
      : []),
  ];
}

function problemsOf({ problem, problem_kid, vault_key_unknown }: Values): Problem[] {
  if (vault_key_unknown === "true") return problemsOf({ problem: "key_not_pinned" });
  if (problem === undefined) return [];
  const isNear = problem === "key_nearly_pinned";
  const code = problem === "other" ? "unsupported_object" : isNear ? "key_not_pinned" : problem;
  const kid = problem_kid === "some" ? { kid: KID } : {};
  const near = isNear ? { expected: PRINT, actual: `${PRINT.slice(0, -1)}0` } : {};
  return [{ code, path: "", message: "", action: "", ...kid, ...near } as Problem];
}

/** Returns a reader who has brought along what is asked. */
export function readerOf(asked: Values): Reader {
  const pins = ["0", "1", "more"].indexOf(asked.pins ?? "0");
  const ofFile = asked.signers === "fingerprint_pinned" ? [PRINT] : [];
  const keys = [...ofFile, ...Array.from({ length: pins }, (_, index) => `${index}`.repeat(64))];
  const signers = keys.map((public_key_hex, index) => ({ kid: `{pinned_kid_${index}}`, public_key_hex }));
  const stream_id = "{stream_id}";
  const known =
    asked.known_in_policy === "true" ? [{ stream_id, window_count: marker("windows"), checkpoint_root: "" }] : [];
  return {
    trust: { signers, known_checkpoints: known } as unknown as TrustPolicy,
    names: {
      ...(asked.pin_named === "true" ? Object.fromEntries(signers.map(({ kid }) => [kid, "{name}"])) : {}),
    },
    linkKids: asked.from_link === "true" ? [KID] : [],
  };
}
