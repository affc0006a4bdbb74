/** Pages for people: the form for a call that names none. */
import type { Formatter } from "./formatter.ts";

export const TEXT: Formatter = {
  help: {},
  answer: ({ page }) => page(),
  line: null,
  end: (page) => page(),
  remarks: "stdout",
};
