/** A page as HTML text. It escapes every text; tags and attribute names come from this package alone. */
import type { Part } from "./element.ts";

const VOID = new Set(["meta", "link", "br", "hr", "input"]);

/** Returns the HTML of a part. */
export function htmlOf(part: Part): string {
  if (typeof part === "string") return escapedText(part);
  const { tag, attributes, children } = part;
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapedValue(value)}"`);
  const start = `<${tag}${written.join("")}>`;
  return VOID.has(tag) ? start : `${start}${children.map(htmlOf).join("")}</${tag}>`;
}

function escapedText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function escapedValue(text: string): string {
  return escapedText(text).replaceAll('"', "&quot;");
}
