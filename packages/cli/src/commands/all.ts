/** Every command of `svc`. */

import type { Commands } from "../program.ts";
import { benchCommand } from "./bench.ts";
import { bundlesCommand } from "./bundles.ts";
import { completionCommand } from "./completion.ts";
import { conformanceCommand } from "./conformance.ts";
import { consistencyCommand } from "./consistency.ts";
import { forksCommand } from "./forks.ts";
import { keysCommand } from "./keys.ts";
import { onlineCommands } from "./online/families.ts";
import { receiptsCommand } from "./receipts.ts";
import { reportCommand } from "./report.ts";
import { tamperCommand } from "./tamper.ts";
import { trustCommand } from "./trust.ts";
import { verifyCommand } from "./verify.ts";

export const ALL: Commands = {
  named: {
    verify: verifyCommand,
    report: reportCommand,
    bundles: bundlesCommand,
    receipts: receiptsCommand,
    consistency: consistencyCommand,
    forks: forksCommand,
    trust: trustCommand,
    keys: keysCommand,
    tamper: tamperCommand,
    bench: benchCommand,
    completion: completionCommand,
    conformance: conformanceCommand,
  },
  others: onlineCommands,
};
