/**
 * The exports of the SDK's entries: their declarations as the compiler writes them, with their docstrings. A type that
 * is computed from a schema, or from a table, is written out as in the declarations of the package.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { PlainTypes } from "../../packages/sdk/declarations/plain-type.ts";
import { COMPUTED, OMITTING, Sources } from "../../packages/sdk/declarations/sources.ts";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));
const OWN = /\/packages\/(?:api|core|sdk|wasm)\/src\//;

export interface Entry {
  /** The specifier of the entry. */
  readonly name: string;
  readonly docstring: string;
  readonly exports: readonly Export[];
}

export interface Export {
  readonly name: string;
  /** The name of its declaration, if it is another one. */
  readonly declaredName: string;
  readonly kind: "class" | "function" | "value" | "type";
  /** Empty if it has none. */
  readonly docstring: string;
  /** The declaration, with the docstrings of its members. */
  readonly code: string;
  /** Methods and accessors without a docstring. */
  readonly undocumented: readonly string[];
}

/** The inputs for reading an export. */
interface Reading {
  readonly sources: Sources;
  readonly plainTypes: PlainTypes;
  /** The names of the exports. */
  readonly names: ReadonlyMap<ts.Symbol, string>;
}

/** Returns the entries of the package, in the order of its manifest, each with its exports by name. */
export function readEntries(): Entry[] {
  const manifest: { exports: Record<string, string> } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).map(([path, file]) => ({ path, file: join(SDK, file) }));
  const sources = new Sources(entries.map(({ file }) => file));
  const { checker } = sources;
  const modules = entries.map(({ path, file }) => {
    const source = sources.source(file);
    const module = checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`${file} could not be read`);
    return { path, source, symbols: checker.getExportsOfModule(module) };
  });
  const names = new Map<ts.Symbol, string>();
  for (const symbol of modules.flatMap(({ symbols }) => symbols)) {
    const meant = meantBy(checker, symbol);
    if (!names.has(meant)) names.set(meant, symbol.name);
  }
  const plainTypes = new PlainTypes(
    checker,
    (symbol) => nameIn(names, symbol, checker),
    (type) => sources.aliasOf(type),
  );
  return modules.map(({ path, source, symbols }) => {
    const exports = symbols.map((symbol) => readExport(symbol, { sources, plainTypes, names }));
    exports.sort((a, b) => (a.name < b.name ? -1 : 1));
    const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(source.text) ?? [];
    return { name: `@svc/sdk${path.slice(1)}`, docstring: textOf(comment), exports };
  });
}

function meantBy(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/**
 * Returns the name under which a type is written; null for a type without a section, which is written out unless it is
 * a brand.
 */
function nameIn(names: ReadonlyMap<ts.Symbol, string>, symbol: ts.Symbol, checker: ts.TypeChecker): string | null {
  const exported = names.get(symbol);
  if (exported !== undefined) return exported;
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
  const isOwn = OWN.test(file);
  const isBrand = isOwn && checker.getDeclaredTypeOfSymbol(symbol).isIntersection();
  return isBrand || !(isOwn || file.includes("/typebox/")) ? symbol.name : null;
}

function readExport(symbol: ts.Symbol, { sources, plainTypes, names }: Reading): Export {
  const { checker } = sources;
  const meant = meantBy(checker, symbol);
  // A type-only export is not the schema of the same name.
  const isType = symbol.declarations?.some(
    (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
  );
  const source = meant.declarations?.[0]?.getSourceFile();
  if (source === undefined) throw new Error(`${symbol.name} is declared nowhere`);
  const statements = sources
    .declarationsOf(source.fileName)
    .statements.filter((statement) => nameOf(statement) === meant.name);
  const types = statements.filter((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each));
  const shown = isType && types.length > 0 ? types : statements;
  const [first] = shown;
  if (first === undefined) throw new Error(`${symbol.name} is not in the declarations of ${source.fileName}`);
  const members = ts.isClassDeclaration(first) || ts.isInterfaceDeclaration(first) ? [...first.members] : [];
  const bases = basesOf(checker, meant).flatMap((base) => {
    const declared = names.has(base) ? undefined : base.declarations?.find(isOfMembers);
    if (declared === undefined || !OWN.test(declared.getSourceFile().fileName)) return [];
    return sources
      .declarationsOf(declared.getSourceFile().fileName)
      .statements.filter((each) => nameOf(each) === base.name);
  });
  const promised = membersOfInterfaces(checker, meant);
  return {
    name: symbol.name,
    declaredName: names.get(meant) ?? meant.name,
    kind: kindOf(first),
    // A type and its schema share the docstring above the schema.
    docstring: meant.declarations?.map(docstringOf).find((text) => text !== "") ?? "",
    code: isComputed(first, source, names, checker)
      ? plainTypes.declaration(symbol.name, checker.getDeclaredTypeOfSymbol(meant))
      : [...shown, ...bases.filter(isOfMembers)].map(codeOf).join("\n"),
    undocumented: members
      .filter((member) => isShown(member) && isCalled(member) && docstringOf(member) === "")
      .filter((member) => !promised.has(member.name?.getText() ?? ""))
      .map((member) => `${symbol.name}.${member.name?.getText() ?? "constructor"}`),
  };
}

/**
 * Says whether a type says too little by itself: stated by a schema, by its omissions, or by a table without a section.
 */
function isComputed(
  statement: ts.Statement,
  source: ts.SourceFile,
  names: ReadonlyMap<ts.Symbol, string>,
  checker: ts.TypeChecker,
): boolean {
  if (ts.isInterfaceDeclaration(statement)) return OMITTING.test(statement.heritageClauses?.[0]?.getText() ?? "");
  const computed = ts.isTypeAliasDeclaration(statement) ? COMPUTED.exec(statement.type.getText()) : null;
  if (computed === null) return false;
  const table = computed.groups?.names ?? computed.groups?.items;
  const named = checker.getSymbolsInScope(source, ts.SymbolFlags.Value).find(({ name }) => name === table);
  return named === undefined || !names.has(checker.getExportSymbolOfSymbol(named));
}

/** Returns the types that the interfaces of a symbol extend, and those to which its aliases add members. */
function basesOf(checker: ts.TypeChecker, { declarations = [] }: ts.Symbol): ts.Symbol[] {
  const clauses = declarations.filter(ts.isInterfaceDeclaration).flatMap(({ heritageClauses = [] }) => heritageClauses);
  const extended = clauses.flatMap(({ types }) => types).map(({ expression }) => expression);
  const parts = declarations
    .filter(ts.isTypeAliasDeclaration)
    .flatMap(({ type }) => (ts.isIntersectionTypeNode(type) ? type.types.filter(ts.isTypeReferenceNode) : []))
    .map(({ typeName }) => typeName);
  return [...extended, ...parts].flatMap((name) => {
    const symbol = checker.getSymbolAtLocation(name);
    return symbol === undefined ? [] : meantBy(checker, symbol);
  });
}

function isOfMembers(node: ts.Node): node is ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

/**
 * Returns the names of the members that a class has because it implements an interface, whose docstrings describe them.
 */
function membersOfInterfaces(checker: ts.TypeChecker, { declarations = [] }: ts.Symbol): Set<string> {
  const clauses = declarations.filter(ts.isClassDeclaration).flatMap(({ heritageClauses = [] }) => heritageClauses);
  const interfaces = clauses
    .filter(({ token }) => token === ts.SyntaxKind.ImplementsKeyword)
    .flatMap(({ types }) => types.map((type) => checker.getTypeAtLocation(type)));
  const members = interfaces.flatMap((type) => checker.getPropertiesOfType(type).map(({ name }) => name));
  return new Set(members.map((name) => (name.startsWith("__@asyncIterator") ? "[Symbol.asyncIterator]" : name)));
}

function nameOf(statement: ts.Statement): string | undefined {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]?.name.getText();
  return (statement as ts.Statement & { readonly name?: ts.Node }).name?.getText();
}

function kindOf(statement: ts.Statement): Export["kind"] {
  if (ts.isClassDeclaration(statement)) return "class";
  if (ts.isFunctionDeclaration(statement)) return "function";
  return ts.isVariableStatement(statement) ? "value" : "type";
}

/** Says whether a member is there for users. */
function isShown(member: ts.ClassElement | ts.TypeElement): boolean {
  const isHidden =
    ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  const isInternal = ts.getJSDocTags(member).some(({ tagName }) => tagName.text === "internal");
  return !isHidden && !isInternal && !(member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

function isCalled(member: ts.Node): boolean {
  return ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isAccessor(member);
}

/** Returns a declaration without its own docstring and its internal members. */
function codeOf(statement: ts.Statement): string {
  const hidden = ts.isClassDeclaration(statement) ? statement.members.filter((member) => !isShown(member)) : [];
  const text = statement.getSourceFile().text;
  let code = "";
  let at = statement.getStart();
  for (const member of hidden) {
    code += text.slice(at, member.getFullStart());
    at = member.end;
  }
  return (code + text.slice(at, statement.end)).replace(/^export /, "").replace(/^declare /, "");
}

function docstringOf(node: ts.Node): string {
  // The first comment of a file is about the file.
  const [comment] = ts
    .getJSDocCommentsAndTags(node)
    .filter((each) => ts.isJSDoc(each) && each.pos > 0)
    .slice(-1);
  return comment === undefined ? "" : textOf(comment.getText().slice("/**".length, -"*/".length));
}

/** Returns the text of a comment, without its marks. */
function textOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}
