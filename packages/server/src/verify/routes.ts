/**
 * The public routes that verify: they take the bare object and answer with the report, 200 for every verdict; and the
 * one that takes fork evidence to keep it. HTTP only.
 */
import { verify as contracts, forks } from "@svc/api";
import { MAX_LARGE_VERIFY_BODIES, MAX_SMALL_VERIFY_BODY_BYTES, MAX_VERIFY_WAIT_MS } from "@svc/api/limits";
import type { Kind } from "@svc/core";
import { type Answer, BodyMemory, bind, type Call, json, type Route } from "@svc/host/http";
import { MAX_VERIFY_MEMORY_BYTES } from "../limits.ts";
import type { HandInFork } from "./hand-in-fork.ts";
import type { VerifyEvidence } from "./verify-evidence.ts";
import { verifierBusy } from "./verifying-threads.ts";

/** Returns the routes of verification. */
export function verifyRoutes(verifyEvidence: VerifyEvidence, handInFork: HandInFork): Route[] {
  const memory = new BodyMemory({
    maxBytes: MAX_VERIFY_MEMORY_BYTES,
    smallBytes: MAX_SMALL_VERIFY_BODY_BYTES,
    permits: MAX_LARGE_VERIFY_BODIES,
    waitMs: MAX_VERIFY_WAIT_MS,
    refusal: verifierBusy,
  });
  const verifyAs =
    (kind: Kind | null) =>
    async ({ bytes, asker: owner, signal, used }: Call): Promise<Answer> => ({
      text: await verifyEvidence.verify({ bytes, kind, owner, signal, used }),
    });
  return [
    bind(contracts.verify, verifyAs(null), { memory }),
    bind(contracts.verifyReceipt, verifyAs("receipt"), { memory }),
    bind(contracts.verifyProof, verifyAs("portable-receipt"), { memory }),
    bind(
      forks.handIn,
      async ({ bytes, asker: owner, signal, used }) => json(await handInFork.handIn({ bytes, owner, signal, used })),
      { memory },
    ),
  ];
}
