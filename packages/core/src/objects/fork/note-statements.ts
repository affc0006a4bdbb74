/**
 * Finds the signers of a note that is a side of fork evidence (protocol section 11): the log under its own name, and
 * witnesses that cosigned it. A line by a known key that does not hold spoils the note, as everywhere.
 */

import { encodeUtf8 } from "../../encoding/utf8.ts";
import { cosignedBytes, parseCosignature } from "../../note/cosignature.ts";
import { COSIGNATURE_LINE, ED25519_LINE, type NoteLine } from "../../note/signed-note.ts";
import { ASK_WITNESS } from "../../own-actions.ts";
import type { Examination } from "../../report/examination.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";
import { kidOf } from "../../seal.ts";
import type { TreeNote } from "./note-text.ts";
import { type ReadStatements, type Statement, type Surroundings, sideExamination } from "./statements.ts";

const SIGNATURE_BYTES = 64;

/** Returns the log's statements: one for each line under the log's own name. */
export function loggedStatements(around: Surroundings, note: TreeNote): ReadStatements {
  const cosigned = cosignedStatements(around, note);
  if (cosigned.problem !== null) return cosigned;
  const statements: Statement[] = [];
  for (const line of note.lines.filter(({ name }) => name === note.origin)) {
    const keys = around.logKeys.of(note.origin, ED25519_LINE, line.keyId);
    if (keys.length === 0 && line.signature.length === SIGNATURE_BYTES)
      statements.push(unknownStatement(around, line, "the log"));
    for (const { kid } of keys) {
      const exam = sideExamination(around);
      exam.origin = note.origin;
      const signed = { message: () => encodeUtf8(note.text), signature: line.signature };
      const scope = note.streamId === null ? { serviceOrigin: note.origin } : { streamId: note.streamId };
      // It states no event and no time: only a witness that cosigned this very note dates it.
      exam.statement("fork", kid, signed, {
        path: "",
        role: "note",
        what: `the note of ${note.origin}`,
        eventNo: 0,
        ...scope,
      });
      exam.addTimeProof(earliestTime(cosigned.statements), 0);
      const { verdict, problems } = exam.report();
      const [first] = problems;
      if (verdict === "rejected" && first !== undefined) return { problem: first };
      statements.push({ kid, signer: kid, verdict, exam });
    }
  }
  return { statements, problem: null };
}

/**
 * Returns the statements of witnesses: one for each cosignature. Those by keys that nobody told are among them,
 * unchecked.
 */
export function witnessStatements(around: Surroundings, note: TreeNote): ReadStatements {
  const logged = loggedStatements(around, note);
  if (logged.problem !== null) return logged;
  return cosignedStatements(around, note);
}

interface CosignedStatement extends Statement {
  /** Set if a pinned witness cosigned. */
  readonly pinnedTime: number | null;
}

function cosignedStatements(
  around: Surroundings,
  note: TreeNote,
): { statements: readonly CosignedStatement[]; problem: null } | Extract<ReadStatements, { readonly problem: object }> {
  const statements: CosignedStatement[] = [];
  for (const line of note.lines) {
    const keys = keysOfLine(around, note, line);
    if (keys.size === 0 && line.name !== note.origin && parseCosignature(line.signature) !== null)
      statements.push({ ...unknownStatement(around, line, `the witness ${line.name}`, ASK_WITNESS), pinnedTime: null });
    for (const [publicKeyHex, standing] of keys) {
      const exam = sideExamination(around);
      const cosignedAt = examineCosignature(exam, note, line, publicKeyHex);
      const kid = kidOf(exam.kernel, publicKeyHex);
      exam.signerSeen();
      if (standing === "hinted") {
        const code = exam.trust.revoked?.includes(kid) ? "key_revoked" : "key_not_pinned";
        const message = `You do not pin the witness ${line.name}, whose key came with the evidence.`;
        exam.distrust(
          { code, path: "", message, kid, ...(code === "key_not_pinned" && { ownAction: ASK_WITNESS }) },
          kid,
        );
      }
      // A line that does not hold makes the statement void.
      exam.signedBy({ kid, publicKeyHex, role: "witness", reached: standing === "pinned" ? standing : "none" });
      const { verdict, problems } = exam.report();
      const [first] = problems;
      if (verdict === "rejected" && first !== undefined) return { problem: first };
      statements.push({ kid, signer: kid, verdict, exam, pinnedTime: standing === "pinned" ? cosignedAt : null });
    }
  }
  return { statements, problem: null };
}

/** Returns the time of the cosignature in the line; null if it is no cosignature. */
function examineCosignature(
  exam: Examination,
  note: TreeNote,
  line: NoteLine,
  publicKeyHex: PublicKeyHex,
): number | null {
  const cosignature = parseCosignature(line.signature);
  const finding = {
    code: "witness_signature_invalid" as const,
    path: "",
    message: `The note's line by ${line.name} is no cosignature of it.`,
  };
  if (cosignature === null) {
    exam.reject("fork", finding);
    return null;
  }
  const { cosignedAt, signature } = cosignature;
  exam.signature("fork", publicKeyHex, cosignedBytes(cosignedAt, note.text), signature, finding);
  return cosignedAt;
}

/**
 * Returns the witness keys that may have signed a line. A pinned witness is name and key together; a hint has no name,
 * and is tried under the line's.
 */
function keysOfLine(
  around: Surroundings,
  note: TreeNote,
  line: NoteLine,
): Map<PublicKeyHex, "pinned" | "listed" | "hinted"> {
  const keys = new Map<PublicKeyHex, "pinned" | "listed" | "hinted">();
  for (const { publicKeyHex, isPinned } of around.witnesses.flatMap((known) => known.ofLine(line.name, line.keyId))) {
    if (isPinned || !keys.has(publicKeyHex)) keys.set(publicKeyHex, isPinned ? "pinned" : "listed");
  }
  if (keys.size > 0 || line.name === note.origin || !around.triesHintedWitnesses) return keys;
  for (const { publicKeyHex } of around.logKeys.of(line.name, COSIGNATURE_LINE, line.keyId))
    keys.set(publicKeyHex, "hinted");
  return keys;
}

function unknownStatement(around: Surroundings, line: NoteLine, whose: string, ownAction?: string): Statement {
  const exam = sideExamination(around);
  const signer = `${line.keyId} ${line.name}`;
  exam.signerSeen();
  exam.signatureMissing("fork");
  const message = `The key ${line.keyId} of ${whose} was not given. Its signature could not be checked.`;
  exam.distrust({ code: "key_not_pinned", path: "", message, ...(ownAction && { ownAction }) }, signer);
  return { kid: null, signer, verdict: "untrusted", exam };
}

function earliestTime(statements: readonly CosignedStatement[]): number | null {
  const times = statements.map(({ pinnedTime }) => pinnedTime).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}
