/** Every command of `svc`. */

import { assuranceCommand } from "./assurance/command.ts";
import { benchCommand } from "./bench/command.ts";
import { bundlesCommand } from "./bundles/command.ts";
import { completionCommand } from "./completion/command.ts";
import { conformanceCommand } from "./conformance/command.ts";
import { consistencyCommand } from "./consistency/command.ts";
import { disclosuresCommand } from "./disclosures/command.ts";
import { explainCommand } from "./explain/command.ts";
import { forksCommand } from "./forks/command.ts";
import { ivcCommand } from "./ivc/command.ts";
import { keysCommand } from "./key-commands/command.ts";
import { onlineCommands } from "./online/families.ts";
import type { Commands } from "./program.ts";
import { receiptsCommand } from "./receipts/command.ts";
import { reportCommand } from "./report/command.ts";
import { tamperCommand } from "./tamper/command.ts";
import { trustCommand } from "./trust/command.ts";
import { verifyCommand } from "./verify/command.ts";
import { watchCommand } from "./watch/command.ts";

export const ALL: Commands = {
  named: {
    verify: verifyCommand,
    report: reportCommand,
    bundles: bundlesCommand,
    receipts: receiptsCommand,
    consistency: consistencyCommand,
    forks: forksCommand,
    disclosures: disclosuresCommand,
    assurance: assuranceCommand,
    ivc: ivcCommand,
    explain: explainCommand,
    watch: watchCommand,
    trust: trustCommand,
    keys: keysCommand,
    tamper: tamperCommand,
    bench: benchCommand,
    completion: completionCommand,
    conformance: conformanceCommand,
  },
  others: onlineCommands,
};
