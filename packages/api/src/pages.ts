/**
 * Lists in pages. A cursor names how far the list was looked at, so that pages stay the same while items are added
 * behind them: the last item of the page or, if a filter skipped more rows than one request examines, the last of those
 * rows. Clients pass it on unchanged.
 */
import { atoms } from "@svc/core";
import Type, { type TSchema } from "typebox";
import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from "./limits.ts";
import type { Parameter } from "./parameters.ts";

/** A request for a page: so many items behind a position. */
export interface PageRequest<Position> {
  readonly limit: number;
  /** Null for the first page. */
  readonly after: Position | null;
}

/**
 * A page of a list. Pages stay the same while items are added behind them. A page before the last one can be short, and
 * even empty: the service looks at a bounded number of entries for each.
 *
 * ```json
 * { "items": [], "next_cursor": "c3RyXzAxbTgzcHZqMzAzbmpjM2VkaGVhNHg1azd0" }
 * ```
 */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Leads to the next page; null at the end of the list, and only there. */
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

/** The parameters of a list in the order of a number that counts from 1. */
export const numberedPage = { limit, cursor: cursor((text) => (WHOLE_NUMBER.test(text) ? Number(text) : null)) };

/** The parameters of a list in the order of two numbers that count from 1. */
export const twiceNumberedPage = {
  limit,
  cursor: cursor((text): readonly [number, number] | null => {
    const [first = "", second = "", ...more] = text.split(".");
    const isPosition = WHOLE_NUMBER.test(first) && WHOLE_NUMBER.test(second) && more.length === 0;
    return isPosition ? [Number(first), Number(second)] : null;
  }),
};

/** The parameters of a list in the order of ids. */
export const namedPage = { limit, cursor: cursor((text) => (ID.test(text) ? text : null)) };

function cursor<Position>(positionOf: (text: string) => Position | null): Parameter<Position | null> {
  return {
    schema: { type: "string", pattern: CURSOR_TEXT.source },
    description:
      "`next_cursor` of the page before: a page may be short or empty, and the list goes on until it is null",
    required: false,
    read: (text) => {
      if (text === null) return { value: null };
      const position = CURSOR_TEXT.test(text) ? positionOf(latin1Of(text)) : null;
      return position === null ? "is not the next_cursor of a page" : { value: position };
    },
  };
}

/** Returns the schema of a page. */
export function PageOf(item: TSchema) {
  return atoms.Closed({
    items: Type.Array(item),
    next_cursor: Type.Union([Type.String(), Type.Null()], {
      description: "null at the end of the list, and only there: a page before it may be short or empty",
    }),
  });
}

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Returns the Latin-1 text of base64url, without final bits that fill no byte. */
function latin1Of(base64url: string): string {
  let text = "";
  let [bits, count] = [0, 0];
  for (const character of base64url) {
    bits = ((bits << 6) | BASE64URL.indexOf(character)) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    text += String.fromCharCode((bits >> count) & 0xff);
  }
  return text;
}
