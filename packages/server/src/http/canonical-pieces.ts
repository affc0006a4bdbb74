/**
 * The canonical text (RFC 8785) of a large value in pieces, so that it never stands in memory as a whole. The kernel makes every piece; only
 * the commas and brackets between them are set here.
 */
import type { Json, JsonObject, Kernel } from "@svc/core";

/** Items of an array, or members of a large object, in one piece. */
const PORTION = 32;

/** Pieces that together are J(value). `depth`: how many levels of objects are taken apart. */
export function* canonicalPieces(kernel: Kernel, value: Json, depth: number): Generator<Uint8Array> {
  if (Array.isArray(value)) yield* portions("[", value, "]", (items) => kernel.canonicalize(items));
  else if (typeof value !== "object" || value === null) yield kernel.canonicalize(value);
  else yield* ofObject(kernel, value as JsonObject, depth);
}

function* ofObject(kernel: Kernel, value: JsonObject, depth: number): Generator<Uint8Array> {
  // The default order of sort is that of RFC 8785: by UTF-16 code units.
  const names = Object.keys(value).sort();
  if (depth === 0 || names.length > PORTION) {
    const member = (name: string) => [name, value[name]] as [string, Json];
    yield* portions("{", names, "}", (some) => kernel.canonicalize(Object.fromEntries(some.map(member))));
    return;
  }
  let before = "{";
  for (const name of names) {
    yield Buffer.concat([Buffer.from(before), kernel.canonicalize(name), Buffer.from(":")]);
    yield* canonicalPieces(kernel, value[name] as Json, depth - 1);
    before = ",";
  }
  yield Buffer.from(names.length === 0 ? "{}" : "}");
}

/** A list in portions: each has brackets of its own, which give way to those around the whole. */
function* portions<Item>(
  open: string,
  items: readonly Item[],
  close: string,
  canonical: (items: readonly Item[]) => Uint8Array,
): Generator<Uint8Array> {
  yield Buffer.from(open);
  for (let at = 0; at < items.length; at += PORTION) {
    if (at > 0) yield Buffer.from(",");
    yield canonical(items.slice(at, at + PORTION)).subarray(1, -1);
  }
  yield Buffer.from(close);
}
