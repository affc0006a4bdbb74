/**
 * Writes out a type that is computed from a schema, so that no program has to compute it again or needs the schema
 * library.
 */
import ts from "typescript";

const NAME = /^\w+$/;

/** Writes types. */
export class PlainTypes {
  readonly #checker: ts.TypeChecker;
  readonly #nameOf: (symbol: ts.Symbol) => string | null;
  readonly #named: (type: ts.Type) => ts.Symbol | null;

  /**
   * `nameOf` returns the name of a declared type, or null if the type has no name here. `named` returns the alias of an
   * object or a union that is nothing but an aliased type, even if the compiler computed it anew as a part of another.
   */
  constructor(
    checker: ts.TypeChecker,
    nameOf: (symbol: ts.Symbol) => string | null,
    named: (type: ts.Type) => ts.Symbol | null,
  ) {
    this.#checker = checker;
    this.#nameOf = nameOf;
    this.#named = named;
  }

  /**
   * Declares an alias, because wire types must be assignable to Json, and interfaces are not. An interface in the
   * sources stays one.
   */
  declaration(name: string, type: ts.Type): string {
    const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !this.#isList(type);
    if (isObject && type.isClassOrInterface()) return `interface ${name} ${this.#members(type, "")}`;
    // With its name it would be declared as itself.
    const text = isObject ? this.#members(type, "") : type.isUnion() ? this.#union(type, "") : this.#text(type, "");
    return `type ${name} = ${text};`;
  }

  #text(type: ts.Type, indent: string): string {
    const { flags } = type;
    const named = type.aliasSymbol && this.#nameOf(type.aliasSymbol);
    if (named) return named + this.#arguments(type.aliasTypeArguments, indent);
    if (type.isUnion()) return this.#nameOfWords(type) ?? this.#union(type, indent);
    if (type.isIntersection()) return type.types.map((part) => this.#text(part, indent)).join(" & ");
    if ((flags & ts.TypeFlags.Object) === 0) return this.#checker.typeToString(type);
    if (this.#isList(type)) return this.#list(type as ts.TypeReference, indent);
    if (type.getCallSignatures().length > 0) throw new Error(`a function is no plain type: ${type.symbol.name}`);
    const declared = type.symbol && this.#nameOf(type.symbol);
    if (declared) return declared + this.#arguments(this.#checker.getTypeArguments(type as ts.TypeReference), indent);
    const part = this.#named(type);
    return (part && this.#nameOf(part)) ?? this.#members(type, indent);
  }

  /** Returns the name of a union of words; the compiler drops that name inside another type. */
  #nameOfWords(type: ts.UnionType): string | null {
    const part = type.types.every((each) => each.isStringLiteral()) ? this.#named(type) : null;
    return part && this.#nameOf(part);
  }

  #union({ types }: ts.UnionType, indent: string): string {
    const texts = types.map((part) => {
      const text = this.#text(part, indent);
      return part.isIntersection() && !NAME.test(text) ? `(${text})` : text;
    });
    const whole = texts.includes("true") && texts.includes("false");
    const others = whole ? [...texts.filter((text) => text !== "true" && text !== "false"), "boolean"] : texts;
    // The compiler orders a union by first use. Null comes last, for readers.
    return others.sort((a, b) => Number(a === "null") - Number(b === "null") || (a < b ? -1 : 1)).join(" | ");
  }

  #isList(type: ts.Type): boolean {
    return this.#checker.isArrayType(type) || this.#checker.isTupleType(type);
  }

  #list(type: ts.TypeReference, indent: string): string {
    const items = this.#checker.getTypeArguments(type).map((item) => this.#text(item, indent));
    if (this.#checker.isTupleType(type)) return `readonly [${items.join(", ")}]`;
    const [item = "never"] = items;
    return /[|&]/.test(item.replace(/\{[\s\S]*\}/, "")) ? `readonly (${item})[]` : `readonly ${item}[]`;
  }

  #members(type: ts.Type, indent: string): string {
    const inner = `${indent}    `;
    const indexes = this.#checker
      .getIndexInfosOfType(type)
      .map(
        ({ keyType, type: value }) =>
          `${inner}readonly [name: ${this.#text(keyType, inner)}]: ${this.#text(value, inner)};\n`,
      );
    const members = this.#checker
      .getPropertiesOfType(type)
      .sort(asDeclared)
      .map((member) => {
        const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0;
        const whole = this.#checker.getTypeOfSymbol(member);
        // An optional member is not undefined under `exactOptionalPropertyTypes`.
        const value = isOptional && whole.isUnion() ? this.#withoutUndefined(whole, inner) : this.#text(whole, inner);
        const key = /^[A-Za-z_$][\w$]*$/.test(member.name) ? member.name : JSON.stringify(member.name);
        const doc = ts.displayPartsToString(member.getDocumentationComment(this.#checker)).trim();
        const comment = doc === "" ? "" : `${inner}${docstring(doc, inner)}\n`;
        return `${comment}${inner}readonly ${key}${isOptional ? "?" : ""}: ${value};\n`;
      });
    return `{\n${indexes.join("")}${members.join("")}${indent}}`;
  }

  #withoutUndefined(type: ts.UnionType, indent: string): string {
    const types = type.types.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    const [only] = types;
    if (types.length === 1 && only !== undefined) return this.#text(only, indent);
    const named = this.#checker.getNonNullableType(type);
    // A name stays if nothing but undefined was added to its type.
    if (named.aliasSymbol && !types.some(({ flags }) => flags & ts.TypeFlags.Null)) return this.#text(named, indent);
    return this.#union({ types } as ts.UnionType, indent);
  }

  #arguments(types: readonly ts.Type[] | undefined, indent: string): string {
    if (types === undefined || types.length === 0) return "";
    return `<${types.map((type) => this.#text(type, indent)).join(", ")}>`;
  }
}

function docstring(text: string, indent: string): string {
  const lines = text.split("\n");
  if (lines.length === 1) return `/** ${text} */`;
  return ["/**", ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`].join("\n");
}

/** Orders members as the sources do; the compiler orders them by first use. */
function asDeclared(a: ts.Symbol, b: ts.Symbol): number {
  const [one, other] = [a, b].map(({ declarations = [] }) => declarations[0]);
  const [file, otherFile] = [one, other].map((each) => each?.getSourceFile().fileName ?? "");
  if (file !== otherFile) return (file ?? "") < (otherFile ?? "") ? -1 : 1;
  return (one?.pos ?? 0) - (other?.pos ?? 0);
}
