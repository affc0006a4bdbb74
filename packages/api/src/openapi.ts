/** The OpenAPI 3.1 document of some contracts, made from the values that also handle the requests. */
import { VERSION } from "@svc/core";
import { type Access, type Contract, credentialOf, errorsOf } from "./contract.ts";
import { errorRow, type OwnError } from "./own-errors.ts";
import { IDEMPOTENCY_KEY } from "./parameters.ts";

type Json = Readonly<Record<string, unknown>>;

/** The description of a path parameter, by its name. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  streamId: "the id of a stream",
  eventId: "the id of an event",
  exportId: "the id of an export",
  windowId: "the id of a window",
  checkpointId: "the id of a checkpoint",
  anchorId: "the id of an anchor, or `latest` for the newest epoch",
  ivcEpochId: "the id of an IVC epoch",
  policyId: "the id of a policy",
};

const CHAPTERS: Readonly<Record<Contract["chapter"], string>> = {
  log: "The event log: one request to record an event, and one to have it proven.",
  streams: "Streams, events and receipts.",
  exports: "Exports: truth packages, who got them, and who verified them.",
  evidence: "Evidence that anybody may read: hashes, keys and times, never payloads, source references or names.",
  verify: "Verdicts on evidence.",
  service: "The service itself.",
};

/** The scheme by which a route identifies its caller. */
const SECURITY: Readonly<Record<Access, readonly Json[]>> = {
  public: [],
  entry: [],
  signature: [],
  ticket: [{ ticket: [] }],
  system: [{ systemKey: [] }],
  session: [{ session: [] }],
  tenant: [{ systemKey: [] }],
  installation: [{ installation: [] }],
  auditor: [{ session: [] }],
  developer: [{ session: [] }],
  metrics: [{ metricsToken: [] }],
};

/** Returns the document, as a value of JSON. `apiUrl`: the origin of the routes; null for the document's own origin. */
export function openApi(contracts: readonly Contract[], apiUrl: string | null): Json {
  const components = new Components();
  const paths: Record<string, Record<string, Json>> = {};
  for (const one of contracts) {
    paths[one.path] ??= {};
    Object.assign(paths[one.path] as object, { [one.method.toLowerCase()]: operation(one, components) });
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "svc-server",
      version: VERSION,
      description: "Records events as evidence that anyone can verify, offline.",
    },
    servers: [{ url: apiUrl ?? "/" }],
    tags: Object.entries(CHAPTERS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: components.schemas,
      securitySchemes: {
        systemKey: {
          type: "http",
          scheme: "bearer",
          description: "A system key: svc_sk_... as `keys create` shows it.",
        },
        ticket: {
          type: "apiKey",
          in: "query",
          name: "ticket",
          description: "A ticket, as `POST /v1/exports/{exportId}/download/prepare` answers it.",
        },
        ...(contracts.some(({ access }) => access.includes("metrics"))
          ? { metricsToken: { type: "http", scheme: "bearer", description: "The token of SVC_METRICS_TOKEN." } }
          : {}),
      },
    },
  };
}

function operation(one: Contract, components: Components): Json {
  const { answer, body } = one;
  return {
    tags: [one.chapter],
    operationId: operationId(one),
    summary: one.summary,
    description: [one.description, credentialOf(one)].filter(Boolean).join(" "),
    security: one.access.flatMap((kind) => SECURITY[kind]),
    parameters: parameters(one),
    ...(body === null
      ? {}
      : {
          requestBody: {
            required: true,
            description: `At most ${body.maxBytes} bytes.`,
            content: { [bodyType(body)]: { schema: components.of(body.schema) } },
          },
        }),
    responses: {
      [answer.status]: {
        description: answer.description,
        content: { [answer.mediaType ?? "application/json"]: { schema: components.of(answer.schema) } },
      },
      ...(answer.partial === undefined
        ? {}
        : {
            206: {
              description: answer.partial,
              content: { [answer.mediaType ?? "application/json"]: { schema: components.of(answer.schema) } },
            },
          }),
      ...Object.fromEntries(
        Object.entries(answer.others ?? {}).map(([status, description]) => [
          status,
          {
            description,
            content: { [answer.mediaType ?? "application/json"]: { schema: components.of(answer.schema) } },
          },
        ]),
      ),
      ...refusals(one),
    },
  };
}

function bodyType({ form }: NonNullable<Contract["body"]>): string {
  return form === true ? "application/x-www-form-urlencoded" : "application/json";
}

/** Returns an id such as `postV2StreamsStreamIdEvents`. */
export function operationId({ method, path }: Contract): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join("");
}

function parameters({ path, query, headers, idempotencyKey }: Contract): Json[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: PATH_PARAMETERS[name] ?? name,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(query).map(([name, { schema, description, required }]) => ({
    name,
    in: "query",
    required,
    description,
    schema,
  }));
  const own = Object.entries(headers).map(([name, { description, form }]) => ({
    name,
    in: "header",
    description,
    schema: { type: "string", ...(form === undefined ? {} : { pattern: form.pattern }) },
  }));
  const key = {
    name: "Idempotency-Key",
    in: "header",
    required: idempotencyKey === "required",
    description: "Names this request, so that it takes effect once however often it is sent.",
    schema: { type: "string", pattern: IDEMPOTENCY_KEY.source },
  };
  return [...inPath, ...inQuery, ...(idempotencyKey === "none" ? [] : [key]), ...own];
}

/** Returns the refusals of a route, by status. */
function refusals(one: Contract): Json {
  const rows = [...errorsOf(one), ...one.ownErrors].map(errorRow);
  const ofStatus = Map.groupBy(rows, ({ status }) => status);
  const sorted = [...ofStatus].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([status, errors]) => [
      status,
      {
        description: errors.map(({ code, meaning }) => `\`${code}\`: ${meaning}`).join("\n\n"),
        content: { "application/json": { schema: refusal(errors) } },
      },
    ]),
  );
}

/**
 * The members that locate a fault: a refusal may have them beside its message. Other members belong to single codes.
 */
const PLACES = {
  offset: { type: "integer", minimum: 0, description: "the byte of the body, counted from 0" },
  path: { type: "string", description: "the place as a JSON Pointer, or ?name of a query parameter" },
  index: { type: "integer", minimum: 0, description: "the event of a batch, counted from 0" },
  problems: {
    type: "array",
    description: "every place that is wrong, at most 100",
    items: {
      type: "object",
      required: ["path", "message"],
      properties: {
        path: { type: "string", description: "a JSON Pointer, ?name of a query parameter or header:Name" },
        message: { type: "string" },
        index: { type: "integer", minimum: 0 },
      },
      additionalProperties: false,
    },
  },
};

function refusal(errors: readonly OwnError[]): Json {
  const detail = {
    type: "object",
    required: ["code", "message"],
    properties: { code: { enum: errors.map(({ code }) => code) }, message: { type: "string" }, ...PLACES },
  };
  return { type: "object", required: ["detail"], properties: { detail }, additionalProperties: false };
}

/** Named schemas are written once, and referenced. */
class Components {
  readonly schemas: Record<string, Json> = {};

  of(schema: object): Json {
    return this.#referred(schema) as Json;
  }

  #referred(part: unknown): unknown {
    if (Array.isArray(part)) return part.map((item) => this.#referred(item));
    if (typeof part !== "object" || part === null) return part;
    const { $id, ...rest } = part as { readonly $id?: unknown };
    if (typeof $id !== "string") return this.#members(rest);
    const name = $id.replaceAll(/(?:^|[^A-Za-z0-9])([a-z0-9])/g, (_, first: string) => first.toUpperCase());
    if (this.schemas[name] === undefined) {
      this.schemas[name] = {};
      this.schemas[name] = this.#members(rest);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  #members(schema: object): Json {
    return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, this.#referred(value)]));
  }
}
