/** Parts of a page as nodes of the document. Every text becomes a text node: nothing is parsed as HTML. */
import type { Part } from "@svc/report";

const SVG = "http://www.w3.org/2000/svg";

/** The node of a part. */
export function mount(part: Part, isSvg = false): Node {
  if (typeof part === "string") return document.createTextNode(part);
  const { tag, attributes, children } = part;
  const inSvg = isSvg || tag === "svg";
  const element = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => mount(child, inSvg)));
  return element;
}

/** The element with this id, which stands in the page's own HTML. */
export function byId<Wanted extends HTMLElement = HTMLElement>(id: string): Wanted {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`the page has no element ${id}`);
  return found as Wanted;
}
