/**
 * The sources of the SDK as the compiler reads them: the declarations of each file, and the types that only the checker
 * knows. The server is left unread: no declaration names a type of it, and its imports need not be installed. Nothing
 * is checked here: `pnpm types` checks the sources.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const packages = fileURLToPath(new URL("../..", import.meta.url));
/** The packages whose schemas have types. */
const HAS_SCHEMAS = ["core", "api"];
const UNREAD = /^@svc\/server\b/;
/** The right side of a type that is computed from a schema, or from the names in a table. */
export const COMPUTED = /^(?:Type\.Static<|keyof typeof (?<names>\w+)|\(typeof (?<items>\w+)\)\[number\])/;

/** The base of an interface that omits members of another type. */
export const OMITTING = /^extends Omit</;

/**
 * The compiler's own signature for editors, which its public interface hides: without that parameter it checks each
 * file before it declares it.
 */
type Emit = (...given: [...Parameters<ts.Program["emit"]>, withoutChecking: boolean]) => ts.EmitResult;

export class Sources {
  readonly checker: ts.TypeChecker;
  readonly #program: ts.Program;
  readonly #declared = new Map<string, ts.SourceFile>();
  #aliases: ReadonlyMap<string, readonly { readonly alias: ts.Symbol; readonly type: ts.Type }[]> | null = null;

  /** `files`: absolute paths of the entries. */
  constructor(files: readonly string[]) {
    const { config } = ts.readConfigFile(
      fileURLToPath(new URL("../tsconfig.build.json", import.meta.url)),
      ts.sys.readFile,
    );
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(packages, "sdk"));
    const host = ts.createCompilerHost(options);
    host.resolveModuleNameLiterals = (literals, file, _redirect, given, { impliedNodeFormat }) =>
      literals.map(({ text }) =>
        UNREAD.test(text)
          ? { resolvedModule: undefined }
          : ts.resolveModuleName(text, file, given, host, undefined, undefined, impliedNodeFormat),
      );
    // These are roots, because the compiler declares nothing for files that it only finds as imports from another
    // package.
    this.#program = ts.createProgram([...files, ...["wasm", "core", "api"].flatMap(entriesOf)], options, host);
    this.checker = this.#program.getTypeChecker();
  }

  /** Returns the declarations of a file, as the compiler writes them. */
  declarationsOf(file: string): ts.SourceFile {
    const known = this.#declared.get(file);
    if (known !== undefined) return known;
    let text = "";
    const write: ts.WriteFileCallback = (_path, declaration) => {
      text = declaration;
    };
    const emit: Emit = this.#program.emit;
    emit(this.source(file), write, undefined, true, undefined, true);
    const declared = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    this.#declared.set(file, declared);
    return declared;
  }

  source(file: string): ts.SourceFile {
    const source = this.#program.getSourceFile(file);
    if (source === undefined) throw new Error(`${file} is no source of the SDK`);
    return source;
  }

  /** Returns the alias of a computed type, and of every type with the same members; null without one. */
  aliasOf(type: ts.Type): ts.Symbol | null {
    this.#aliases ??= this.#readAliases();
    const same = this.#aliases
      .get(this.#membersOf(type))
      ?.find(
        (each) => this.checker.isTypeAssignableTo(each.type, type) && this.checker.isTypeAssignableTo(type, each.type),
      );
    return same?.alias ?? null;
  }

  #readAliases() {
    const aliases = new Map<string, { readonly alias: ts.Symbol; readonly type: ts.Type }[]>();
    for (const source of this.#program.getSourceFiles()) {
      if (!HAS_SCHEMAS.some((name) => source.fileName.startsWith(join(packages, name)))) continue;
      for (const statement of source.statements) {
        if (!ts.isTypeAliasDeclaration(statement) || !COMPUTED.test(statement.type.getText())) continue;
        const alias = this.checker.getSymbolAtLocation(statement.name);
        const type = this.checker.getTypeAtLocation(statement.name);
        const members = this.#membersOf(type);
        if (alias !== undefined) aliases.set(members, [...(aliases.get(members) ?? []), { alias, type }]);
      }
    }
    return aliases;
  }

  #membersOf(type: ts.Type): string {
    const members = this.checker.getPropertiesOfType(type);
    // The compiler orders them by first use.
    return members
      .map(({ name, flags }) => (flags & ts.SymbolFlags.Optional ? `${name}?` : name))
      .sort()
      .join();
  }

  /** Returns the file that a specifier names; null for another package's. */
  resolve(specifier: string, from: string): string | null {
    if (specifier.startsWith(".")) return join(dirname(from), specifier);
    const [, name, path = ""] = /^@svc\/(\w+)(\/.*)?$/.exec(specifier) ?? [];
    if (name === undefined) return null;
    return join(packages, name, exportsOf(name)[`.${path}`] ?? "");
  }
}

function entriesOf(name: string): string[] {
  return Object.values(exportsOf(name))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(packages, name, file));
}

function exportsOf(name: string): Record<string, string> {
  return JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")).exports;
}
