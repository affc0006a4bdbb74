/**
 * Verifies objects that anybody sends, by core's own function and nothing else. The server pins its own keys, so that
 * its own evidence is not merely `untrusted`; the report names these keys. An object that contradicts the server's own
 * records is stored as evidence of a fork.
 */
import { MAX_VERIFY_VALUES } from "@svc/api/limits";
import type { Kind } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { malformed } from "@svc/host/http/body";
import type { AnsweringContext } from "../context.ts";
import type { Forks } from "../forks/forks.ts";
import { ownTrust } from "../signing/service-store.ts";
import type { Examined, Reported } from "./examine.ts";
import { tooComplex, VerifyingThreads } from "./verifying-threads.ts";

/** An object that somebody sent. */
export interface HandedIn {
  readonly bytes: Uint8Array;
  /** The only accepted kind; null for any. */
  readonly kind: Kind | null;
  /** The address of the sender. */
  readonly owner: string;
  /** Ends the wait for a turn. */
  readonly signal: AbortSignal;
  /** Called with the milliseconds that a thread has worked for the object, also if it failed. */
  readonly used: (milliseconds: number) => void;
}

/** Verifies the objects of senders. */
export class VerifyEvidence {
  readonly #context: Pick<AnsweringContext, "database" | "origin">;
  readonly #forks: Pick<Forks, "headOf" | "look">;
  readonly #threads: VerifyingThreads;

  constructor(
    context: Pick<AnsweringContext, "database" | "origin">,
    forks: Pick<Forks, "headOf" | "look">,
    threads: VerifyingThreads = new VerifyingThreads(),
  ) {
    this.#context = context;
    this.#forks = forks;
    this.#threads = threads;
  }

  /**
   * Resolves to the report on an object, as JSON. Rejects with the parser's codes, `unsupported_object`, `wrong_kind`,
   * `object_too_complex` and `verifier_busy`.
   */
  async verify(handedIn: HandedIn): Promise<string> {
    const { report, latest } = await this.examine(handedIn);
    if (latest !== null) await this.#forks.look(latest);
    return report;
  }

  /** Does the same without comparing the object with the server's own records. */
  async examine({ bytes, kind, owner, signal, used }: HandedIn): Promise<Reported> {
    const { database, origin } = this.#context;
    const trust = await database.read((reader) => ownTrust(reader, origin));
    const headOf = (streamId: string | null) => this.#forks.headOf(streamId);
    const answer = await this.#threads.examine({ question: { bytes, trust, kind }, owner, signal, used, headOf });
    if ("report" in answer) return answer;
    throw refusalOf(answer, kind);
  }

  /** Ends the threads. */
  close(): Promise<void> {
    return this.#threads.close();
  }
}

function refusalOf(examined: Exclude<Examined, { readonly report: string }>, wanted: Kind | null): ServiceError {
  if ("malformed" in examined) return malformed(examined.malformed);
  if ("tooManyValues" in examined) return tooComplex(`has more than ${MAX_VERIFY_VALUES} values`);
  if ("unknown" in examined)
    return new ServiceError(
      "unsupported_object",
      "The members of this object are of no kind of evidence that this server can verify. Send the bare object, " +
        "without anything around it.",
    );
  return new ServiceError(
    "wrong_kind",
    `This route verifies a ${wanted}, and the object is a ${examined.otherKind}. Send it to POST /v2/verify.`,
    { kind: examined.otherKind },
  );
}
