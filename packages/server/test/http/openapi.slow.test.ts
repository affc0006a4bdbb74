/**
 * Random requests to every route of the OpenAPI document, both allowed and forbidden by its schemas: no answer is a
 * failure of the server, the document promises each answer, and forbidden requests are refused. SVC_OPENAPI_RUNS raises
 * the number of requests, SVC_OPENAPI_SEED repeats a run.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { KEY_ACTIONS } from "@svc/api";
import { pageInPlace } from "@svc/testkit/built";
import { runs } from "@svc/testkit/runs";
import { type Answer, Client } from "@svc/testkit/server/client";
import type { Document } from "@svc/testkit/server/contract";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import fc, { type Arbitrary } from "fast-check";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { entry, log } from "../event-log/event-log.ts";
import { download, goodReport, prepared, readyExport } from "../exports/export-client.ts";
import { allowedBy } from "./schema-arbitrary.ts";
import { type Operation, type Sent, SPOILS } from "./spoiled-requests.ts";

// The page is served too.
await pageInPlace();

const RUNS = Number(process.env.SVC_OPENAPI_RUNS ?? runs(50));
const MOST_ROUNDS = 10;
const SEED = Number(process.env.SVC_OPENAPI_SEED ?? Date.now() % 2 ** 31);
/** Routes whose schema allows more than the route can take, with the reason. */
const STRICTER_THAN_ITS_SCHEMA: Readonly<Record<string, string>> = {
  "POST /v1/exports": "numbers are those of a single stream, and a range may not end before it starts",
  "PUT /v2/tenant/witness/policies/{policyId}": "a policy may be named as policy_id may",
  "POST /v2/audit/packs": "a range may not end before it starts",
};
/** Codes that no request within the schemas has caused. */
const ONLY_OF_FORBIDDEN = [
  "invalid_request",
  "json_malformed",
  "duplicate_name",
  "invalid_unicode",
  "idempotency_key_required",
  "idempotency_key_invalid",
  "unsupported_media_type",
  "method_not_allowed",
  "unauthorized",
];

/** Resolves to a server with some evidence, and its own document. */
async function start(t: TestContext) {
  t.diagnostic(`SVC_OPENAPI_SEED=${SEED} SVC_OPENAPI_RUNS=${RUNS}`);
  const { client: usual, made, server } = await startServer(t, { requestsPerSecondOfKey: 0, epochIntervalMs: 20 });
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const { tenant_id: tenantId, system_id: systemId } = made;
  const actor = { tenantId, kind: "service" as const, id: "test", roles: [] };
  const limits = { actions: KEY_ACTIONS, streams: null };
  const key = await context.database.write((writer) =>
    systemKeys.create(writer, { tenantId, systemId, limits }, actor),
  );
  const client = new Client(usual.url, key);
  const { body: record } = await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id: earlier } = await client.witnessed(made.stream_id, 1);
  await client.append(made.stream_id, loan(2));
  const { latest_window_id, latest_checkpoint_id } = await client.witnessed(made.stream_id, 2);
  const { body: logged } = await log(client, entry(1));
  const { body: proof } = await client.get(`/v1/events/${logged.stream_event_id}/proof`);
  const firstAnchor = await until("two epochs", async () => {
    const { body } = await client.get("/v2/anchors?limit=2");
    return body.items.length === 2 ? (body.items[0].anchor_epoch_id as string) : null;
  });
  const asked = { streams: [made.stream_id], payloads: "redacted" };
  const ready = await readyExport(client, asked);
  const doomed = await readyExport(client, asked);
  const { ticket } = await prepared(client, ready.export_id);
  const held = await download(client, ready);
  const { body: document } = await client.get("/openapi.json");
  /** Ids that exist, by the names of parameters and members. */
  const ids: Readonly<Record<string, string>> = {
    streamId: made.stream_id,
    eventId: record.stream_event_id,
    windowId: latest_window_id,
    checkpointId: latest_checkpoint_id,
    from: earlier,
    checkpoint: earlier,
    anchorId: "latest",
    event: "2",
    policyId: "default",
    policy_id: "default",
    stream_id: made.stream_id,
    system_id: made.system_id,
    exportId: ready.export_id,
    ticket,
    // Positions as the texts of cursors: the number 1, and an id in a list of streams.
    cursor: "MQ",
    streamCursor: Buffer.from(made.stream_id).toString("base64url"),
  };
  const operations = Object.entries<Document>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Document>(methods).map(
      ([method, described]): Operation => ({
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        described,
      }),
    ),
  );
  /** Whole values of members that refer to existing objects. */
  const values: Readonly<Record<string, unknown>> = {
    streams: [made.stream_id],
    systems: [made.system_id],
    received_from: "2000-01-01T00:00:00Z",
    received_before: "2999-01-01T00:00:00Z",
    accessId: held.accessId,
    proof: held.proof,
    verificationReport: goodReport(ready, held).verificationReport,
  };
  /** Values that exist for single paths only. */
  const special: Readonly<Record<string, Partial<Known>>> = {
    // The position 1.1, as a text of a cursor.
    "/v1/events": { ids: { ...ids, cursor: "MS4x" } },
    "/v1/events/{eventId}": { ids: { ...ids, eventId: logged.stream_event_id } },
    "/v1/public/verify": { evidence: proof },
    "/v2/anchors/{anchorId}/consistency": { ids: { ...ids, from: firstAnchor } },
    // A built-in policy is nobody's to declare.
    "/v2/tenant/witness/policies/{policyId}": { ids: { ...ids, policyId: "own" } },
  };
  const doomedId: string = doomed.export_id;
  return { client, document, operations, usual: { ids, evidence: record }, special, values, doomedId };
}
/** Values that exist: ids, and evidence for bodies whose members the document does not list. */
interface Known {
  readonly ids: Readonly<Record<string, string>>;
  readonly evidence: Readonly<Record<string, unknown>>;
}
type Started = Awaited<ReturnType<typeof start>>;

/** Returns requests that the document allows. */
function allowed({ path, method, described }: Operation, started: Started): Arbitrary<Sent> {
  const { document, usual, special, values, doomedId } = started;
  const { ids, evidence } = { ...usual, ...special[path] };
  const known: Record<string, Arbitrary<unknown>> = Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, oftenKnown(name, id)]),
  );
  for (const [name, value] of Object.entries(values)) known[name] = fc.constant(value);
  // The routes that follow must not miss a deleted object.
  if (method === "DELETE") known.exportId = fc.constant(doomedId);
  const isNamed = path === "/v2/streams" || path === "/v1/exports";
  known.cursor = fc.constant(isNamed ? ids.streamCursor : ids.cursor);
  // Otherwise a random range would hardly ever be one that the stream has.
  for (const name of ["from_seq_no", "to_seq_no"])
    known[name] = fc.oneof(
      { arbitrary: fc.constant(1), weight: 6 },
      fc
        .maxSafeNat()
        .map((value) => value + 1)
        .filter(Number.isSafeInteger),
    );
  const textOf = ({ name, schema }: Document) => (known[name] ?? allowedBy(schema, document)).map(String);
  const inPlace = (place: string) => described.parameters.filter((one: Document) => one.in === place);
  const record = (parameters: Document[]) =>
    fc.record<Record<string, string>>(Object.fromEntries(parameters.map((one) => [one.name, textOf(one)])), {
      requiredKeys: parameters.filter(({ required }) => required).map(({ name }) => name),
      noNullPrototype: true,
    });
  const schema = described.requestBody?.content["application/json"].schema;
  return fc
    .record({
      path: record(inPlace("path")),
      query: record(inPlace("query")),
      // Some of the optional headers are conditions, which hardly ever hold by chance.
      headers: fc.oneof(
        record(inPlace("header").filter(({ required }: Document) => required)),
        record(inPlace("header")),
      ),
      body: schema === undefined ? fc.constant(null) : bodies(schema, document, known, evidence),
    })
    .map((parts) => ({
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts.path[name] ?? "")),
      query: Object.entries(parts.query),
      headers: {
        ...(parts.body === null ? {} : { "content-type": "application/json" }),
        ...headersOnWire(parts.headers),
      },
      body: parts.body,
    }));
}

/** Returns bodies of a schema; if it lists no members, also evidence, whole and with a member changed. */
function bodies(
  schema: Document,
  document: Document,
  known: Readonly<Record<string, Arbitrary<unknown>>>,
  evidence: Readonly<Record<string, unknown>>,
): Arbitrary<string> {
  const ofSchema = allowedBy(schema, document, known);
  const changed = fc
    .tuple(fc.constantFrom(...Object.keys(evidence)), fc.jsonValue({ maxDepth: 1 }))
    .map(([name, value]) => ({ ...evidence, [name]: value }));
  const values = schema.properties === undefined ? fc.oneof(ofSchema, fc.constant(evidence), changed) : ofSchema;
  return values.map((value) => JSON.stringify(value));
}

/** Returns mostly the id that exists; otherwise a guess of an id, or a random text. */
function oftenKnown(name: string, id: string): Arbitrary<string> {
  const nearly = fc.constant(id.replace(/.$/, "0"));
  // The schema says how a policy may be named.
  const others =
    name === "policy_id" ? nearly : fc.oneof(nearly, STRANGE, fc.string({ minLength: 3, unit: "grapheme" }));
  return fc.oneof({ arbitrary: fc.constant(id), weight: 2 }, { arbitrary: others, weight: 1 });
}
const STRANGE = fc.constantFrom("%", "..;", "\u0000", "ä", "1'--");

/** Returns headers as the wire carries them: ASCII without blanks around them. */
function headersOnWire(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^!-~]/g, "_")]));
}

/** Sends a request, compares the answer with the document, and resolves to it. */
async function sent(client: Client, { name, method, described }: Operation, request: Sent): Promise<Answer> {
  const query = new URLSearchParams(request.query.map(([key, value]): [string, string] => [key, value])).toString();
  const answer = await client.send(
    method,
    request.path + (query === "" ? "" : `?${query}`),
    request.body ?? undefined,
    {
      ...request.headers,
    },
  );
  assert.ok(answer.status < 500, `${name}: ${answer.status} ${answer.text}`);
  const [mediaType] = Object.keys(described.responses[answer.status].content);
  const charset = mediaType === "application/zip" ? "" : "; charset=utf-8";
  assert.equal(answer.headers.get("content-type"), `${mediaType}${charset}`, name);
  assert.equal(answer.headers.get("cache-control"), "no-store", name);
  assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/, name);
  return answer;
}

/** It takes two signatures that contradict each other, which chance does not find: tests of forks make them. */
const SIGNED_TWICE = "POST /v2/forks";

/** Routes of objects that do not exist yet. */
const RESERVED = /^\/v2\/ivc\//;

test("what the document allows is answered as it promises", async (t) => {
  const started = await start(t);
  for (const operation of started.operations) {
    const { name } = operation;
    const done = new Set<number>();
    const refusals = new Set<string>();
    const property = fc.asyncProperty(allowed(operation, started), async (request) => {
      const { status, body, text } = await sent(started.client, operation, request);
      done.add(status);
      if (status >= 400) refusals.add(body.detail?.code);
      if (status < 400 || STRICTER_THAN_ITS_SCHEMA[name] !== undefined) return;
      assert.ok(!ONLY_OF_FORBIDDEN.includes(body.detail.code), `${name} refuses what its schema allows: ${text}`);
    });
    const isDone = () =>
      [...done].some((status) => status < 300) || RESERVED.test(operation.path) || name === SIGNED_TWICE;
    // Chance may hold back every request that a route can do: others are tried before the route is blamed.
    for (let round = 0; round === 0 || (!isDone() && round < MOST_ROUNDS); round++)
      await fc.assert(property, { numRuns: RUNS, seed: SEED + round });
    assert.ok(
      isDone(),
      `${name} was never done, only ${[...done]} (${[...refusals]}) came back: add to ids in this file what ` +
        `leads there`,
    );
  }
});

test("what the document forbids is refused", async (t) => {
  const started = await start(t);
  const met = new Set<string>();
  for (const operation of started.operations)
    for (const [how, spoil] of Object.entries(SPOILS)) {
      const property = fc.asyncProperty(allowed(operation, started), fc.nat(10_000), async (request, some) => {
        const spoiled = spoil(request, operation, some);
        if (spoiled === null) return;
        met.add(how);
        const { status, text } = await sent(started.client, operation, spoiled);
        assert.ok(status >= 400, `${operation.name} takes ${how}: ${status} ${text.slice(0, 200)}`);
      });
      await fc.assert(property, { numRuns: Math.ceil(RUNS / 10), seed: SEED });
    }
  assert.deepEqual([...met].toSorted(), Object.keys(SPOILS).toSorted(), "each has been tried on some route");
});
