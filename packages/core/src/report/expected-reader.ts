/** The demand of a reader, an occasion or a content, which only a disclosure can meet (protocol sections 28 and 33). */
import type { Examination } from "./examination.ts";

/** A reader, an occasion or a content is expected of a disclosure; nothing else can be the one that is expected. */
export function examineReader(exam: Examination): void {
  const { audience, nonce, content_sha256 } = exam.trust.expect ?? {};
  const isExpected = audience !== undefined || nonce !== undefined || content_sha256 !== undefined;
  if (!isExpected || exam.kind === "disclosure") return;
  exam.looked("expectation");
  exam.reject("expectation", {
    code: "evidence_missing",
    path: "",
    message: "You expect a disclosure for a reader or of a content, and this is not a disclosure.",
  });
}
