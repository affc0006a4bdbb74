/** Refuses a database that is older than what the witness has signed, or that is of another witness. */
import { WitnessError } from "../witness-error.ts";
import type { Mark, SignedPoint } from "./mark-store.ts";

/** How far the database has come. */
export interface DatabaseState extends Omit<SignedPoint, "treeSum"> {
  readonly vkey: string;
  /** Null for a database that an earlier release has written. */
  readonly treeSum: string | null;
  /** The hash over the cosignatures up to the mark's number, if the database still has it. */
  readonly headAtMark: string | null;
}

/** The operator's way out where the newest database is not there. */
export const REMEDY =
  "Put the newest database back. If that is lost for good, retire this witness: make a new one with init, in " +
  "another folder and under another name, and tell the logs its key. A witness that forgets can sign two " +
  "histories.";

/** The words on a database whose last trees are not those that were signed last. */
export const CHANGED =
  `The database does not have the trees that were signed last: ` + `rows were lost or changed. ${REMEDY}`;

/** Throws WitnessError unless the database holds all that the mark shows. A newer one is fine: a crash leaves it. */
export function requireNewest(state: DatabaseState, mark: Mark): void {
  if (state.vkey !== mark.vkey)
    throw new WitnessError(
      `The database is of ${state.vkey}, and the high-water mark beside the key is of ${mark.vkey}.`,
    );
  if (state.signedNo < mark.signedNo)
    throw new WitnessError(
      `The database was rolled back: it has ${state.signedNo} cosignatures, and this witness has made ` +
        `${mark.signedNo}. ${REMEDY}`,
    );
  if (state.headAtMark !== null && state.headAtMark !== mark.signedHead)
    throw new WitnessError(`The database has another history than the one that this witness has signed. ${REMEDY}`);
  // The database of an earlier release has no sum, and neither has its mark.
  const isOther = state.signedNo === mark.signedNo ? state.treeSum !== mark.treeSum : state.treeSum === null;
  if (mark.treeSum !== null && isOther) throw new WitnessError(CHANGED);
}
