/** Tries the process that is to become the service's own witness, before anything is changed for it. */
import { Egress, EgressError } from "@svc/host/egress";
import { UsageError } from "@svc/host/settings";
import { type FedWitness, submissionUrl } from "../feeding/fed-witness.ts";

/** An answer says what is malformed in a line or two. */
const MAX_ANSWER_BYTES = 16 * 1024;

/**
 * Resolves if a witness (c2sp.org/tlog-witness) answers there: it must refuse a request without a note as malformed.
 * Rejects with UsageError otherwise. Nothing is cosigned, and nothing shows yet that it knows this service's key.
 */
export async function tryProcess(witness: FedWitness, timeoutMs: number): Promise<void> {
  const url = submissionUrl(witness);
  const egress = new Egress([url.origin], 1);
  const refuse = (reason: string) =>
    new UsageError([`No witness answers at ${url.href}: ${reason}. Nothing was changed; start it, and try again.`]);
  try {
    const { status } = await egress.send({
      url,
      method: "POST",
      body: "",
      timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    });
    if (status !== 400) throw refuse(`a request without a note got ${status}, and a witness says 400`);
  } catch (error) {
    throw error instanceof EgressError ? refuse(error.message) : error;
  } finally {
    egress.close();
  }
}
