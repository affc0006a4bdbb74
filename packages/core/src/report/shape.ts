/** What a schema cannot say of an object's shape: how members must fit each other. */

/** One fault of form. */
export interface ShapeFault {
  /** `malformed` where it is not given. */
  readonly code?: "missing_member";
  /** JSON Pointer. */
  readonly path: string;
  readonly message: string;
}
