/**
 * The shapes of spec/schemas as Python's TypedDicts, for values that somebody has decoded. A type checker knows members
 * by them; nothing is checked when a program runs.
 */

type Schema = Readonly<Record<string, unknown>>;

const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** Returns the module. `schemas`: by the names of their files, as `bundle.json`. */
export function pythonTypes(schemas: Readonly<Record<string, Schema>>): string {
  const classes = new Map<string, string>();
  const aliases: string[] = [];
  for (const [file, schema] of Object.entries(schemas)) {
    const name = nameOf(file);
    if (isShape(schema)) classOf(name, schema, classes);
    else aliases.push(`${name} = ${typeOf(name, schema, classes)}\n`);
  }
  const names = [...[...classes.keys()], ...aliases.map((alias) => alias.slice(0, alias.indexOf(" ")))];
  return [
    '"""The shapes of evidence, of the trust policy and of the report as JSON, for type checkers."""\n\n',
    "# Written by `pnpm spec` from spec/. Do not edit it.\n\nfrom __future__ import annotations\n\n",
    "from typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n",
    // Type checkers know it by this name for every Python; no program loads it.
    "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n\n",
    [...classes.values(), ...aliases].join("\n"),
    `\n__all__ = [\n${names
      .toSorted()
      .map((name) => `    "${name}",\n`)
      .join("")}]\n`,
  ].join("");
}

function nameOf(file: string): string {
  const words = file.replace(/\.json$/, "").split("-");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
}

/** A member of a name is a part of a class's name. */
function partOf(member: string): string {
  return nameOf(member.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-"));
}

function isShape({ type, properties }: Schema): boolean {
  return type === "object" && properties !== undefined;
}

function classOf(name: string, { properties, required = [] }: Schema, classes: Map<string, string>): string {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>).map(([member, schema]) => {
    const type = typeOf(`${name}${partOf(member)}`, schema, classes);
    const isThere = (required as readonly string[]).includes(member);
    return `        ${JSON.stringify(member)}: ${JSON.stringify(isThere ? type : `NotRequired[${type}]`)},\n`;
  });
  if (classes.has(name)) throw new Error(`two shapes are called ${name}`);
  classes.set(name, `${name} = TypedDict(\n    "${name}",\n    {\n${members.join("")}    },\n)\n`);
  return name;
}

function typeOf(name: string, schema: Schema, classes: Map<string, string>): string {
  const { $ref, type, items, properties, additionalProperties } = schema;
  if (typeof $ref === "string") return nameOf($ref);
  if (schema.const !== undefined) return literal([schema.const]);
  if (Array.isArray(schema.enum)) return literal(schema.enum);
  const types = Array.isArray(type) ? type : [type];
  const found = types.map((one) => {
    if (one === "array") return `list[${items === undefined ? "Any" : typeOf(name, items as Schema, classes)}]`;
    if (one !== "object") return PLAIN[`${one}`] ?? "Any";
    if (properties !== undefined) return classOf(name, schema, classes);
    const others = typeof additionalProperties === "object" ? (additionalProperties as Schema) : null;
    return `dict[str, ${others === null ? "Any" : typeOf(name, others, classes)}]`;
  });
  return found.includes("Any") ? "Any" : found.join(" | ");
}

function literal(values: readonly unknown[]): string {
  const texts = values.map((value) => (value === null ? "None" : JSON.stringify(value)));
  return `Literal[${texts.join(", ")}]`;
}
