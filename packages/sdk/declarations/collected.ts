/** The declarations of one entry: its exports, and everything that they name, each once and under a different name. */
import ts from "typescript";
import { PlainTypes } from "./plain-type.ts";
import type { Meant, Scope } from "./scope.ts";
import { COMPUTED, OMITTING, type Sources } from "./sources.ts";

const OWN = /\/packages\/(api|core|sdk|wasm)\/src\//;

export class Collected {
  readonly #sources: Sources;
  readonly #scopeOf: (file: string) => Scope;
  /** The entry whose exports are imported and not declared again. */
  readonly #main: Collected | null;
  readonly #plainTypes: PlainTypes;
  /** The names of the declarations in this entry, by place. */
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #waiting: { readonly meant: Meant; readonly name: string }[] = [];
  /** The exports, by place. */
  readonly #exported = new Map<string, string>();
  /** The imports from the main entry. */
  readonly #imports = new Set<string>();

  constructor(sources: Sources, scopeOf: (file: string) => Scope, main: Collected | null) {
    this.#sources = sources;
    this.#scopeOf = scopeOf;
    this.#main = main;
    const nameOf = (symbol: ts.Symbol) => this.#nameOfType(symbol);
    this.#plainTypes = new PlainTypes(sources.checker, nameOf, (type) => sources.aliasOf(type));
  }

  /** Returns the declaration file. `main`: the specifier of the main entry. */
  text(exports: ReadonlyMap<string, Meant>, main: string): string {
    const own: string[] = [];
    const handedOn: string[] = [];
    for (const [name, meant] of exports)
      if (!this.#exported.has(placeOf(meant))) this.#exported.set(placeOf(meant), name);
    for (const name of [...exports.keys()].sort()) {
      const meant = exports.get(name) as Meant;
      const there = this.#main?.exportedAs(meant);
      if (there === undefined) this.#nameOf(meant);
      const [list, local] = there === undefined ? [own, this.#nameOf(meant)] : [handedOn, there];
      list.push(`${meant.isTypeOnly ? "type " : ""}${local === name ? name : `${local} as ${name}`}`);
    }
    const declarations: string[] = [];
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
      declarations.push(this.#declaration(next.meant, next.name));
    const lines = [
      ...(this.#imports.size > 0 ? [`import type { ${[...this.#imports].sort().join(", ")} } from "${main}";`] : []),
      ...declarations,
      ...(handedOn.length > 0 ? [`export { ${handedOn.join(", ")} } from "${main}";`] : []),
      ...(own.length > 0 ? [`export { ${own.join(", ")} };`] : []),
    ];
    return `${lines.join("\n")}\n`;
  }

  exportedAs(meant: Meant): string | undefined {
    return this.#exported.get(placeOf(meant));
  }

  /** Returns the name of a declaration in this entry, and declares it on first use. */
  #nameOf(meant: Meant): string {
    const place = placeOf(meant);
    const there = this.#main?.exportedAs(meant);
    if (there !== undefined) {
      this.#imports.add(there);
      return there;
    }
    const known = this.#names.get(place);
    if (known !== undefined) return known;
    const wanted = this.#exported.get(place) ?? meant.name;
    const isFree = (name: string) =>
      !this.#taken.has(name) && (this.#exported.has(place) || ![...this.#exported.values()].includes(name));
    let name = wanted;
    for (let count = 2; !isFree(name); count++) name = `${wanted}${count}`;
    this.#names.set(place, name);
    this.#taken.add(name);
    this.#waiting.push({ meant, name });
    return name;
  }

  #declaration(meant: Meant, name: string): string {
    const statements = this.#scopeOf(meant.file).declared.get(meant.name) ?? [];
    const types = statements.filter((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each));
    // A type and its schema have one name; the schema stays inside, and has their docstring. The same holds for a
    // table.
    const [type] = types;
    if (type !== undefined && ts.isTypeAliasDeclaration(type) && this.#isComputed(type, meant.file))
      return (statements.map(docstringOf).find((text) => text !== "") ?? "") + this.#plain(meant, name);
    // A type that omits members of another type would name their types all the same.
    if (
      types.some((each) => ts.isInterfaceDeclaration(each) && OMITTING.test(each.heritageClauses?.[0]?.getText() ?? ""))
    )
      return docstringOf(types[0] as ts.Statement) + this.#plain(meant, name);
    return (types.length > 0 ? types : statements)
      .map((each) => docstringOf(each) + this.#linked(each, meant, name))
      .join("\n");
  }

  /** Says whether a type is written out. It may name other exports, such as a table of codes. */
  #isComputed({ type }: ts.TypeAliasDeclaration, file: string): boolean {
    const computed = COMPUTED.exec(type.getText());
    const { names, items } = computed?.groups ?? {};
    const table = this.#scopeOf(file).lookUp(names ?? items ?? "", this.#scopeOf);
    return computed !== null && !(table !== null && this.#exported.has(placeOf(table)));
  }

  #plain({ file, name: declared }: Meant, name: string): string {
    const { checker } = this.#sources;
    const alias = this.#sources
      .source(file)
      .statements.filter((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each))
      .find((each) => each.name.text === declared) as ts.TypeAliasDeclaration | ts.InterfaceDeclaration;
    return this.#plainTypes.declaration(name, checker.getTypeAtLocation(alias.name));
  }

  /** Returns the name of a type that is declared at the top of a file; null for a part of another type. */
  #nameOfType(symbol: ts.Symbol): string | null {
    const declared = symbol.declarations?.find(
      (each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each),
    );
    const file = declared?.getSourceFile().fileName;
    if (file === undefined || declared?.parent.kind !== ts.SyntaxKind.SourceFile) return null;
    if (OWN.test(file)) return this.#nameOf({ file, name: symbol.name, isTypeOnly: true });
    return file.includes("/typebox/") ? null : symbol.name;
  }

  /** Returns the text of a statement, with the names of this entry. */
  #linked(statement: ts.Statement, { file }: Meant, name: string): string {
    const text = statement.getSourceFile().text;
    const changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
    const parameters = new Set<string>();
    const rename = (node: ts.EntityName) => {
      const text = node.getText();
      if (parameters.has(text)) return;
      const meant = this.#scopeOf(file).lookUp(text, this.#scopeOf);
      if (meant !== null) changes.push({ from: node.getStart(), to: node.end, text: this.#nameOf(meant) });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isClassElement(node) && isInternal(node)) {
        const kept = ts.isConstructorDeclaration(node) ? "\n    private constructor();" : "";
        changes.push({ from: node.getFullStart(), to: node.end, text: kept });
        return;
      }
      if (ts.isImportTypeNode(node)) changes.push(this.#importType(node, file));
      else if (ts.isTypeReferenceNode(node)) rename(node.typeName);
      else if (ts.isTypeQueryNode(node) && !ts.isImportTypeNode(node.exprName)) rename(node.exprName);
      else if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) rename(node.expression);
      else if (ts.isComputedPropertyName(node) && ts.isIdentifier(node.expression)) rename(node.expression);
      ts.forEachChild(node, visit);
    };
    // Parameters are noted before the code that uses them.
    const noteParameters = (node: ts.Node): void => {
      if (ts.isTypeParameterDeclaration(node)) parameters.add(node.name.text);
      ts.forEachChild(node, noteParameters);
    };
    noteParameters(statement);
    visit(statement);
    const own = ts.isVariableStatement(statement)
      ? statement.declarationList.declarations[0]?.name
      : (statement as ts.Statement & { readonly name?: ts.Node }).name;
    if (own !== undefined && own.getText() !== name) changes.push({ from: own.getStart(), to: own.end, text: name });
    let linked = "";
    let at = statement.getStart();
    for (const change of changes.sort((a, b) => a.from - b.from)) {
      linked += text.slice(at, change.from) + change.text;
      at = change.to;
    }
    linked += text.slice(at, statement.end);
    return linked.replace(/^export (default )?/, "").replace(/^(?!declare|type|interface)/, "declare ");
  }

  #importType(node: ts.ImportTypeNode, file: string) {
    const specifier = ((node.argument as ts.LiteralTypeNode).literal as ts.StringLiteral).text;
    const from = this.#sources.resolve(specifier, file);
    const wanted = node.qualifier?.getText() ?? "";
    const meant = from === null ? null : this.#scopeOf(from).exported(wanted, this.#scopeOf);
    if (meant === null) throw new Error(`${file}: ${specifier} has no ${wanted}, or is another package`);
    return { from: node.getStart(), to: node.qualifier?.end ?? node.end, text: this.#nameOf(meant) };
  }
}

function placeOf({ file, name }: Meant): string {
  return `${file}#${name}`;
}

function isInternal(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
}

/** Returns the docstring above a statement, with a line end; the first docstring of a file is about the file. */
function docstringOf(node: ts.Node): string {
  const comment = ts
    .getJSDocCommentsAndTags(node)
    .filter((each) => ts.isJSDoc(each) && each.pos > 0)
    .at(-1);
  return comment === undefined ? "" : `${comment.getText()}\n`;
}
