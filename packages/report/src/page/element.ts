/**
 * A page as plain data: elements, attributes, texts. It can be sent between threads, and becomes a document in a
 * browser, or HTML text (html.ts). Texts stay texts on both ways, so that nothing from a file is ever read as HTML.
 */

/** A part of a page. A string is text. */
export type Part = string | Element;

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Part[];
}

/** The possible contents of an element: nothing, one part, or several. */
export type Parts = Part | null | readonly Parts[];

/** Makes an element. It leaves out attributes that are undefined and children that are null. */
export function el(
  tag: string,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Parts[]
): Element {
  const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { tag, attributes: Object.fromEntries(given), children: flat(children) };
}

function flat(parts: Parts): Part[] {
  if (parts === null) return [];
  return Array.isArray(parts) ? parts.flatMap(flat) : [parts as Part];
}
