/**
 * Takes fork evidence that anybody hands in (protocol section 11). It is verified beside the answering thread, under
 * the same limits as any object, before anything of it reaches the side that records.
 */
import type { HandedInFork } from "@svc/api";
import { MAX_FORKS_KEPT } from "@svc/api/limits";
import type { ForkEvidence, Json, Report } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { TakenFork } from "../forks/fork-records.ts";
import type { Forks } from "../forks/forks.ts";
import type { HandedIn, VerifyEvidence } from "./verify-evidence.ts";

type Problem = Report["problems"][number];

const KEPT = "It is kept for good. Bundles that are made from now on carry it, and are rejected.";
const KEPT_OF_WITNESS =
  "It is kept for good. Bundles that are made from now on go without this witness's cosignatures; those whose " +
  "quorum needs them carry the evidence, and are rejected.";
const KNOWN = "Evidence of this contradiction was kept before, and nothing was added.";
const KNOWN_OF_WITNESS = "Evidence that this witness cosigns contradictions was kept before, and nothing was added.";

/** So many problems are shown; the verdict itself lists all. */
const SHOWN_PROBLEMS = 10;

/** Takes the fork evidence of senders. */
export class HandInFork {
  readonly #verifyEvidence: Pick<VerifyEvidence, "examine">;
  readonly #forks: Pick<Forks, "take">;

  constructor(verifyEvidence: Pick<VerifyEvidence, "examine">, forks: Pick<Forks, "take">) {
    this.#verifyEvidence = verifyEvidence;
    this.#forks = forks;
  }

  /**
   * Resolves to the id under which the evidence is kept. Rejects as `VerifyEvidence.examine` does, and with
   * `fork_not_proved`, `fork_foreign`, `fork_untrusted` and `too_many_forks`.
   */
  async handIn(handedIn: Omit<HandedIn, "kind">): Promise<HandedInFork> {
    const { fork, report } = await this.#verifyEvidence.examine({ ...handedIn, kind: "fork" });
    const { verdict, problems } = JSON.parse(report) as Report;
    if (fork === null) throw notProved(problems);
    const taken = await this.#forks.take(fork, verdict === "verified" ? null : (problems[0] ?? null));
    if (!("forkId" in taken)) throw refusalOf(taken, fork);
    const { outcome, forkId } = taken;
    const [kept, known] = fork.kind === "witness" ? [KEPT_OF_WITNESS, KNOWN_OF_WITNESS] : [KEPT, KNOWN];
    const message = outcome === "kept" ? kept : known;
    return { fork_id: forkId, stream_id: fork.stream_id, kind: fork.kind, outcome, message };
  }
}

function refusalOf(taken: Exclude<TakenFork, { readonly forkId: string }>, { stream_id }: ForkEvidence): ServiceError {
  const about = stream_id === null ? "the log" : `stream ${stream_id}`;
  switch (taken.outcome) {
    case "rejected":
      return notProved(taken.problem === null ? [] : [taken.problem]);
    case "foreign":
      return new ServiceError(
        "fork_foreign",
        stream_id === null
          ? "The evidence is about the log of another service. Hand it in there."
          : `The evidence is about ${about} of another origin, or no stream of this service has that id. Hand it ` +
              `in at the service that it convicts.`,
      );
    case "untrusted":
      return new ServiceError(
        "fork_untrusted",
        `The two sides contradict each other, but not under a key of this service or of a witness of ${about}: ` +
          `anybody with a key can make such evidence. Compare the keys with GET /v2/keys.`,
        taken.problem === null ? {} : { problems: [shown(taken.problem)] },
      );
    case "full":
      return new ServiceError(
        "too_many_forks",
        `As much evidence about ${about} is kept as is taken, ${MAX_FORKS_KEPT} pieces at most. Its bundles are ` +
          `rejected already; keep this piece yourself.`,
      );
  }
}

function notProved(problems: readonly Problem[]): ServiceError {
  const [first] = problems;
  return new ServiceError(
    "fork_not_proved",
    `The evidence does not ` +
      `hold${first === undefined ? "" : `: ${first.code} at ${first.path || "/"}. ${first.message}`} Verify it ` +
      `with svc forks verify.`,
    { problems: problems.slice(0, SHOWN_PROBLEMS).map(shown) },
  );
}

function shown({ code, path, message }: Problem): Json {
  return { path, message: `${code}: ${message}` };
}
