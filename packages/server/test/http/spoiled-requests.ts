/** Requests, and changes to an allowed one that make it forbidden, one at a time. */
import type { Document } from "@svc/testkit/server/contract";

/** A request in its parts. */
export interface Sent {
  readonly path: string;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  /** Null if the route takes none. */
  readonly body: string | null;
}

/** A route as the document has it. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly described: Document;
}

/**
 * Returns a request with one forbidden change; `some` chooses the place. Returns null if the route has no such place.
 */
type Spoil = (request: Sent, operation: Operation, some: number) => Sent | null;

/** The forbidden changes, by name. */
export const SPOILS: Readonly<Record<string, Spoil>> = {
  "a parameter that is not declared": (request) => ({
    ...request,
    query: [...request.query, ["no-such-parameter", "1"]],
  }),
  "a parameter twice": (request, { described }, some) => {
    const one = pick(named(described, "query"), some);
    return one && { ...request, query: [...without(request.query, one.name), [one.name, "1"], [one.name, "1"]] };
  },
  "an invalid number or flag": (request, { described }, some) => {
    const one = pick(
      named(described, "query").filter(({ schema }) => schema.type !== "string"),
      some,
    );
    const value = ["", "x", "-1", "1e3", "0x1", " 1", "TRUE", "99999999999999999999"][some % 8] ?? "";
    return one && { ...request, query: [...without(request.query, one.name), [one.name, value]] };
  },
  "a required parameter that is missing": (request, { described }, some) => {
    const one = pick(
      named(described, "query").filter(({ required }) => required),
      some,
    );
    return one && { ...request, query: without(request.query, one.name) };
  },
  "a required header that is missing": (request, { described }, some) => {
    const one = pick(
      named(described, "header").filter(({ required }) => required),
      some,
    );
    if (!one) return null;
    return {
      ...request,
      headers: Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== one.name)),
    };
  },
  "a header without its form": (request, { described }, some) => {
    const one = pick(
      named(described, "header").filter(({ schema }) => schema.pattern !== undefined),
      some,
    );
    return (
      one && {
        ...request,
        headers: { ...request.headers, [one.name]: ["a b", "x".repeat(300), "\u00e9"][some % 3] ?? "" },
      }
    );
  },
  "a body of another media type": onBody((request, some) => ({
    ...request,
    headers: {
      ...request.headers,
      "content-type": ["text/plain", "application/json; charset=latin1", "application/jsonp"][some % 3] ?? "",
    },
  })),
  "a compressed body": onBody((request) => ({
    ...request,
    headers: { ...request.headers, "content-encoding": "gzip" },
  })),
  "a body that is cut off": onBody((request, some, body) => ({ ...request, body: body.slice(0, some % body.length) })),
  "a body with more behind it": onBody((request, some, body) => ({
    ...request,
    body: body + ["x", "{}", ",", "\u0000"][some % 4],
  })),
  "a body that nests too deep": onBody((request) => ({ ...request, body: "[".repeat(65) + "]".repeat(65) })),
  "a body that is no object": onBody((request, some) => ({
    ...request,
    body: ["null", "[]", '""', "1", "true"][some % 5] ?? "",
  })),
  "a member twice": onBody((request, _some, body) => ({
    ...request,
    body: body.replace(/^\{/, '{"a":1,"a":1,').replace(",}", "}"),
  })),
  "a number that no double carries": onBody((request, _some, body) => ({
    ...request,
    body: body.replace(/^\{/, '{"a":1e400,').replace(",}", "}"),
  })),
  "half of a surrogate pair": onBody((request, _some, body) => ({
    ...request,
    body: body.replace(/^\{/, '{"\\ud800":1,').replace(",}", "}"),
  })),
  "a member that is not declared": onMembers((body) => ({ ...body, "no-such-member": 1 })),
  "a required member that is missing": onMembers((body, schema, some) => {
    if (schema.required === undefined) return null;
    const name = pick<string>(schema.required, some);
    return Object.fromEntries(Object.entries(body).filter(([member]) => member !== name));
  }),
  "a member of another type": onMembers((body, schema, some) => {
    if (schema.required === undefined) return null;
    const name = pick<string>(schema.required, some) ?? "";
    const isObject = typeof body[name] === "object";
    return { ...body, [name]: isObject ? "text" : [{ not: "this" }] };
  }),
};

function onBody(spoil: (request: Sent, some: number, body: string) => Sent): Spoil {
  return (request, _operation, some) => (request.body === null ? null : spoil(request, some, request.body));
}

/** Applies only if the schema lists the members. */
function onMembers(spoil: (body: Record<string, unknown>, schema: Document, some: number) => object | null): Spoil {
  return (request, { described }, some) => {
    const schema = described.requestBody?.content["application/json"].schema;
    if (request.body === null || schema.properties === undefined) return null;
    const body = spoil(JSON.parse(request.body), schema, some);
    return body && { ...request, body: JSON.stringify(body) };
  };
}

function named(described: Document, place: string): Document[] {
  return described.parameters.filter((one: Document) => one.in === place);
}

function pick<Value>(values: readonly Value[], some: number): Value | null {
  return values[some % values.length] ?? null;
}

function without(query: Sent["query"], name: string): Sent["query"] {
  return query.filter(([one]) => one !== name);
}
