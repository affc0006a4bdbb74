/** `svc-server audit-log`: the actors and actions behind each key, policy, stream and erased payload. */

import type { Database, Part, Place, Walked } from "@svc/host/store";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Program } from "../program/program.ts";
import { type AccessFilter, type AccessRow, accessBefore } from "../tenancy/access-log-store.ts";
import { chosenTenant, columns, type DeploymentOptions, show, withDeployment } from "./deployment.ts";

const DEFAULT_LINES = 100;

interface AuditLogOptions extends DeploymentOptions {
  readonly tenant?: string;
  readonly action?: string;
  readonly object?: string;
  readonly last: number;
}

/** Returns the command `audit-log`. */
export function auditLogCommand(program: Program): Command {
  return new Command("audit-log")
    .description("show what was done to keys, policies, streams and payloads, and by whom; the latest last")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--tenant <id>", "only of this tenant")
    .option("--action <name>", "only this, such as event.erased, or all of a kind, such as system_key")
    .option("--object <id>", "only what was done to this key, stream, event, policy, system or tenant")
    .addOption(new Option("--last <number>", "at most so many lines").default(DEFAULT_LINES).argParser(parseLines))
    .option("--json", "print one JSON object instead of text")
    .action((options: AuditLogOptions) =>
      withDeployment(
        program,
        options,
        async (deployment) => {
          const { database } = deployment;
          const { tenant, action = null, object = null, last } = options;
          const tenantId = tenant === undefined ? null : (await chosenTenant(deployment, tenant)).tenant_id;
          const filter = { tenantId, action, objectId: object };
          const found = await latestAccess(database, filter, last + 1);
          const more = found.length > last;
          const entries = found.slice(0, last).reverse().map(withDetail);
          const rows = entries.map((entry) => [
            entry.at,
            entry.action,
            entry.object_id,
            `${entry.actor_kind} ${entry.actor_id}`,
            JSON.stringify(entry.detail),
          ]);
          show(options, { entries, more }, columns(["at", "action", "object", "by", "detail"], rows));
          if (more) console.error(`There are older entries: --last <number> shows more than ${last}.`);
        },
        { orOfBefore: true },
      ),
    );
}

/**
 * Resolves to the latest entries, the latest first, `most` at most. It reads in portions: a command must not hold a
 * snapshot for long beside the server.
 */
async function latestAccess(database: Database, filter: AccessFilter, most: number): Promise<AccessRow[]> {
  const found: AccessRow[] = [];
  for (let after: Place | null = null; ; ) {
    const part: Part = { after, most: most - found.length };
    const { rows, end }: Walked<AccessRow> = await database.read((reader) => accessBefore(reader, filter, part));
    found.push(...rows);
    if (end === null || found.length === most) return found;
    after = end;
  }
}

function withDetail({ detail, ...entry }: AccessRow) {
  return { ...entry, detail: JSON.parse(detail) as object };
}

function parseLines(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999999.");
}
