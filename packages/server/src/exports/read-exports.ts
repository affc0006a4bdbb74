/** Shows exports to their makers. */
import type { PageRequest } from "@svc/api";
import { pageOf } from "@svc/host/http/pages";
import type { Principal } from "@svc/host/principal";
import type { Database } from "@svc/host/store";
import { type ExportState, rangesOf } from "./exports-store.ts";
import { exportsOfActor } from "./list-store.ts";
import { exportView } from "./view.ts";
import { visibleExport } from "./visible-export.ts";

/** Reads the exports of a deployment. */
export class ReadExports {
  readonly #database: Pick<Database, "read">;

  constructor(database: Pick<Database, "read">) {
    this.#database = database;
  }

  /** Resolves to an export. Rejects with `export_not_found` and `export_forbidden`. */
  one(principal: Principal, exportId: string) {
    return this.#database.read(async (reader) => exportView(await visibleExport(reader, principal, exportId)));
  }

  /**
   * Resolves to a page of the exports that the principal made, as far as its key is not limited to other streams, in
   * the order in which they were made.
   */
  list(principal: Principal, state: ExportState | null, page: PageRequest<string>) {
    return this.#database.read(async (reader) => {
      const only = principal.limits?.streams ?? null;
      const asked = { state, only, afterId: page.after ?? "", most: page.limit + 1 };
      const { rows, end } = await exportsOfActor(reader, principal, asked);
      const known = [];
      for (const row of rows) known.push({ row, ranges: await rangesOf(reader, row.export_id) });
      return pageOf({ rows: known, end }, page, { place: ({ row }) => [row.export_id], item: exportView });
    });
  }
}
