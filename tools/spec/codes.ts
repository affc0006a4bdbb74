/** Tables of the report: its codes, what they mean and what a person does next, and its checks in order. */
import { CODES, MEANINGS, type ProblemCode } from "@svc/core";
import * as ownActions from "../../packages/core/src/own-actions.ts";
import { CHECK_ORDER, checksOf } from "../../packages/core/src/report/checks.ts";
import { VAULT_CODES } from "../../packages/core/src/report/vault-codes.ts";
import { CHECK_LISTS } from "./kinds.ts";

/** Returns every problem code with its check, meaning and next step, and the next steps of single causes. */
export function codes() {
  return {
    codes: Object.fromEntries(
      Object.entries(CODES).map(([code, { check, action, ...more }]) => [
        code,
        {
          check,
          meaning: MEANINGS[code as ProblemCode],
          action,
          convicts: Object.hasOwn(more, "convicts"),
          only_vaults: Object.hasOwn(VAULT_CODES, code),
        },
      ]),
    ),
    own_actions: Object.fromEntries(Object.entries(ownActions).map(([name, text]) => [name.toLowerCase(), text])),
  };
}

/** Returns the checks in report order, and those of each kind and of no kind. */
export function checks() {
  return {
    order: CHECK_ORDER,
    of_no_kind: checksOf(null),
    by_list: Object.fromEntries(CHECK_LISTS.map((list) => [list, checksOf(list)])),
    with_required_assurance: "assurance",
  };
}
