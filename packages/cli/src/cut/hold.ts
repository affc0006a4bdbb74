/** Every part that is cut out of evidence is checked against the protocol before anybody gets it. */
import { type Kernel, type Kind, type Report, verify } from "@svc/core";
import { EXIT, Refusal } from "../exit.ts";

/**
 * Verifies a result under no trust policy: form, hashes, paths, and the signatures whose keys travel with it. A result
 * that is rejected is not written. Nobody asks here whose key it is.
 */
export function holdResult(kernel: Kernel, kind: Kind, bytes: Uint8Array): Report {
  const report = verify(bytes, { kind, kernel });
  const [problem] = report.problems;
  if (report.verdict === "rejected")
    throw new Refusal(
      EXIT.rejected,
      `What was cut out does not hold, so nothing was written: ${problem?.code} at ${problem?.path || "/"}. ` +
        `${problem?.message}`,
      "Verify the file that it was cut from.",
    );
  return report;
}

/** Runs a function that throws RangeError if the evidence has no such part, and then refuses the call. */
export function orRefuse<Value>(cut: () => Value): Value {
  try {
    return cut();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const said = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
    throw new Refusal(EXIT.usage, said, '"svc bundles show" says what is in a bundle.');
  }
}
