/** Core's verdict on a server's answers. */
import assert from "node:assert/strict";
import { type PublicKeyHex, pinKeys, type Report, referenceKernel, verify } from "@svc/core";

/** Returns core's report on an answer's text, under the pinned key. */
export function report(text: string, publicKeyHex: PublicKeyHex): Report {
  return verify(Buffer.from(text), { trust: pinKeys(referenceKernel, [publicKeyHex]) });
}

export function assertVerified(text: string, publicKeyHex: PublicKeyHex, kind: string): Report {
  const found = report(text, publicKeyHex);
  assert.deepEqual(
    { verdict: found.verdict, kind: found.kind, problems: found.problems },
    { verdict: "verified", kind, problems: [] },
  );
  return found;
}

/** Does the same for a truth package's bytes. */
export function assertPackageVerified(bytes: Uint8Array, publicKeyHex: PublicKeyHex): Report {
  const found = verify(bytes, { trust: pinKeys(referenceKernel, [publicKeyHex]) });
  assert.deepEqual([found.verdict, found.kind, found.problems], ["verified", "truth-package", []]);
  return found;
}
