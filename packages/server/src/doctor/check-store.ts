/** The database as a whole: its pages, and the release of its schema. */

import { type Finding, fail, ok, warn } from "@svc/host/checks";
import { type Reader, schemaVersion } from "@svc/host/store";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { findStoreMigration, refusalOf } from "../deployment/store-migration.ts";
import { schemaFaults } from "../fsck/check-schema.ts";
import { NEWEST_SCHEMA } from "../migrations/all.ts";
import { quickCheck } from "./structure-store.ts";

/** The most changes of a schema that a finding names. */
const NAMED = 3;

/** Resolves to the findings about pages and schema. They do not say that the evidence holds: fsck verifies that. */
export async function checkIntegrity(
  reader: Reader,
  { databaseFile }: Pick<DataFolder, "databaseFile">,
): Promise<Finding[]> {
  const mark = await findStoreMigration(reader);
  if (mark !== null) return [fail("database", refusalOf(mark))];
  const version = await schemaVersion(reader);
  if (version === 0)
    return [
      fail(
        "database",
        "it holds no deployment: it was emptied or replaced. Put it back from a backup, and keep the keys of " +
          "this folder: evidence may be sealed with them.",
      ),
    ];
  // The pages of a server are its own.
  const answer = databaseFile === null ? null : await quickCheck(reader);
  const schema =
    version > NEWEST_SCHEMA
      ? fail("schema", `version ${version}, and this release knows ${NEWEST_SCHEMA}. Start the release that wrote it.`)
      : version < NEWEST_SCHEMA
        ? warn("schema", `version ${version}; the next start brings it to ${NEWEST_SCHEMA}. Make a backup before.`)
        : await describeSchema(reader, version, databaseFile === null);
  if (answer === null) return [schema];
  return [
    answer === "ok"
      ? ok("database", "its pages are whole; fsck looks into indexes and verifies the evidence")
      : fail("database", `its file is damaged: ${answer}. Put a backup back, and keep this file.`),
    schema,
  ];
}

/** Resolves to the finding about a schema of this release: it is as the migrations make it, or what is changed. */
async function describeSchema(reader: Reader, version: number, onServer: boolean): Promise<Finding> {
  const faults = await schemaFaults(reader, { onServer });
  if (faults.length === 0) return ok("schema", `version ${version}, as this release makes it`);
  const first = faults.slice(0, NAMED).map(({ row, fault }) => `${JSON.stringify(row)}: ${fault}`);
  return fail(
    "schema",
    `version ${version}, and changed since: ` +
      `${first.join("; ")}${faults.length > NAMED ? `; ${faults.length - NAMED} more` : ""}. Undo that, and look ` +
      `into who changed it; fsck lists all.`,
  );
}
