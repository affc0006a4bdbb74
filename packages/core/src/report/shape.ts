/** The faults of an object's shape that a schema cannot express: members that do not fit each other. */

import type { ProblemCode } from "./codes.ts";

/** One fault of form. */
export interface ShapeFault {
  /** Without it, `malformed`. */
  readonly code?: ProblemCode;
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}
