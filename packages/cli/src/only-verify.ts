/** The one command that most calls use: the whole of the part that is loaded for it alone. */
import type { Commands } from "./program.ts";
import { verifyCommand } from "./verify/command.ts";

export const ONLY_VERIFY: Commands = { named: { verify: verifyCommand }, others: () => [] };
