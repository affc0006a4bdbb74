/**
 * The declarations of the package, for users without its sources: one file for each entry. The main entry's file
 * declares everything that it exports, and everything that its declarations name. Other entries re-export parts of it,
 * so that a class is the same class in each, and declare the rest.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Collected } from "./collected.ts";
import { Scope } from "./scope.ts";
import { Sources } from "./sources.ts";

/** The source of each entry, as an absolute path, by the file name of its declarations. */
export type EntrySources = Readonly<Record<string, string>>;

/**
 * Writes `<entry>.d.ts` for each entry into a folder. The first entry is the main one. Throws for a declaration that
 * would need another package.
 */
export function writeDeclarations(entries: EntrySources, into: string): void {
  const sources = new Sources(Object.values(entries));
  const scopes = new Map<string, Scope>();
  const scopeOf = (file: string): Scope => {
    const scope = scopes.get(file) ?? new Scope(sources, file);
    scopes.set(file, scope);
    return scope;
  };
  mkdirSync(into, { recursive: true });
  let main: { readonly name: string; readonly collected: Collected } | null = null;
  for (const [name, file] of Object.entries(entries)) {
    const collected = new Collected(sources, scopeOf, main?.collected ?? null);
    const exports = scopeOf(file).exports(scopeOf);
    writeFileSync(join(into, `${name}.d.ts`), collected.text(exports, main === null ? "" : `./${main.name}.js`));
    main ??= { name, collected };
  }
}
