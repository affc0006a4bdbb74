/** The database as a whole: its pages, and the release of its schema. */

import { type Finding, fail, ok, warn } from "@svc/host/checks";
import { newestVersion, type Reader, type Schema, schemaVersion } from "@svc/host/store";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { findStoreMigration, refusalOf } from "../deployment/store-migration.ts";
import { schemaFaults } from "../fsck/check-schema.ts";
import { tablesOfOthers } from "../program/platform-tables.ts";
import type { Program } from "../program/program.ts";
import { quickCheck } from "./structure-store.ts";

/** The most changes of a schema that a finding names. */
const NAMED = 3;

/** Resolves to the findings about pages and schema. They do not say that the evidence holds: fsck verifies that. */
export async function checkIntegrity(
  reader: Reader,
  { schemas }: Pick<Program, "schemas">,
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
  const ofSchema = await describeSchema(reader, schemas, databaseFile === null);
  const others = await tablesOfOthers(reader, schemas);
  const ofOthers =
    others.length === 0
      ? []
      : [ok("tables of others", `${others.length} belong to svc-platform, whose own doctor looks into them`)];
  if (answer === null) return [ofSchema, ...ofOthers];
  return [
    answer === "ok"
      ? ok("database", "its pages are whole; fsck looks into indexes and verifies the evidence")
      : fail("database", `its file is damaged: ${answer}. Put a backup back, and keep this file.`),
    ofSchema,
    ...ofOthers,
  ];
}

/** Resolves to the finding about the schemas: of which release they are, and whether they are as it makes them. */
async function describeSchema(reader: Reader, schemas: readonly Schema[], onServer: boolean): Promise<Finding> {
  const versions: string[] = [];
  for (const schema of schemas) {
    const [version, newest] = [await schemaVersion(reader, schema), newestVersion(schema)];
    const words = `${schema.versionWords.replace("schema ", "")} ${version}`;
    if (version > newest)
      return fail("schema", `${words}, and this release knows ${newest}. Start the release that wrote it.`);
    if (version < newest)
      return warn("schema", `${words}; the next start brings it to ${newest}. Make a backup before.`);
    versions.push(words);
  }
  const faults = await schemaFaults(reader, { schemas }, { onServer });
  const known = versions.join(", ");
  if (faults.length === 0) return ok("schema", `${known}, as this release makes it`);
  const first = faults.slice(0, NAMED).map(({ row, fault }) => `${JSON.stringify(row)}: ${fault}`);
  return fail(
    "schema",
    `${known}, and changed since: ` +
      `${first.join("; ")}${faults.length > NAMED ? `; ${faults.length - NAMED} more` : ""}. Undo that, and look ` +
      `into who changed it; fsck lists all.`,
  );
}
