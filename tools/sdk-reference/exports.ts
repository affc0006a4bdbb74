/**
 * What the entries of the SDK export: the declarations as the compiler states them, with their docstrings. The compiler is one of this package's
 * own, since that of the workspace has no interface for programs.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const SDK = fileURLToPath(new URL("../../packages/sdk", import.meta.url));
/** Packages that the SDK hands on parts of. */
/** Every entry of the packages behind the SDK. */
const INSIDE = ["wasm", "core"].flatMap((name) => {
  const folder = fileURLToPath(new URL(`../../packages/${name}`, import.meta.url));
  const manifest: { exports: Record<string, string> } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const sources = Object.values(manifest.exports).filter((file) => file.endsWith(".ts"));
  return sources.map((file) => join(folder, file));
});
const CONFIG = fileURLToPath(new URL("tsconfig.json", import.meta.url));
/** A type that is stated as the shape of a schema says nothing by itself. */
const STATED_BY_SCHEMA = /^type \w+ = Type\.Static</;
/** Longer types of members are shortened to the names of their own members. */
const MAX_MEMBER_TYPE_CHARACTERS = 100;

export interface Entry {
  /** What one imports from. */
  readonly name: string;
  readonly docstring: string;
  readonly exports: readonly Export[];
}

export interface Export {
  readonly name: string;
  /** The name under which it is declared, where that is another one. */
  readonly declaredName: string;
  readonly kind: "class" | "function" | "value" | "type";
  /** Empty where it has none. */
  readonly docstring: string;
  /** The declaration, with the docstrings of its members. */
  readonly code: string;
  /** Methods and accessors without a docstring. */
  readonly undocumented: readonly string[];
}

/** The entries of the package, in the order of its manifest, each with what it exports by name. */
export function readEntries(): Entry[] {
  const manifest: { exports: Record<string, string> } = JSON.parse(readFileSync(join(SDK, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports).map(([path, file]) => ({ path, file: join(SDK, file) }));
  const { config } = ts.readConfigFile(CONFIG, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(CONFIG));
  // Named first, since the compiler declares nothing of what it only finds as an import from another package.
  const program = ts.createProgram([...INSIDE, ...entries.map(({ file }) => file)], options);
  const checker = program.getTypeChecker();
  const declared = new Map<ts.SourceFile, ts.SourceFile>();
  const declarationsOf = (source: ts.SourceFile) => {
    const known = declared.get(source) ?? emitted(program, source);
    declared.set(source, known);
    return known;
  };
  const modules = entries.map(({ path, file }) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (source === undefined || module === undefined) throw new Error(`${file} could not be read`);
    return { path, source, symbols: checker.getExportsOfModule(module) };
  });
  const exported = new Set(modules.flatMap(({ symbols }) => symbols.map(({ name }) => name)));
  return modules.map(({ path, source, symbols }) => {
    const exports = symbols.map((symbol) => readExport(checker, symbol, exported, declarationsOf));
    exports.sort((a, b) => (a.name < b.name ? -1 : 1));
    const [, comment = ""] = /^\/\*\*(.*?)\*\//s.exec(source.text) ?? [];
    return { name: `@svc/sdk${path.slice(1)}`, docstring: textOf(comment), exports };
  });
}

/** The declaration file of a source file. */
function emitted(program: ts.Program, source: ts.SourceFile): ts.SourceFile {
  let text = "";
  const write = (_path: string, declaration: string) => {
    text = declaration;
  };
  program.emit(source, write, undefined, true);
  return ts.createSourceFile(source.fileName, text, ts.ScriptTarget.Latest, true);
}

function readExport(
  checker: ts.TypeChecker,
  symbol: ts.Symbol,
  exported: ReadonlySet<string>,
  declarationsOf: (source: ts.SourceFile) => ts.SourceFile,
): Export {
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  // What is exported as a type only is not the schema that has its name.
  const isType = symbol.declarations?.some(
    (each) => ts.isExportSpecifier(each) && (each.isTypeOnly || each.parent.parent.isTypeOnly),
  );
  const source = meant.declarations?.[0]?.getSourceFile();
  if (source === undefined) throw new Error(`${symbol.name} is declared nowhere`);
  const statements = declarationsOf(source).statements.filter((statement) => nameOf(statement) === meant.name);
  const types = statements.filter((each) => ts.isTypeAliasDeclaration(each) || ts.isInterfaceDeclaration(each));
  const shown = isType && types.length > 0 ? types : statements;
  const [first] = shown;
  if (first === undefined) throw new Error(`${symbol.name} is not in the declarations of ${source.fileName}`);
  const members = ts.isClassDeclaration(first) || ts.isInterfaceDeclaration(first) ? [...first.members] : [];
  const bases = basesOf(checker, meant).flatMap((base) => {
    const declared = exported.has(base.name) ? undefined : base.declarations?.find(ts.isInterfaceDeclaration);
    if (declared === undefined || !declared.getSourceFile().fileName.includes("/packages/")) return [];
    return declarationsOf(declared.getSourceFile()).statements.filter((each) => nameOf(each) === base.name);
  });
  const code = [...shown, ...bases.filter(ts.isInterfaceDeclaration)].map(codeOf).join("\n");
  const promised = membersOfInterfaces(checker, meant);
  return {
    name: symbol.name,
    declaredName: meant.name,
    kind: kindOf(first),
    // A type and its schema share a docstring, which stands above the schema.
    docstring: meant.declarations?.map(docstringOf).find((text) => text !== "") ?? "",
    code: STATED_BY_SCHEMA.test(code) ? membersOf(checker, meant, symbol.name) : code,
    undocumented: members
      .filter((member) => isShown(member) && isCalled(member) && docstringOf(member) === "")
      .filter((member) => !promised.has(member.name?.getText() ?? ""))
      .map((member) => `${symbol.name}.${member.name?.getText() ?? "constructor"}`),
  };
}

/** What the interfaces of a symbol extend, also in `Omit` and its like. */
function basesOf(checker: ts.TypeChecker, { declarations = [] }: ts.Symbol): ts.Symbol[] {
  const clauses = declarations.filter(ts.isInterfaceDeclaration).flatMap(({ heritageClauses = [] }) => heritageClauses);
  const named = clauses
    .flatMap(({ types }) => types)
    .flatMap(({ expression, typeArguments = [] }) => [
      expression,
      ...typeArguments.flatMap((type) => (ts.isTypeReferenceNode(type) ? type.typeName : [])),
    ]);
  return named.flatMap((name) => {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol === undefined) return [];
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  });
}

/** Names of the members that a class has since it implements an interface, whose docstrings say what they do. */
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

/** Whether a member is there for users. */
function isShown(member: ts.ClassElement | ts.TypeElement): boolean {
  const isHidden =
    ts.canHaveModifiers(member) && member.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
  return !isHidden && !(member.name !== undefined && ts.isPrivateIdentifier(member.name));
}

function isCalled(member: ts.Node): boolean {
  return ts.isMethodDeclaration(member) || ts.isMethodSignature(member) || ts.isAccessor(member);
}

/** A declaration without its own docstring and without what is not for users. */
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

/** The members of a type, one a line. */
function membersOf(checker: ts.TypeChecker, symbol: ts.Symbol, name: string): string {
  const flags = ts.TypeFormatFlags.NoTruncation;
  const stated = (type: ts.Type): string => {
    const text = checker.typeToString(type, undefined, flags).replace(/;? \}/g, " }");
    if (text.length <= MAX_MEMBER_TYPE_CHARACTERS) return text;
    const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
    if (item !== undefined) return `readonly ${stated(item)}[]`;
    return `{ ${checker
      .getPropertiesOfType(type)
      .map((each) => each.name)
      .join(", ")} }`;
  };
  const lines = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).map((property) => {
    const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const type = checker.getNonNullableType(checker.getTypeOfSymbol(property));
    const mayBeNull = checker.typeToString(checker.getTypeOfSymbol(property)).includes("| null");
    const key = /^\w+$/.test(property.name) ? property.name : JSON.stringify(property.name);
    return `    readonly ${key}${isOptional ? "?" : ""}: ${stated(type)}${mayBeNull ? " | null" : ""};`;
  });
  return `interface ${name} {\n${lines.join("\n")}\n}`;
}

function docstringOf(node: ts.Node): string {
  // What a file begins with is about the file.
  const [comment] = ts
    .getJSDocCommentsAndTags(node)
    .filter((each) => ts.isJSDoc(each) && each.pos > 0)
    .slice(-1);
  return comment === undefined ? "" : textOf(comment.getText().slice("/**".length, -"*/".length));
}

/** The text of a comment, without what only makes it one. */
function textOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}
