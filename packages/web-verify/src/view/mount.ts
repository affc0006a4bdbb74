/** Turns parts of a page into nodes of the document. Every text becomes a text node: nothing is parsed as HTML. */
import type { Part } from "@svc/report";

const SVG = "http://www.w3.org/2000/svg";

/** Returns the node of a part. */
export function mount(part: Part, isSvg = false): Node {
  if (typeof part === "string") return document.createTextNode(part);
  const { tag, attributes, children } = part;
  const inSvg = isSvg || tag === "svg";
  const element = inSvg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children.map((child) => mount(child, inSvg)));
  return element;
}

/** Returns the element with this id in the page's own HTML. */
export function byId<Wanted extends HTMLElement = HTMLElement>(id: string): Wanted {
  const found = document.getElementById(id);
  if (found === null) throw new TypeError(`the page has no element ${id}`);
  return found as Wanted;
}
