/** Pages for people: the form that no option asks for. */
import type { Formatter } from "./formatter.ts";

export const TEXT: Formatter = {
  help: {},
  answer: ({ page }) => page(),
  line: null,
  end: (page) => page(),
  remarks: "stdout",
};
