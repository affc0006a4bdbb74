/** Lists of the service: one page, or all of it, page by page. */
import type { Page } from "@svc/api";
import { SvcError } from "./error.ts";
import type { Transport } from "./transport.ts";

/** Chooses a page of a list; by default the first one. */
export interface PageRequest {
  /** Items in the page, 1 to 500; by default 50. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/**
 * A list: `await` it for one page, or iterate with `for await` over every item from there on; short and empty pages
 * hide none. It asks for nothing before you do, and iteration keeps one page in memory. Rejects with SvcError;
 * SvcClient lists the codes of every call.
 *
 * @example
 * const { items } = await stream.events({ limit: 2 });
 * console.log(items.map(({ seq_no }) => seq_no).join()); // 1,2
 */
export class List<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #cursor: string | undefined;
  readonly #fetch: (cursor: string | undefined, before: Item | null) => Promise<Page<Item>>;
  #page: Promise<Page<Item>> | null = null;

  /** `fetch`: gets the page behind a cursor; `before` is the last item of the page before it, if that is known. */
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
    // Pages may be empty, so only a list that leads back to one of its pages is known to have no end. The kept cursor
    // is replaced after 1, 2, 4, ... pages (Brent's algorithm), so that a circle of any length is found with one cursor
    // in memory.
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

/** Returns the list of a path; its items are not checked. */
export function listOf<Item>(
  transport: Transport,
  path: string,
  filter: Readonly<Record<string, string | number | undefined>> & PageRequest,
  signal: AbortSignal | undefined,
): List<Item> {
  return new List(filter.cursor, (cursor) => pageOf<Item>(transport, withQuery(path, { ...filter, cursor }), signal));
}

/** Resolves to one page. Rejects with SvcError `unexpected_answer` for an answer that is no page. */
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

/** Returns the path with the given parameters as its query. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, `${value}`);
  return given.size === 0 ? path : `${path}?${given}`;
}
