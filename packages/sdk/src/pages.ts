/** Lists of the service: a page of one, or all of it, page by page. */
import type { Page } from "@svc/api";
import { SvcError } from "./error.ts";
import type { Transport } from "./transport.ts";

/** Which page of a list is asked for; the first one where `cursor` is not given. */
export interface PageRequest {
  /** Items in the page, 1 to 500; 50 where it is not given. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/**
 * A list: `await` it for the page that was asked for, or go over it with `for await` for every item from there on, through pages that are short or
 * empty. Nothing is asked for before; of what is gone over, one page is in memory at a time. Throws SvcError.
 */
export class List<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #cursor: string | undefined;
  readonly #fetch: (cursor: string | undefined, before: Item | null) => Promise<Page<Item>>;
  #page: Promise<Page<Item>> | null = null;

  /** `fetch`: gets the page behind a cursor; `before` is the last item of the page before it, where that is known. */
  constructor(
    cursor: string | undefined,
    fetch: (cursor: string | undefined, before: Item | null) => Promise<Page<Item>>,
  ) {
    this.#cursor = cursor;
    this.#fetch = fetch;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its page
  then<Value = Page<Item>, Other = never>(
    onPage?: ((page: Page<Item>) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    this.#page ??= this.#fetch(this.#cursor, null);
    return this.#page.then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor = this.#cursor;
    let before: Item | null = null;
    // Pages may be empty, so that only a list that leads back to one of its pages is known to have no end. The kept cursor is replaced after 1, 2, 4, ... pages (Brent's algorithm), so that
    // a circle of any length is found, and one cursor is in memory.
    let [kept, pages, turn] = [cursor, 0, 1];
    for (;;) {
      const { items, next_cursor }: Page<Item> = await this.#fetch(cursor, before);
      yield* items;
      if (next_cursor === null) return;
      if (next_cursor === kept)
        throw new SvcError("unexpected_answer", "The service's list leads back to a page that it led to before.", 200);
      cursor = next_cursor;
      pages += 1;
      if (pages === turn) [kept, pages, turn] = [cursor, 0, 2 * turn];
      before = items.at(-1) ?? before;
    }
  }
}

/** The list of a path, whose items are taken as they come. */
export function listOf<Item>(
  transport: Transport,
  path: string,
  filter: Readonly<Record<string, string | number | undefined>> & PageRequest,
  signal: AbortSignal | undefined,
): List<Item> {
  return new List(filter.cursor, (cursor) => pageOf<Item>(transport, withQuery(path, { ...filter, cursor }), signal));
}

/** One page. Throws SvcError `unexpected_answer` for what is none. */
export async function pageOf<Item>(
  transport: Transport,
  path: string,
  signal: AbortSignal | undefined,
): Promise<Page<Item>> {
  const page = await transport.json<Page<Item>>({ method: "GET", path, signal });
  const { items, next_cursor } = page;
  if (Array.isArray(items) && (typeof next_cursor === "string" || next_cursor === null)) return page;
  const what = Array.isArray(items) ? "a page whose next_cursor leads nowhere" : "something without items";
  throw new SvcError("unexpected_answer", `${path} was answered with ${what}.`, 200);
}

/** The path with the parameters that are given as its query. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, `${value}`);
  return given.size === 0 ? path : `${path}?${given}`;
}
