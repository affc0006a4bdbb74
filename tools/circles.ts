/**
 * Circles of imports: folders and single files that import each other, at each depth of a folder of sources. An import
 * between files of different folders is one between those folders where their ways part. Imports of types are gone at
 * run time, so they are counted apart.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

const IMPORT = /^(?:import|export)(?<type> type)?\b[^;]*?\bfrom "(?<path>\.[^"]+)";/gm;
const NOT_OURS = /(?:^|[\\/])(?:node_modules|dist)$/;

/** A circle: the folder that it lies in, from the sources on, empty for the sources themselves, and its members. */
export interface Circle {
  readonly folder: string;
  readonly rooms: readonly string[];
}

/** Returns the circles below a folder of sources; `imports`: of values alone, or of types too. */
export function circlesOf(source: string, imports: "values" | "types too"): Circle[] {
  const edges = new Map<string, Map<string, Set<string>>>();
  for (const name of globSync("**/*.ts", { cwd: source, exclude: (path) => NOT_OURS.test(path) })) {
    const file = join(source, name);
    for (const { groups } of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (groups?.type !== undefined && imports === "values") continue;
      const parting = partingOf(name, relative(source, resolve(dirname(file), groups?.path ?? "")));
      if (parting === undefined) continue;
      const { folder, from, to } = parting;
      const inFolder = edges.get(folder) ?? new Map<string, Set<string>>();
      edges.set(folder, inFolder.set(from, (inFolder.get(from) ?? new Set()).add(to)));
    }
  }
  return [...edges]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([folder, inFolder]) =>
      strongComponents(inFolder)
        .filter((rooms) => rooms.length > 1)
        .map((rooms) => ({ folder, rooms })),
    );
}

/** Returns where the ways to two files part; undefined for one file, and for one that lies outside of the sources. */
function partingOf(file: string, other: string): { folder: string; from: string; to: string } | undefined {
  const [from, to] = [file.split(sep), other.split(sep)];
  let depth = 0;
  while (depth < from.length && from[depth] === to[depth]) depth++;
  const [room, next] = [from[depth], to[depth]];
  if (room === undefined || next === undefined || next === "..") return undefined;
  return { folder: from.slice(0, depth).join("/"), from: room, to: next };
}

/** Returns the sets of folders that lead to each other (Tarjan). */
function strongComponents(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const seen = new Map<string, { readonly index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const components: string[][] = [];
  const visit = (room: string) => {
    const own = { index: seen.size, low: seen.size, isOpen: true };
    seen.set(room, own);
    open.push(room);
    for (const next of edges.get(room) ?? []) {
      const other = seen.get(next) ?? visit(next);
      if (other.isOpen) own.low = Math.min(own.low, other.low);
    }
    if (own.low === own.index) {
      const component = open.splice(open.indexOf(room));
      for (const each of component) {
        const member = seen.get(each);
        if (member !== undefined) member.isOpen = false;
      }
      components.push(component.sort());
    }
    return own;
  };
  for (const room of edges.keys()) if (!seen.has(room)) visit(room);
  return components;
}
