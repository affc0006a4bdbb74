/**
 * Writes all that the Python client needs of spec/: the shapes of requests and answers as TypedDicts, from
 * `openapi.json`, and the table of the service's refusals, from `errors.json`. A shape is named here where the contract
 * has no name for it.
 */
import { literal, text, type Value } from "./literal.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Value;
  readonly enum?: readonly Value[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}
interface Body {
  readonly content?: { readonly "application/json"?: { readonly schema: Schema } };
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** By operation: the names of what is sent, what is answered, and an item of a page. */
const SHAPES: Readonly<Record<string, { readonly sent?: string; readonly answer?: string; readonly item?: string }>> = {
  postV2Streams: { sent: "StreamInput", answer: "StreamInfo" },
  getV2Streams: { item: "ListedStream" },
  postV2StreamsStreamIdEvents: { sent: "EventInput" },
  getV2StreamsStreamIdHead: { answer: "StreamHead" },
  getV2StreamsStreamIdProofState: { answer: "ProofState" },
  postV1SdkEvents: { sent: "LogInput" },
  getV1Events: { item: "LoggedEvent" },
  getV1EventsEventId: { answer: "WholeLoggedEvent" },
  postV2StreamsStreamIdEventsEventIdErase: { answer: "Erasure" },
  postV2AuditPacks: { sent: "AuditPackInput" },
  postV1Exports: { sent: "ExportInput", answer: "ExportInfo" },
  postV1ExportsExportIdDownloadPrepare: { answer: "DownloadTicket" },
  postV1ExportsExportIdTruthPackageVerify: { sent: "PackageReport", answer: "RecordedVerification" },
  postV2Verify: { answer: "OnlineReport" },
  getV2Keys: { answer: "ServiceKeys" },
  getHealth: { answer: "Health" },
};
/** Members that the client adds where the caller leaves them out. */
const ADDED: Readonly<Record<string, readonly string[]>> = { StreamInput: ["metadata"] };
const WORD = /^[A-Za-z_]\w*$/;
/** Python's own words among the members of the contract. */
const KEYWORDS: ReadonlySet<string> = new Set(["class", "from", "import", "is", "global"]);
const HEAD = "# Written by `pnpm spec` from spec/. Do not edit it.\n";
const TYPES: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
  object: "dict[str, Any]",
  array: "list[Any]",
};

/** Returns the module of shapes. `openapi`: the text of spec/openapi.json. */
export function serviceModule(openapi: string): string {
  const { paths, components } = JSON.parse(openapi) as Contract;
  const written = new Map<string, string>();
  for (const [name, schema] of Object.entries(components.schemas)) typeOf(schema, name, written);
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  for (const [id, { sent, answer, item }] of Object.entries(SHAPES)) {
    const operation = operations.find(({ operationId }) => operationId === id);
    if (operation === undefined) throw new Error(`the contract has no operation ${id}`);
    const good = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
    if (sent !== undefined) typeOf(schemaOf(operation.requestBody, id), sent, written);
    if (answer !== undefined) typeOf(schemaOf(good, id), answer, written);
    if (item !== undefined) typeOf(schemaOf(good, id).properties?.items?.items ?? {}, item, written);
  }
  return [
    `"""The shapes of requests and answers of the service, as its contract states them."""\n\n${HEAD}\n`,
    "from __future__ import annotations\n\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict\n\n",
    "if TYPE_CHECKING:\n    from typing_extensions import NotRequired\n",
    ...[...written.values()].map((lines) => `\n\n${lines}`),
  ].join("");
}

/** Returns the module of the table of errors. `errors`: the text of spec/errors.json. */
export function errorsModule(errors: string): string {
  const table = JSON.parse(errors) as { readonly errors: Readonly<Record<string, Value>> };
  const codes = Object.keys(table.errors).map((code) => `    ${text(code)},\n`);
  return [
    '"""Every refusal of the service: HTTP status, whether to send it again, meaning, and the next step of a ' +
      'person."""',
    `\n\n${HEAD}\nfrom __future__ import annotations\n\nfrom typing import Any, Literal\n\n`,
    `ERRORS: dict[str, Any] = ${literal(table.errors)}\n\nServiceCode = Literal[\n${codes.join("")}]\n`,
  ].join("");
}

function schemaOf(body: Body | undefined, id: string): Schema {
  const schema = body?.content?.["application/json"]?.schema;
  if (schema === undefined) throw new Error(`${id} has no JSON where one was expected`);
  return schema;
}

/** Returns the Python type of a schema, and writes the objects in it under names that begin with `name`. */
function typeOf(schema: Schema, name: string, written: Map<string, string>): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((value) => literal(value)).join(", ")}]`;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.anyOf !== undefined) return unionOf(schema.anyOf, name, written);
  if (typeof schema.type === "object") return schema.type.map((one) => TYPES[one] ?? "Any").join(" | ");
  if (schema.properties !== undefined) return shapeOf(schema, name, written);
  if (schema.items !== undefined) return `list[${typeOf(schema.items, singular(name), written)}]`;
  if (typeof schema.additionalProperties === "object")
    return `dict[str, ${typeOf(schema.additionalProperties, singular(name), written)}]`;
  return TYPES[schema.type ?? ""] ?? "Any";
}

function unionOf(schemas: readonly Schema[], name: string, written: Map<string, string>): string {
  const shapes = schemas.filter(({ properties }) => properties !== undefined).length;
  const types = schemas.map((one, index) => typeOf(one, shapes > 1 ? `${name}${index + 1}` : name, written));
  return [...new Set(types)].join(" | ");
}

/** Writes an object as a TypedDict, and returns its name. */
function shapeOf({ properties = {}, required = [] }: Schema, name: string, written: Map<string, string>): string {
  // The place of the shape is before those of its members, as a reader looks for it.
  written.set(name, "");
  const members = Object.entries(properties).map(([member, schema]) => {
    const type = typeOf(schema, name + camel(member), written);
    const isThere = required.includes(member) && ADDED[name]?.includes(member) !== true;
    return [member, isThere ? type : `NotRequired[${type}]`] as const;
  });
  const isPlain = members.every(([member]) => WORD.test(member) && !KEYWORDS.has(member));
  written.set(
    name,
    isPlain
      ? `class ${name}(TypedDict):\n${members.map(([member, type]) => `    ${member}: ${type}\n`).join("")}`
      : `${name} = TypedDict(\n    ${text(name)},\n    {\n${members
          .map(([member, type]) => `        ${text(member)}: ${text(type)},\n`)
          .join("")}    },\n)\n`,
  );
  return name;
}

function camel(member: string): string {
  return member
    .replace(/\.json$/, "")
    .split(/[_.-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}
