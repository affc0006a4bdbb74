/** The pages of lists (packages/api/src/pages.ts), made from the found rows, and their cursors. */
import type { Page, PageRequest } from "@svc/api";
import type { Place, Walked } from "../store/bounded-walk.ts";

/**
 * Returns a page of found rows. The query must have asked for one row more than the page's limit: that row shows that
 * the list continues.
 */
export function pageOf<Row, Item>(
  { rows, end }: Walked<Row>,
  { limit: most }: PageRequest<unknown>,
  { place, item }: { readonly place: (row: Row) => Place; readonly item: (row: Row) => Item },
): Page<Item> {
  const shown = rows.slice(0, most);
  const last = rows.length > most ? shown.at(-1) : undefined;
  const lookedTo = last === undefined ? end : place(last);
  return {
    items: shown.map(item),
    next_cursor: lookedTo === null ? null : Buffer.from(lookedTo.join("."), "latin1").toString("base64url"),
  };
}
