/**
 * Rows of which the audit log must tell: its entry is added in the transaction that adds the row, so that an entry
 * which is missing was removed.
 */
import type { StrayRule } from "@svc/host/checks";

/** Returns the rule for a table whose ids are the objects of entries. `where`: a condition on those rows, named `e`. */
export function unlogged(table: string, id: string, action: string, where = "1 = 1"): StrayRule {
  return {
    table,
    id,
    fault: `the audit log does not say that it was made: its entry ${action} is not there`,
    where:
      `${where} AND NOT EXISTS (SELECT 1 FROM access_log l WHERE l.object_id = e.${id} ` +
      `AND l.action = '${action}')`,
  };
}
