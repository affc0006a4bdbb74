/**
 * A verifier that lacks one check: it looks where the check looks, and finds no fault, so that the check passes. It
 * takes each signature of that check for a good one. All other checks find what they find; the verdict follows.
 */
import { CHECK_ORDER, type CheckId } from "../../packages/core/src/report/checks.ts";
import { Examination } from "../../packages/core/src/report/examination.ts";
import { honest, type Lie, reportOf } from "./lie.ts";

/** One lie for each check, in the order of the checks. */
export const LACKING: readonly Lie[] = CHECK_ORDER.map((lacking) => ({
  name: `lacks-${lacking.replaceAll("_", "-")}`,
  does: `finds nothing by the check ${lacking}`,
  concerns: ({ answer }) =>
    reportOf(answer)?.checks.some(
      ({ id, status }) => id === lacking && status !== "pass" && status !== "not_checked",
    ) ?? false,
  tell(kernel) {
    takeOut(lacking);
    return honest(kernel);
  },
}));

/** Takes the findings of a check out of every examination of this process. */
function takeOut(lacking: CheckId): void {
  const whole = Examination.prototype;
  const { reject, distrust, signature, signatureNow } = whole;
  whole.reject = function (check, finding) {
    if (check !== lacking) reject.call(this, check, finding);
  };
  whole.distrust = function (finding, subject, check = "trust") {
    if (check !== lacking) distrust.call(this, finding, subject, check);
  };
  whole.signature = function (check, publicKeyHex, message, bytes, finding, sealer) {
    if (check !== lacking) return signature.call(this, check, publicKeyHex, message, bytes, finding, sealer);
    this.looked(check);
    if (sealer !== undefined) this.signedBy(sealer);
    return { valid: true };
  };
  whole.signatureNow = function (check, publicKeyHex, message, bytes, finding) {
    if (check !== lacking) return signatureNow.call(this, check, publicKeyHex, message, bytes, finding);
    this.looked(check);
    return true;
  };
}
