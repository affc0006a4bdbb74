/**
 * The shapes of objects as Go structs, for programs that look into evidence which was verified. An optional member and
 * one that may be null is a pointer; what may have several types stands as its JSON.
 */
import type { Schema, Tables, Value } from "../tables.ts";
import { comment, exported, file } from "./source.ts";

/** Schemas that no struct is made of: no evidence, or a type that is written by hand. */
const LEFT_OUT = ["report", "migration-report", "trust-policy"];

/** Returns the file of the package svc. */
export function wireFile({ schemas }: Tables): string {
  const structs: string[] = [];
  for (const [name, schema] of Object.entries(schemas))
    if (!LEFT_OUT.includes(name)) struct(exported(name), schema, `the object of the schema ${name}`, structs);
  return file("svc", ["encoding/json"], structs);
}

/** Adds the struct of an object and of all objects inside of it. */
function struct(name: string, schema: Schema, about: string, structs: string[]): void {
  const place = structs.push("") - 1;
  const required = (schema["required"] ?? []) as readonly string[];
  const fields = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>).map(
    ([member, one]) => {
      const isRequired = required.includes(member);
      const type = goType(`${name}${exported(member)}`, member, one, structs);
      const isFree = /^(?:\[\]|map\[|json\.|\*)/.test(type);
      const { description } = one;
      return [
        comment(typeof description === "string" ? `${exported(member)}: ${description}.` : `${exported(member)}.`, 1),
        `\t${exported(member)} ${isRequired || isFree ? type : `*${type}`} ` +
          `\`json:"${member}${isRequired ? "" : ",omitzero"}"\`\n`,
      ].join("");
    },
  );
  structs[place] = `${comment(`${name} is ${about}.`)}type ${name} struct {\n${fields.join("")}}\n`;
}

function goType(name: string, member: string, schema: Schema, structs: string[]): string {
  if (typeof schema["$ref"] === "string") return exported(schema["$ref"].replace(/\.json$/, ""));
  const types = typesOf(schema);
  const isNullable = types.includes("null");
  const others = types.filter((type) => type !== "null");
  const type = others.length === 1 ? plainType(name, member, String(others[0]), schema, structs) : "json.RawMessage";
  return isNullable && !/^(?:\[\]|map\[|json\.)/.test(type) ? `*${type}` : type;
}

function plainType(name: string, member: string, type: string, schema: Schema, structs: string[]): string {
  switch (type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "int64";
    case "boolean":
      return "bool";
    case "array":
      return `[]${goType(name, member, (schema["items"] ?? {}) as Schema, structs)}`;
    case "object": {
      if (schema["properties"] !== undefined) {
        struct(name, schema, `what is in the member ${member}`, structs);
        return name;
      }
      const inner = schema["additionalProperties"];
      return typeof inner === "object"
        ? `map[string]${goType(name, member, inner as Schema, structs)}`
        : "json.RawMessage";
    }
    default:
      throw new Error(`the member ${member} has the type ${type}, which no Go type stands for`);
  }
}

/** Returns the types that a value may have; those of an enumeration are the types of its values. */
function typesOf(schema: Schema): readonly string[] {
  const { type, enum: values } = schema;
  if (Array.isArray(values)) return [...new Set((values as readonly Value[]).map(typeOfValue))];
  if (type === undefined) return [];
  return [type].flat().map(String);
}

function typeOfValue(value: Value): string {
  if (value === null) return "null";
  return typeof value === "number" ? "integer" : typeof value;
}
