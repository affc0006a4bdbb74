/** The examination of a key status by itself (protocol section 26): its own identifier, and its seal. */
import type { CheckId } from "../../report/checks.ts";
import type { Examination } from "../../report/examination.ts";
import { kidOf } from "../../seal.ts";
import type { Scope } from "../../trust/key-ring.ts";
import { keyStatusBody } from "./issue.ts";
import type { KeyStatus, KeyStatusBody } from "./schema.ts";
import { type CountedStatus, mayVouch } from "./vouching.ts";

/** Checks that a status names its own key by that key's identifier. `check`: one that the object's kind has. */
export function expectOwnKeyId(
  exam: Examination,
  { keyId, publicKeyHex }: KeyStatusBody,
  path: string,
  check: CheckId = "vault_key",
): void {
  exam.expectEqual(check, "kid_mismatch", kidOf(exam.kernel, publicKeyHex), keyId, {
    path: `${path}/keyId`,
    message: "The status names its key by an identifier that is not that key's.",
    count: false,
  });
}

/**
 * Checks the seal of a status. Returns it if it counts: it holds, and trust reaches its signer. A forged one says
 * nothing, and contradicts nothing. It settles the signatures. `path`: of the status; `scope`: of the object that it
 * is in, which may have none.
 */
export function examineKeyStatusSeal(
  exam: Examination,
  status: KeyStatus,
  path: string,
  scope: Scope = {},
): CountedStatus[] {
  const { installationId, statusAt, seal } = status;
  const body = keyStatusBody(status);
  const sealed = exam.seal("vault_key", "key-status", body, seal, {
    path: `${path}/seal`,
    what: `the status of ${installationId}'s key`,
    streamId: scope.streamId,
    ownTime: statusAt,
  });
  exam.settle();
  return sealed.valid !== false && mayVouch(exam, seal.kid, statusAt, scope) ? [{ body, path }] : [];
}
