/**
 * Decides whether enough witnesses cosigned the newest checkpoint of an object: by the policy that the checkpoint
 * names, and by the verifier's own demand, which stripping statements cannot evade (protocol sections 10 and 16).
 */
import type { Examination } from "../report/examination.ts";
import type { Quorum } from "../trust/quorum.ts";
import type { TlogMember, TlogWitness } from "../trust/tlog-policy/policy.ts";
import { isQuorumMetOnce } from "../trust/tlog-policy/quorum.ts";
import type { Cosignatures } from "./cosignatures.ts";

/** The note of the check `witness` if no other witness has cosigned. */
export const ONLY_OWN_WITNESS = "only the signer's own witness has cosigned: it is not independent";

/** A message lists so many names of witnesses. */
const SHOWN_NAMES = 8;

/**
 * Judges the newest checkpoint's cosignatures. Call it after the signatures are settled; `threshold` is null without a
 * policy.
 */
export function examineQuorum(exam: Examination, newest: Cosignatures, threshold: number | null, path: string): void {
  const { quorum } = exam;
  const { valid, pinned, known } = newest;
  exam.witnessed = { required: Math.max(threshold ?? 0, quorum?.least ?? 0), valid: known, pinned };
  if (threshold !== null) {
    exam.looked("witness");
    exam.expect("witness", valid >= threshold, {
      code: "witness_quorum_unmet",
      path,
      message: `${valid} of the policy's witnesses cosigned the newest checkpoint, and it asks for ${threshold}.`,
      expected: `${threshold}`,
      actual: `${valid}`,
    });
  }
  if (quorum?.form === "count") {
    exam.looked("witness");
    exam.quorumMet = exam.expect("witness", pinned >= quorum.least, {
      code: "witness_quorum_unmet",
      path,
      message:
        `${pinned} of the witnesses that you pin cosigned the newest ` + `checkpoint, and you ask for ${quorum.least}.`,
      expected: `${quorum.least}`,
      actual: `${pinned}`,
    });
  }
  if (quorum?.form === "text") examineTextQuorum(exam, newest, quorum, path);
  const left = [...whatIsLeft(newest), ...uncheckedLines(newest)];
  if (left.length > 0) exam.notChecked("witness", left.join("; "));
}

/**
 * Checks the quorum of a C2SP tlog-policy: each of the witnesses that it names counts once. `quorum none` asks for
 * nobody.
 */
function examineTextQuorum(
  exam: Examination,
  newest: Cosignatures,
  { policy: { quorum, witnesses } }: Extract<Quorum, { form: "text" }>,
  path: string,
): void {
  if (quorum === null) {
    exam.quorumMet = true;
    return;
  }
  const named = new Map(witnesses.map((witness) => [`${witness.key.keyHex} ${witness.key.name}`, witness]));
  const once = newest.pinnedOnce.map((cosigners) => [
    ...new Set(cosigners.flatMap(({ name, publicKeyHex }) => named.get(`${publicKeyHex} ${name}`) ?? [])),
  ]);
  const cosigned = witnesses.filter((witness) => once.some((one) => one.includes(witness)));
  exam.looked("witness");
  exam.quorumMet = exam.expect("witness", isQuorumMetOnce(quorum, once), {
    code: "witness_quorum_unmet",
    path,
    message:
      `The newest checkpoint does not meet the quorum of your tlog-policy: ${demand(quorum)}. Of its witnesses ` +
      `${names(cosigned)} cosigned.`,
    expected: `quorum ${quorum.name}`,
    actual: names(cosigned),
  });
}

function demand(quorum: TlogMember): string {
  if (quorum.kind === "witness") return `it asks for witness ${quorum.name}`;
  const { name, threshold, members } = quorum;
  return `group ${name} asks for ${threshold} of ${names(members)}`;
}

function names(members: readonly (TlogMember | TlogWitness)[]): string {
  if (members.length === 0) return "none";
  const shown = members.slice(0, SHOWN_NAMES).map(({ name }) => name);
  return members.length > SHOWN_NAMES
    ? `${shown.join(", ")} and ${members.length - SHOWN_NAMES} more`
    : shown.join(", ");
}

function whatIsLeft({ known, pinned, onlyManaged }: Cosignatures): string[] {
  if (known === 0) return ["no cosignature by a witness of the policy or of yours"];
  if (onlyManaged) return [ONLY_OWN_WITNESS];
  return pinned === 0 ? ["you pin none of these witnesses, so their independence is not checked"] : [];
}

function uncheckedLines({ unchecked }: Cosignatures): string[] {
  if (unchecked.length === 0) return [];
  const who = unchecked.slice(0, SHOWN_NAMES).join(", ");
  return [`not checked, and not counted: ${unchecked.length} by ML-DSA-44 (type 0x06), in the name of ${who}`];
}
