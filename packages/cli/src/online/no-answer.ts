/**
 * The reasons why a server gave no answer, in words. It holds no way to a network, and only the type of the module that
 * does.
 */
import type { ExchangeLimits, NoAnswer } from "./exchange.ts";

/** Returns the fault as the end of a sentence, and the next step. */
export function reasonOf(
  { why, detail }: NoAnswer,
  { timeoutMs, maxBytes }: ExchangeLimits,
): readonly [string, string] {
  switch (why) {
    case "unreachable":
      return [`it cannot be reached (${detail}).`, "Check the address and the connection."];
    case "timeout":
      return [`it did not answer within ${timeoutMs / 1000} seconds.`, "Try again later."];
    case "too_large":
      return [`its answer is larger than ${maxBytes / 1024 ** 2} MiB.`, "Check the address."];
    case "coded":
      return [
        `its answer is in the content coding ${JSON.stringify(detail)}, which was not asked for.`,
        "Check the address: something between may have changed the answer.",
      ];
    case "redirect":
      return [`it redirects to ${detail}, which svc does not follow.`, "Name that server if you mean it."];
  }
}
