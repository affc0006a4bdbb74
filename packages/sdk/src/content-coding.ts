/**
 * Content codings of answers (RFC 9110 section 8.4): none is asked for, since a few bytes can be decoded to gigabytes.
 */
import { SvcError } from "./error.ts";

/** The header that asks for no coding. */
export const UNCODED = { "accept-encoding": "identity" };
/** As many characters of a coding are quoted. */
const MOST_QUOTED = 40;

/**
 * Throws SvcError `unexpected_answer` if the answer's body is in a coding, and gives the body up unread. Where the
 * runtime sets the header itself, as browsers do, it asks for codings, and they are taken.
 */
export function requireUncoded({ headers, status, body }: Response): void {
  const coding = headers.get("content-encoding")?.trim() ?? "";
  if (/^(?:identity)?$/i.test(coding) || !canAsk()) return;
  void body?.cancel().catch(() => undefined);
  const named = JSON.stringify(coding.slice(0, MOST_QUOTED));
  const message = `The answer is in the content coding ${named}, which was not asked for, and was not read.`;
  throw new SvcError("unexpected_answer", message, status);
}

function canAsk(): boolean {
  return new Request("http://localhost/", { headers: UNCODED }).headers.has("accept-encoding");
}
