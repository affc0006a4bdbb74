/**
 * The generated files of the Go client: the bodies of requests and answers as structs, and the service's codes as
 * constants. A body that is evidence has the struct of the package svc.
 */
import type { Schema, Tables, Value } from "../tables.ts";
import { comment, constants, exported, file, text } from "./source.ts";

/** An answer or a request of a route, and the members that lead from its body to a shape. */
interface Place {
  readonly route: readonly [method: string, path: string];
  readonly body: "request" | "answer";
  readonly within?: readonly string[];
  readonly about: string;
}

const PLACES: Readonly<Record<string, Place>> = {
  StreamInput: { route: ["post", "/v2/streams"], body: "request", about: "the settings of a new stream" },
  StreamInfo: { route: ["post", "/v2/streams"], body: "answer", about: "a stream as it was made" },
  ListedStream: {
    route: ["get", "/v2/streams"],
    body: "answer",
    within: ["items"],
    about: "a stream of a list",
  },
  EventInput: { route: ["post", "/v2/streams/{streamId}/events"], body: "request", about: "an event that is recorded" },
  StreamHead: {
    route: ["get", "/v2/streams/{streamId}/head"],
    body: "answer",
    about: "the newest event of a stream, with all that its receipt signs",
  },
  ProofState: {
    route: ["get", "/v2/streams/{streamId}/proof-state"],
    body: "answer",
    about: "how far the evidence of a stream has come",
  },
  Erasure: {
    route: ["post", "/v2/streams/{streamId}/events/{eventId}/erase"],
    body: "answer",
    about: "the erasure of a payload",
  },
  LogInput: { route: ["post", "/v1/sdk/events"], body: "request", about: "an event of the log that is recorded" },
  LoggedEvent: {
    route: ["get", "/v1/events"],
    body: "answer",
    within: ["items"],
    about: "an event of the log, without its payload",
  },
  WholeLoggedEvent: {
    route: ["get", "/v1/events/{eventId}"],
    body: "answer",
    about: "an event of the log, with its payload",
  },
  AuditPackInput: { route: ["post", "/v2/audit/packs"], body: "request", about: "the range of an audit pack" },
  ExportInput: { route: ["post", "/v1/exports"], body: "request", about: "the contents of a truth package" },
  ExportInfo: { route: ["get", "/v1/exports/{exportId}"], body: "answer", about: "an export and its state" },
  DownloadTicket: {
    route: ["post", "/v1/exports/{exportId}/download/prepare"],
    body: "answer",
    about: "a ticket for one download",
  },
  PackageReport: {
    route: ["post", "/v1/exports/{exportId}/truth-package/verify"],
    body: "request",
    about: "a report that a package has verified",
  },
  RecordedVerification: {
    route: ["post", "/v1/exports/{exportId}/truth-package/verify"],
    body: "answer",
    about: "the service's record of such a report",
  },
  ServiceKeys: { route: ["get", "/v2/keys"], body: "answer", about: "the service's keys as it states them" },
  Health: { route: ["get", "/health"], body: "answer", about: "the status of a service" },
};

const REFERENCE = "#/components/schemas/";

/** Returns the file of the shapes. `openApi`: the text of spec/openapi.json. */
export function clientWireFile(openApi: string): string {
  const { paths } = JSON.parse(openApi) as { readonly paths: Schema };
  const structs: string[] = [];
  for (const [name, place] of Object.entries(PLACES))
    new Shapes(structs, place.body === "request").add(name, schemaAt(paths, name, place), `${name} is ${place.about}.`);
  return file("client", ["encoding/json", "svc.example/go"], structs);
}

/** Returns the file of the service's codes. */
export function clientCodesFile({ errors }: Tables): string {
  const list = Object.entries(errors).map(([code, { status, meaning }]) => ({
    name: `Code${exported(code)}`,
    type: "Code",
    value: text(code),
    about: `Code${exported(code)}: ${meaning} (${status})`,
  }));
  return file("client", [], [`${comment("Codes of the service's refusals.")}${constants(list)}`]);
}

function schemaAt(paths: Schema, name: string, { route: [method, path], body, within = [] }: Place): Schema {
  const operation = (paths[path] as Schema | undefined)?.[method] as Schema | undefined;
  // The answer to a request that succeeds has the lowest status.
  const [answer] = Object.values((operation?.["responses"] ?? {}) as Schema);
  const found = (body === "request" ? operation?.["requestBody"] : answer) as Schema | undefined;
  const content = (found?.["content"] as Schema | undefined)?.["application/json"] as Schema | undefined;
  let schema = content?.["schema"] as Schema | undefined;
  for (const member of within) schema = (schema?.["properties"] as Schema | undefined)?.[member] as Schema | undefined;
  if (within.length > 0) schema = schema?.["items"] as Schema | undefined;
  if (schema === undefined) throw new Error(`spec/openapi.json has no place for ${name}`);
  return schema;
}

/** Collects the struct of a body and those of the objects inside of it. */
class Shapes {
  readonly #structs: string[];
  /** In a request a member that may be missing is left out where it has no value. */
  readonly #isRequest: boolean;

  constructor(structs: string[], isRequest: boolean) {
    this.#structs = structs;
    this.#isRequest = isRequest;
  }

  add(name: string, schema: Schema, about: string): void {
    const place = this.#structs.push("") - 1;
    const required = (schema["required"] ?? []) as readonly string[];
    const members = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>);
    const fields = members.map(([member, one]) => this.#field(name, member, one, required.includes(member)));
    this.#structs[place] = `${comment(about)}type ${name} struct {\n${fields.join("")}}\n`;
  }

  #field(holder: string, member: string, schema: Schema, isRequired: boolean): string {
    const name = exported(member);
    const { description } = schema;
    const type = this.#type(`${holder}${name}`, member, schema);
    const isFree = this.#isRequest || /^(?:\[\]|map\[|json\.|any|\*)/.test(type);
    const tag = `\`json:"${member}${isRequired ? "" : ",omitempty"}"\``;
    const about = typeof description === "string" ? `${name}: ${description}.` : `${name}.`;
    return `${comment(about, 1)}\t${name} ${isRequired || isFree ? type : `*${type}`} ${tag}\n`;
  }

  #type(name: string, member: string, schema: Schema): string {
    const { $ref, anyOf, type, enum: values } = schema;
    if (typeof $ref === "string") return `svc.${$ref.slice(REFERENCE.length)}`;
    const choices = anyOf as readonly Schema[] | undefined;
    const others = choices?.filter((one) => one["type"] !== "null") ?? [];
    if (choices !== undefined && (others.length !== 1 || others.length === choices.length)) return "json.RawMessage";
    if (others[0] !== undefined) return nullable(this.#type(name, member, others[0]));
    const types = values === undefined ? [type].flat().map(String) : typesOf(values as readonly Value[]);
    const [first = "undefined", ...rest] = types.filter((one) => one !== "null");
    const plain = rest.length > 0 ? "json.RawMessage" : this.#plain(name, member, first, schema);
    return types.includes("null") ? nullable(plain) : plain;
  }

  #plain(name: string, member: string, type: string, schema: Schema): string {
    switch (type) {
      case "string":
        return "string";
      case "integer":
        return "int64";
      case "boolean":
        return "bool";
      case "array":
        return `[]${this.#type(name, member, (schema["items"] ?? {}) as Schema)}`;
      case "object": {
        if (schema["properties"] !== undefined) {
          this.add(name, schema, `${name} is the object in the member ${member}.`);
          return name;
        }
        const inner = schema["additionalProperties"];
        if (typeof inner === "object") return `map[string]${this.#type(name, member, inner as Schema)}`;
        return this.#free();
      }
      case "undefined":
        return this.#free();
      default:
        throw new Error(`the member ${member} has the type ${type}, which no Go type stands for`);
    }
  }

  /** Returns the type of a value of any form: a program gives a Go value, and gets JSON. */
  #free(): string {
    return this.#isRequest ? "any" : "json.RawMessage";
  }
}

function nullable(type: string): string {
  return /^(?:\[\]|map\[|json\.|any|\*)/.test(type) ? type : `*${type}`;
}

function typesOf(values: readonly Value[]): readonly string[] {
  return [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
}
