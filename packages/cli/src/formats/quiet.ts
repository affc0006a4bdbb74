/** `--quiet`: prints nothing; the exit code answers. */
import type { Formatter } from "./formatter.ts";

export const QUIET: Formatter = {
  // Its option stands apart from those of other forms, in verify/options.ts.
  help: {},
  answer: () => [],
  line: null,
  end: () => [],
  remarks: "nowhere",
};
