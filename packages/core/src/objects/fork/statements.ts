/**
 * Who signed a side of fork evidence, and whether that holds (protocol section 11). A sealed object is one statement by its signer; what
 * a note states, and by whom, is read in note-statements.ts.
 */
import { Examination } from "../../report/examination.ts";
import type { Finding, Verdict } from "../../report/report.ts";
import type { Kid } from "../../schema/atoms.ts";
import { examineAnchor, provenTime } from "../anchor/examine.ts";
import { examineLoneCheckpoint } from "../checkpoint.ts";
import type { KnownWitnesses } from "../known-witnesses.ts";
import { examineReceipt } from "../receipt.ts";
import { examineLoneWindow } from "../window.ts";
import type { LogKeys } from "./log-keys.ts";
import type { Side } from "./sides.ts";

/** What one key says by signing a side. */
export interface Statement {
  /** Null where nobody told the key, so that the signature could not be checked. */
  readonly kid: Kid | null;
  /** Equal for statements of the same signer, also where its key is not known. */
  readonly signer: string;
  /** How far the statement holds and is trusted, by itself. */
  readonly verdict: Verdict;
  /** Its examination, for what the report says of signers. */
  readonly exam: Examination;
}

/** The statements that a side makes, or what is wrong with it. Paths begin at the side. */
export type ReadStatements =
  | { readonly statements: readonly Statement[]; readonly problem: null }
  | { readonly problem: Finding };

/** What stands around the sides. Nothing is reported to the examination. */
export interface Surroundings {
  readonly exam: Pick<Examination, "kernel" | "trust" | "keys" | "trustedWitnesses">;
  readonly logKeys: LogKeys;
  /** The witnesses whose lines in a note must hold: the pinned ones, and those of the policies that a bundle shows. */
  readonly witnesses: readonly KnownWitnesses[];
  /** Whether keys that only travel with the evidence are tried as keys of witnesses. */
  readonly triesHintedWitnesses: boolean;
}

/** A fresh examination of one side, which reports to nobody. */
export function sideExamination({ exam }: Surroundings): Examination {
  // How many witnesses the verifier demands does not concern fork evidence.
  const { quorum: _quorum, ...trust } = exam.trust;
  const own = new Examination(exam.kernel, trust, exam.keys);
  own.kind = "fork";
  return own;
}

type Sealed = Exclude<Side, { readonly type: "note" }>;

/** Examines a sealed side as the object that it is. */
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

/** A side must stand by itself: what nobody would accept tells no second history. Each side is dated by its own evidence alone. */
function examineSealed(exam: Examination, side: Sealed): void {
  switch (side.type) {
    case "receipt":
      examineReceipt(exam, side.value, "");
      break;
    case "window":
      examineLoneWindow(exam, side.value);
      break;
    case "checkpoint": {
      const cosignatures = examineLoneCheckpoint(exam, side.value);
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
