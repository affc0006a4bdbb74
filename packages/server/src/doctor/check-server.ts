/** The PostgreSQL server under a deployment: whether it is fit, and which risks the operator has named. */
import { type Finding, ok, warn } from "@svc/host/checks";
import { requireServer } from "@svc/host/store";
import type { DataFolder } from "../data-folder/data-folder.ts";
import { type DatabaseSettings, locationOfDatabase } from "../deployment/database.ts";

/**
 * Resolves to the findings about the server; to none for a database in a file. Rejects for a server that is not fit or
 * cannot be reached.
 */
export async function checkServer(folder: DataFolder, settings: DatabaseSettings): Promise<Finding[]> {
  const place = locationOfDatabase(folder, settings);
  if ("file" in place) return [];
  const { version, host, database, taken, standbys } = await requireServer(place);
  const waits =
    standbys === ""
      ? "it waits for no standby, so that receipts are on one machine alone"
      : `it waits for its standby (${standbys})`;
  return [
    ok("database server", `PostgreSQL ${version} at ${host}, database ${database}; ${waits}`),
    ...taken.map((risk) =>
      warn(
        "database server",
        `${risk} is not on, as SVC_DATABASE_RISKS allows: after a crash, events may be lost for which receipts ` +
          `were given.`,
      ),
    ),
  ];
}
