/** The operations of the conformance protocol (docs/conformance.md). */
import type { Json, JsonObject, Kernel } from "@svc/core";

/** The answer of an operation, without the id. */
export interface Outcome {
  readonly ok: boolean;
  readonly [member: string]: Json;
}

/**
 * One operation. A request is closed: a member makes it malformed unless this operation names it, or it is `id` or
 * `op`.
 */
export interface Operation {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Throws RequestFault if a member has another form than the operation demands. */
  run(request: JsonObject, kernel: Kernel): Outcome;
}

/** The operations of one family, by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** The reason why a request gets no answer of its operation. */
export class RequestFault extends Error {
  readonly code: "malformed_request" | "malformed";

  constructor(message: string, code: "malformed_request" | "malformed" = "malformed_request") {
    super(message);
    this.code = code;
  }
}
