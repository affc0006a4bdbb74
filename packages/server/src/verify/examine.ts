/** From bytes to core's report, or to why there is none: the same on the server's own thread and on another. */
import { type Kernel, type Kind, type Report, type TrustPolicy, verify } from "@svc/core";
import { isJsonErrorCode, type JsonFault } from "../http/body.ts";

/** What is to be verified. It can be handed to another thread. */
export interface Question {
  readonly bytes: Uint8Array;
  readonly trust: TrustPolicy;
  /** The only kind that is wanted; null for any. */
  readonly kind: Kind | null;
}

/** The report; or that the bytes are not JSON, of no kind, or of another kind than the wanted one. */
export type Examined =
  | { readonly report: Report }
  | { readonly malformed: JsonFault }
  | { readonly unknown: true }
  | { readonly otherKind: Kind };

export function examine(kernel: Kernel, { bytes, trust, kind }: Question): Examined {
  const report = verify(bytes, { trust, kernel });
  const [first] = report.problems;
  const isJson = report.checks.some(({ id, status }) => id === "json" && status === "pass");
  if (!isJson && first !== undefined && isJsonErrorCode(first.code))
    return { malformed: { code: first.code, offset: Number(first.actual) } };
  if (report.kind === null) return { unknown: true };
  if (kind !== null && report.kind !== kind) return { otherKind: report.kind as Kind };
  return { report };
}
