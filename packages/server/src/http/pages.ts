/**
 * Lists in pages. A cursor names how far the list was looked at, so that pages stay the same while items are added behind them: the last item that
 * was shown or, where a filter passed over more rows than one request examines, the last row of those. Clients pass it on as it is.
 */

import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from "@svc/api/limits";
import { atoms } from "@svc/core";
import Type, { type TSchema } from "typebox";
import type { Place, Walked } from "../store/bounded-walk.ts";
import type { Parameter } from "./parameters.ts";

/** What a list is asked for: so many items behind a position. */
export interface PageRequest<Position> {
  readonly limit: number;
  /** Null for the first page. */
  readonly after: Position | null;
}

/** A page, and the cursor of the next one; null where there is none. Short, and even empty, where more was looked at than matched. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

const WHOLE_NUMBER = /^[1-9]\d{0,15}$/;
const ID = /^[a-z]+_[0-7][0-9abcdefghjkmnpqrstvwxyz]{25}$/;
const CURSOR_TEXT = /^[A-Za-z0-9_-]{1,200}$/;

const limit: Parameter<number> = {
  schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_ITEMS, default: DEFAULT_PAGE_ITEMS },
  description: `how many items a page has at most, up to ${MAX_PAGE_ITEMS}`,
  required: false,
  read: (text) => {
    if (text === null) return { value: DEFAULT_PAGE_ITEMS };
    const value = WHOLE_NUMBER.test(text) ? Number(text) : 0;
    return value >= 1 && value <= MAX_PAGE_ITEMS ? { value } : `must be a whole number from 1 to ${MAX_PAGE_ITEMS}`;
  },
};

/** The parameters of a list whose items come in the order of a number that counts from 1. */
export const numberedPage = { limit, cursor: cursor((text) => (WHOLE_NUMBER.test(text) ? Number(text) : null)) };

/** The parameters of a list whose items come in the order of two numbers that count from 1. */
export const twiceNumberedPage = {
  limit,
  cursor: cursor((text): readonly [number, number] | null => {
    const [first = "", second = "", ...more] = text.split(".");
    const isPosition = WHOLE_NUMBER.test(first) && WHOLE_NUMBER.test(second) && more.length === 0;
    return isPosition ? [Number(first), Number(second)] : null;
  }),
};

/** The parameters of a list whose items come in the order of their ids. */
export const namedPage = { limit, cursor: cursor((text) => (ID.test(text) ? text : null)) };

function cursor<Position>(positionOf: (text: string) => Position | null): Parameter<Position | null> {
  return {
    schema: { type: "string", pattern: CURSOR_TEXT.source },
    description:
      "`next_cursor` of the page before: a page may be short or empty, and the list goes on until it is null",
    required: false,
    read: (text) => {
      if (text === null) return { value: null };
      const position = CURSOR_TEXT.test(text) ? positionOf(Buffer.from(text, "base64url").toString("latin1")) : null;
      return position === null ? "is not the next_cursor of a page" : { value: position };
    },
  };
}

/** The page of what was found, of which one row more was asked for than the page may have. */
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

/** The schema of a page. */
export function PageOf(item: TSchema) {
  return atoms.Closed({
    items: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "null at the end of the list, and only there: a page before it may be short or empty",
    }),
  });
}
