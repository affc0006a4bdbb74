/** The bases of the requests: the fixtures, and the committed cases. */
import { fileURLToPath } from "node:url";
import type { Case } from "../src/cases/case.ts";
import { readCases } from "../src/cases/read.ts";
import { type Goods, readGoods } from "./goods.ts";

export interface Bases {
  readonly goods: Goods;
  /** Cases of the committed set of other operations than `verify`, by operation. */
  readonly cases: readonly (readonly Case[])[];
}

const CASES = fileURLToPath(new URL("../cases", import.meta.url));
/** An operation with fewer cases is the fault that its case is about. */
const MIN_CASES = 10;

/** Reads all of that. */
export function readBases(): Bases {
  const byOperation = Map.groupBy(readCases(CASES).cases, ({ request }) => `${request.op}`);
  const others = [...byOperation].flatMap(([op, own]) => (op === "verify" || own.length < MIN_CASES ? [] : [own]));
  return { goods: readGoods(), cases: others };
}
