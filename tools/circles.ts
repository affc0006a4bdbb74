/**
 * Circles of imports: in a package, folders and single files of its sources that import each other's values. Imports of
 * types do not count: they are gone at run time.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const IMPORT = /^(?:import|export)(?<type> type)?\b[^;]*?\bfrom "(?<path>\.[^"]+)";/gm;

/** Returns each circle as the names of its folders and files; empty if all imports point one way. */
export function circlesOf(source: string): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const name of readdirSync(source, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".ts")) continue;
    const file = join(source, name);
    for (const { groups } of readFileSync(file, "utf8").matchAll(IMPORT)) {
      if (groups?.type !== undefined) continue;
      const [from, to] = [roomOf(source, file), roomOf(source, resolve(dirname(file), groups?.path ?? ""))];
      if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
    }
  }
  return strongComponents(edges).filter((rooms) => rooms.length > 1);
}

/** Returns the folder of a file, or the file itself if it is in none. */
function roomOf(source: string, file: string): string {
  return relative(source, file).split("/")[0] ?? "";
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
