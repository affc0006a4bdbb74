/**
 * Finds the signers of a side of fork evidence, and whether their signatures hold (protocol section 11). A sealed
 * object is one statement by its signer; note-statements.ts reads the statements of a note and their signers.
 */
import { Examination } from "../../report/examination.ts";
import type { Finding, Verdict } from "../../report/report.ts";
import type { Kid } from "../../schema/atoms.ts";
import { examineAnchor, provenTime } from "../anchor/examine.ts";
import { examineStandaloneCheckpoint } from "../checkpoint.ts";
import type { KnownWitnesses } from "../known-witnesses.ts";
import { examineReceipt } from "../receipt.ts";
import { examineStandaloneWindow } from "../window.ts";
import type { LogKeys } from "./log-keys.ts";
import type { Side } from "./sides.ts";

/** The statement of one key that has signed a side. */
export interface Statement {
  /** Null if nobody gave the key, so that the signature could not be checked. */
  readonly kid: Kid | null;
  /** Equal for statements of the same signer, even if its key is not known. */
  readonly signer: string;
  /** Whether the statement holds and is trusted, by itself. */
  readonly verdict: Verdict;
  /** Its examination, for the signers in the report. */
  readonly exam: Examination;
}

/** The statements that a side makes, or its fault. Paths begin at the side. */
export type ReadStatements =
  | { readonly statements: readonly Statement[]; readonly problem: null }
  | { readonly problem: Finding };

/** The surroundings of the sides. Nothing is reported to the examination. */
export interface Surroundings {
  readonly exam: Pick<Examination, "kernel" | "trust" | "chain" | "keys" | "trustedWitnesses">;
  readonly logKeys: LogKeys;
  /** The witnesses whose lines in a note must hold: the pinned ones, and those of the policies that a bundle shows. */
  readonly witnesses: readonly KnownWitnesses[];
  /** Whether keys that only travel with the evidence are tried as keys of witnesses. */
  readonly triesHintedWitnesses: boolean;
}

/** Returns a fresh examination of one side, which reports to nobody. */
export function sideExamination({ exam }: Surroundings): Examination {
  // The number of witnesses that the verifier demands does not concern fork evidence.
  const { quorum: _quorum, ...trust } = exam.trust;
  const own = new Examination(exam.kernel, trust, exam.chain, exam.keys);
  own.kind = "fork";
  return own;
}

type Sealed = Exclude<Side, { readonly type: "note" }>;

/** Examines a sealed side as an object of its type. */
export function sealedStatement(around: Surroundings, side: Sealed): ReadStatements {
  const exam = sideExamination(around);
  examineSealed(exam, side);
  const { verdict, problems } = exam.report();
  const [first] = problems;
  if (verdict === "rejected" && first !== undefined) return { problem: first };
  const { kid } = side.type === "receipt" ? side.value.receipt : side.value.seal;
  const isKnown = exam.keys.publicKey(kid) !== null;
  return { statements: [{ kid: isKnown ? kid : null, signer: kid, verdict, exam }], problem: null };
}

/**
 * A side must hold by itself: one that nobody would accept tells no second history. Only its own evidence dates a side.
 */
function examineSealed(exam: Examination, side: Sealed): void {
  switch (side.type) {
    case "receipt":
      examineReceipt(exam, side.value, "");
      break;
    case "window":
      examineStandaloneWindow(exam, side.value);
      break;
    case "checkpoint": {
      const cosignatures = examineStandaloneCheckpoint(exam, side.value);
      exam.settle();
      exam.addTimeProof(cosignatures.earliestPinnedTime, side.value.to_seq_no);
      break;
    }
    case "anchor": {
      const examined = examineAnchor(exam, side.value, "");
      exam.settle();
      exam.addSealTimeProof(provenTime(examined), "/seal");
      break;
    }
  }
}
