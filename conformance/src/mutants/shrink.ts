/**
 * Makes a case that shows a difference small, as delta debugging does (Zeller, Hildebrandt): it leaves out runs of
 * members and elements, halves first and single ones last, as long as the difference stays, until nothing can go. Texts
 * shrink too, since the rest of a case is often one long text.
 */
import type { Json } from "../json.ts";
import {
  type Place,
  partsOf,
  placesOf,
  type Tree,
  textOfTree,
  treeAt,
  treeOf,
  withParts,
  withTree,
} from "./json-tree.ts";
import { bytesOf, type Request, withBytes } from "./mutate.ts";

/** Says whether a request still shows the difference. */
export type Shows = (request: Request) => Promise<boolean>;

/** Resolves to a request that shows it, and none of whose parts can be left out. */
export async function shrink(request: Request, shows: Shows): Promise<Request> {
  for (let smallest = request; ; ) {
    const before = JSON.stringify(smallest).length;
    for (const name of ["links", "trust", "kind"]) smallest = await withoutMember(smallest, name, shows);
    smallest = await smallerText(smallest, shows);
    for (const name of ["trust", "links"]) smallest = await smallerMember(smallest, name, shows);
    if (JSON.stringify(smallest).length >= before) return smallest;
  }
}

async function withoutMember(request: Request, name: string, shows: Shows): Promise<Request> {
  if (!Object.hasOwn(request, name)) return request;
  const { [name]: _, ...rest } = request;
  return (await shows(rest as Request)) ? (rest as Request) : request;
}

async function smallerText(request: Request, shows: Shows): Promise<Request> {
  const bytes = bytesOf(request);
  const tree = treeOf(bytes.toString("utf8"));
  if (tree === null || !Buffer.from(bytes.toString("utf8")).equals(bytes)) return smallerBytes(request, shows);
  const smaller = await smallerTree(tree, (one) => shows(withBytes(request, Buffer.from(textOfTree(one)))));
  return smaller === tree ? request : withBytes(request, Buffer.from(textOfTree(smaller)));
}

async function smallerMember(request: Request, name: string, shows: Shows): Promise<Request> {
  const value = Object.hasOwn(request, name) ? request[name] : undefined;
  const tree = value === undefined ? null : treeOf(JSON.stringify(value));
  if (tree === null) return request;
  const put = (one: Tree): Request => ({ ...request, [name]: JSON.parse(textOfTree(one)) as Json });
  const smaller = await smallerTree(tree, (one) => shows(put(one)));
  return smaller === tree ? request : put(smaller);
}

/** Bytes that are no JSON text: an archive, or a text that is cut off. */
async function smallerBytes(request: Request, shows: Shows): Promise<Request> {
  let bytes = bytesOf(request);
  for (let run = bytes.length >> 1; run > 0; run >>= 1)
    for (let at = 0; at < bytes.length; ) {
      const rest = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + run)]);
      if (await shows(withBytes(request, rest))) bytes = rest;
      else at += run;
      // Single bytes of a long archive are more than anybody waits for.
      if (run < bytes.length / 256) return withBytes(request, bytes);
    }
  return withBytes(request, bytes);
}

/** Resolves to the tree itself if nothing can go. */
async function smallerTree(tree: Tree, shows: (tree: Tree) => Promise<boolean>): Promise<Tree> {
  let smallest = tree;
  const attempt = async (one: Tree) => {
    if (!(await shows(one))) return false;
    smallest = one;
    return true;
  };
  // Outer parts first: with them goes all that they hold.
  for (let index = 0, places = byDepth(smallest); index < places.length; index++) {
    const place = places[index] ?? [];
    const at = treeAt(smallest, place);
    const { length } = partsOf(at);
    for (let run = length; run > 0; run >>= 1)
      for (let start = 0; start < partsOf(treeAt(smallest, place)).length; ) {
        const now = treeAt(smallest, place);
        const kept = [...partsOf(now).keys()].toSpliced(start, run);
        if (!(await attempt(withTree(smallest, place, withParts(now, kept))))) start += run;
      }
    if (at.type === "scalar") await shorterText(place, at.text, (one) => attempt(withTree(smallest, place, one)));
    if (length > 0) places = byDepth(smallest);
  }
  return smallest;
}

/** Halves a text as long as the difference stays. */
async function shorterText(place: Place, text: string, attempt: (tree: Tree) => Promise<boolean>): Promise<void> {
  if (place.length === 0 || !text.startsWith('"')) return;
  for (let left = text.length - 2; left > 8; ) {
    left >>= 1;
    const shorter = text.slice(0, 1 + left).replace(/\\u?[0-9a-fA-F]{0,3}$/, "");
    if (!(await attempt({ type: "scalar", text: `${shorter}"` }))) return;
  }
}

/** Returns the places of a tree, those of few steps first. Places before a changed one stay as they are. */
function byDepth(tree: Tree): Place[] {
  return placesOf(tree).sort((a, b) => a.length - b.length);
}
