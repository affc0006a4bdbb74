/** What an operation of the conformance protocol is (docs/conformance.md). */
import type { Json, JsonObject, Kernel } from "@svc/core";

/** What an operation answers, beside the id. */
export interface Outcome {
  readonly ok: boolean;
  readonly [member: string]: Json;
}

/** One operation. A request is closed: a member that is named neither here nor `id` or `op` makes it malformed. */
export interface Operation {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  /** Throws RequestFault where a member has another form than the operation demands. */
  run(request: JsonObject, kernel: Kernel): Outcome;
}

/** The operations of one family, by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** Why a request gets no answer of its operation. */
export class RequestFault extends Error {
  readonly code: "malformed_request" | "malformed";

  constructor(message: string, code: "malformed_request" | "malformed" = "malformed_request") {
    super(message);
    this.code = code;
  }
}
