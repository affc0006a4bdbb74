/** The meaning of names in a declaration file: its own declarations, its imports, and its exports. */
import ts from "typescript";
import type { Sources } from "./sources.ts";

/** A declaration at the top of a file. */
export interface Meant {
  readonly file: string;
  readonly name: string;
  /** Exported as a type only: without its value. */
  readonly isTypeOnly: boolean;
}

interface Alias {
  readonly from: string;
  readonly name: string;
  readonly isTypeOnly: boolean;
}

export class Scope {
  readonly #sources: Sources;
  readonly #file: string;
  /** Statements by the name that they declare. */
  readonly declared = new Map<string, ts.Statement[]>();
  readonly #imported = new Map<string, Alias>();
  /** Files by the name under which all their exports were imported. */
  readonly #spaces = new Map<string, string>();
  readonly #exported = new Map<string, Alias>();
  readonly #stars: Omit<Alias, "name">[] = [];

  constructor(sources: Sources, file: string) {
    this.#sources = sources;
    this.#file = file;
    for (const statement of sources.declarationsOf(file).statements) this.#take(statement);
  }

  #take(statement: ts.Statement): void {
    if (ts.isImportDeclaration(statement)) this.#takeImport(statement);
    else if (ts.isExportDeclaration(statement)) this.#takeExport(statement);
    else {
      const name = nameOf(statement);
      if (name === undefined) return;
      this.declared.set(name, [...(this.declared.get(name) ?? []), statement]);
      const isExported = ts.canHaveModifiers(statement) && statement.modifiers?.some(({ kind }) => kind === EXPORT);
      if (isExported) this.#exported.set(name, { from: this.#file, name, isTypeOnly: false });
    }
  }

  #takeImport({ importClause, moduleSpecifier }: ts.ImportDeclaration): void {
    const bindings = importClause?.namedBindings;
    if (bindings === undefined) return;
    const from = this.#target(moduleSpecifier);
    if (ts.isNamespaceImport(bindings)) {
      this.#spaces.set(bindings.name.text, from);
      return;
    }
    for (const { name, propertyName = name } of bindings.elements)
      this.#imported.set(name.text, { from, name: propertyName.text, isTypeOnly: false });
  }

  #takeExport({ exportClause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration): void {
    const from = moduleSpecifier === undefined ? this.#file : this.#target(moduleSpecifier);
    if (exportClause === undefined) this.#stars.push({ from, isTypeOnly });
    else if (ts.isNamedExports(exportClause))
      for (const { name, propertyName = name, isTypeOnly: isType } of exportClause.elements)
        this.#exported.set(name.text, { from, name: propertyName.text, isTypeOnly: isTypeOnly || isType });
  }

  #target(specifier: ts.Expression): string {
    const { text } = specifier as ts.StringLiteral;
    return this.#sources.resolve(text, this.#file) ?? text;
  }

  /**
   * Returns the meaning of a name in this file, in two parts for a member of an imported namespace; null for a global
   * name.
   */
  lookUp(name: string, scopeOf: (file: string) => Scope): Meant | null {
    const [space, member] = name.split(".");
    const from = this.#spaces.get(space ?? "");
    if (from !== undefined && member !== undefined) return scopeOf(from).exported(member, scopeOf);
    if (this.declared.has(name)) return { file: this.#file, name, isTypeOnly: false };
    const alias = this.#imported.get(name);
    return alias === undefined ? null : follow(alias, this.#file, scopeOf);
  }

  /** Returns all exports, by name. */
  exports(scopeOf: (file: string) => Scope): Map<string, Meant> {
    const all = new Map<string, Meant>();
    for (const { from, isTypeOnly } of this.#stars)
      for (const [name, meant] of scopeOf(from).exports(scopeOf))
        all.set(name, { ...meant, isTypeOnly: meant.isTypeOnly || isTypeOnly });
    for (const [name, alias] of this.#exported) all.set(name, follow(alias, this.#file, scopeOf));
    return all;
  }

  /** Returns the meaning of an export. */
  exported(name: string, scopeOf: (file: string) => Scope): Meant | null {
    return this.exports(scopeOf).get(name) ?? null;
  }
}

const EXPORT = ts.SyntaxKind.ExportKeyword;

function follow({ from, name, isTypeOnly }: Alias, file: string, scopeOf: (file: string) => Scope): Meant {
  if (!from.startsWith("/")) throw new Error(`${file}: ${name} is of ${from}, and a declaration must need no package`);
  const scope = scopeOf(from);
  const meant = from === file ? scope.lookUp(name, scopeOf) : scope.exported(name, scopeOf);
  if (meant === null) throw new Error(`${file}: ${from} has no ${name}`);
  return { ...meant, isTypeOnly: meant.isTypeOnly || isTypeOnly };
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText();
  return (statement as ts.Statement & { readonly name?: ts.Node }).name?.getText();
}
