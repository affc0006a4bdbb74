/** The value of `--require`: the evidence that must be there besides being right (protocol section 16, `require`). */
import { InvalidArgumentError } from "commander";

/** The requirements, in the order in which the evidence grows. */
export const REQUIREMENTS = ["included", "witnessed", "published", "anchored"] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/**
 * Adds one requirement, or several with commas between, to those before. Throws InvalidArgumentError for anything else.
 */
export function parseRequirements(text: string, previous: readonly Requirement[] = []): Requirement[] {
  const wanted = text.split(",").map((word) => {
    const found = REQUIREMENTS.find((each) => each === word);
    if (found !== undefined) return found;
    throw new InvalidArgumentError(
      word === "complete"
        ? "A bundle with a gap is rejected in any case; which events must be there, --from and --to say."
        : `"${word}" is not one of ${REQUIREMENTS.join(", ")}.`,
    );
  });
  return [...new Set([...previous, ...wanted])];
}
