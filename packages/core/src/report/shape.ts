/** What a schema cannot say of an object's shape: how members must fit each other. */

import type { ProblemCode } from "./codes.ts";

/** One fault of form. */
export interface ShapeFault {
  /** `malformed` where it is not given. */
  readonly code?: ProblemCode;
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}
