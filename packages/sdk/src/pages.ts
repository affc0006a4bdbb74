/** Lists of the service, which come in pages. */

/** Which page of a list is asked for; the first one where `cursor` is not given. */
export interface PageRequest {
  /** Items in the page, 1 to 500; 50 where it is not given. */
  readonly limit?: number;
  /** `next_cursor` of the page before. */
  readonly cursor?: string;
}

/** A page of a list. Pages stay the same while items are added behind them. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Leads to the next page; null where there is none. */
  readonly next_cursor: string | null;
}

/** The path with the parameters that are given as its query. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) given.set(name, `${value}`);
  return given.size === 0 ? path : `${path}?${given}`;
}
