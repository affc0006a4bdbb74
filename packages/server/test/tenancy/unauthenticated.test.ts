/**
 * Every route of the document, requested without permission: without a key, with one that is wrong, revoked or expired,
 * with another system's, another tenant's, and with keys limited to other actions and streams. Each gets the promised
 * code, and nothing that is not theirs.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Contract, contractsOf, KEY_ACTIONS } from "@svc/api";
import { issueForkEvidence, issueReceipt, redactRecord } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { pageInPlace } from "@svc/testkit/built";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { newId } from "../../src/ids.ts";
import { kernel } from "../../src/kernel.ts";
import type { NewKey } from "../../src/tenancy/system-keys.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { insertSystem, insertTenant } from "../../src/tenancy/tenants-store.ts";
import { entry, log } from "../event-log/event-log.ts";
import { download, goodReport, prepared, readyExport } from "../exports/export-client.ts";

// The page is served too.
await pageInPlace();

/** The values of the victim's data, each in one place, that must reach nobody else. */
const MARKERS = {
  payload: "marker-payload",
  sourceRef: "marker-source-ref",
  eventType: "marker-event-type",
  tenant: "marker-tenant",
  system: "marker-system",
  useCase: "marker-use-case",
  metadata: "marker-metadata",
  status: "marker-status",
};
const EVENT = loan(1, {
  source_ref: MARKERS.sourceRef,
  event_type: MARKERS.eventType,
  payload: { note: MARKERS.payload },
});

const ENTRY = {
  type: MARKERS.eventType,
  status: MARKERS.status,
  occurred_at: EVENT.occurred_at,
  source_ref: MARKERS.sourceRef,
  payload: EVENT.payload,
};

/** Requests as the victim itself would send them, by method and path. Path parameters are filled by name. */
type Ids = Readonly<Record<string, string>>;
const BODIES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  "PUT /v2/tenant/witness/policies/{policyId}": () => ({ threshold: 1 }),
  "POST /v2/streams": ({ systemId }) => ({ system_id: systemId, use_case: "x", policy_id: "default", metadata: {} }),
  "POST /v2/streams/{streamId}/events": () => loan(2),
  "POST /v2/streams/{streamId}/events/batch": () => ({ events: [loan(2)] }),
  "POST /v2/streams/{streamId}/events/{eventId}/erase": () => ({ reason: "request 17" }),
  "POST /v1/sdk/events": () => entry(2),
  "POST /v1/sdk/events/batch": () => ({ events: [entry(2)] }),
  "POST /v1/public/verify": ({ window }) => JSON.parse(window ?? ""),
  "POST /v2/audit/packs": ({ streamId }) => ({ stream_id: streamId, from_seq_no: 1, to_seq_no: 1 }),
  "POST /v1/exports": ({ streamId }) => ({ streams: [streamId] }),
  "POST /v1/exports/{exportId}/truth-package/verify": ({ report }) => JSON.parse(report ?? ""),
  "POST /v2/forks": ({ fork }) => JSON.parse(fork ?? ""),
  "POST /v2/verify": ({ window }) => JSON.parse(window ?? ""),
  "POST /v2/verify/receipt": ({ window }) => JSON.parse(window ?? ""),
};
const QUERIES: Readonly<Record<string, (ids: Ids) => string>> = {
  "GET /v2/windows/{windowId}": () => "leaves=true&event=2",
  "GET /v1/exports/{exportId}/download": ({ ticket }) => `ticket=${ticket}`,
  "GET /v2/checkpoints/{checkpointId}/consistency": ({ earlier }) => `from=${earlier}`,
  "GET /v2/anchors/{anchorId}": ({ earlier }) => `checkpoint=${earlier}`,
  "GET /v2/anchors/{anchorId}/consistency": ({ firstAnchor }) => `from=${firstAnchor}`,
};

/** Resolves to a victim with two streams, one of which no request names; and to the means to make strangers. */
async function start(t: TestContext) {
  const { client, made, server } = await startServer(t, { epochIntervalMs: 20 });
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const now = serviceTime(context.clock());
  const victim = await newSystem(null, { tenant: MARKERS.tenant, system: MARKERS.system });
  const owner = new Client(server.url, await newKey(victim));

  async function newSystem(tenant: string | null, names = { tenant: "Other", system: "Other" }) {
    const tenantId = tenant ?? newId("tnt");
    const systemId = newId("sys");
    await context.database.write(async (writer) => {
      if (tenant === null) await insertTenant(writer, { tenantId, name: names.tenant, timeZone: "UTC" }, now);
      await insertSystem(writer, { tenantId, systemId, name: names.system, sourceTimezone: null }, now);
    });
    return { tenantId, systemId };
  }
  /** Resolves to a key with all rights, except for the given limits. */
  function newKey(given: NewKey): Promise<string> {
    const key = { ...given, limits: given.limits ?? { actions: KEY_ACTIONS, streams: null } };
    const actor = { tenantId: key.tenantId, kind: "service" as const, id: "test", roles: [] };
    return context.database.write((writer) => systemKeys.create(writer, key, actor));
  }

  const stream = async () =>
    (
      await owner.post("/v2/streams", {
        system_id: victim.systemId,
        use_case: MARKERS.useCase,
        policy_id: "default",
        metadata: { note: MARKERS.metadata },
      })
    ).body.stream_id as string;
  const [streamId, unnamed] = [await stream(), await stream()];
  const { body: record } = await owner.append(streamId, EVENT);
  const { body: other } = await owner.append(unnamed, EVENT);
  const { body: logged } = await log(owner, ENTRY);
  const { latest_checkpoint_id: earlier } = await owner.witnessed(streamId, 1);
  await owner.append(streamId, { ...EVENT, payload: { note: MARKERS.payload, second: true } });
  const { latest_window_id: windowId, latest_checkpoint_id: checkpointId } = await owner.witnessed(streamId, 2);
  await owner.witnessed(unnamed, 1);
  const firstAnchor = await until("two epochs", async () => {
    const { body } = await owner.get("/v2/anchors?limit=2");
    return body.items.length === 2 ? (body.items[0].anchor_epoch_id as string) : null;
  });
  const ready = await readyExport(owner, { streams: [streamId], payloads: "redacted" });
  const { ticket } = await prepared(owner, ready.export_id);
  const held = await download(owner, ready);
  const { text: window } = await owner.get(`/v2/windows/${windowId}`);
  const signer = await context.database.read((reader) => context.signingKey.current(reader));
  const retold = await issueReceipt(
    kernel,
    signer,
    { ...EVENT, payload: { note: MARKERS.payload, retold: true } },
    { ...record, payload_salt: "00".repeat(16) },
  );
  const fork = issueForkEvidence(redactRecord(record) as never, redactRecord(retold) as never, {
    fork_id: newId("frk"),
    stream_id: streamId,
    kind: "head",
    detected_at: now,
  });
  const ids: Ids = {
    streamId,
    systemId: victim.systemId,
    eventId: record.stream_event_id,
    loggedId: logged.stream_event_id,
    exportId: ready.export_id,
    ticket,
    report: JSON.stringify(goodReport(ready, held)),
    windowId,
    checkpointId,
    earlier,
    policyId: "default",
    anchorId: "latest",
    firstAnchor,
    ivcEpochId: "ivc_01",
    window,
    fork: JSON.stringify(fork),
  };
  const secrets = [
    ...Object.values(MARKERS),
    record.payload_salt,
    logged.payload_salt,
    other.payload_salt,
    other.stream_event_id,
    unnamed,
    victim.tenantId,
    owner.key.slice(-43),
    ready.package.sha256,
  ];
  return {
    server,
    client,
    made,
    owner,
    victim,
    ids,
    unnamed,
    secrets,
    newSystem,
    newKey,
    routes: contractsOf({ withMetrics: false }),
  };
}
type Started = Awaited<ReturnType<typeof start>>;

function nameOf({ method, path }: Contract): string {
  return `${method} ${path}`;
}

/** Requests the victim's data from a route. */
async function ask(client: Client, one: Contract, all: Ids): Promise<Answer> {
  const name = nameOf(one);
  const ids: Ids = {
    ...all,
    // These routes ask for events of the log.
    ...(one.chapter === "log" ? { eventId: all.loggedId ?? "" } : {}),
    // A built-in policy is nobody's to declare.
    ...(one.method === "PUT" ? { policyId: "own" } : {}),
  };
  const path = one.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    assert.ok(
      ids[parameter] !== undefined,
      `${name}: add an id for {${parameter}} to packages/server/test/tenancy/unauthenticated.test.ts`,
    );
    return ids[parameter] ?? "";
  });
  const query = QUERIES[name]?.(ids) ?? "";
  const where = path + (query === "" ? "" : `?${query}`);
  const key: Record<string, string> = one.idempotencyKey === "none" ? {} : { "idempotency-key": newId("key") };
  if (one.body === null) return client.send(one.method, where, undefined, key);
  assert.ok(BODIES[name] !== undefined, `${name}: add a body to packages/server/test/tenancy/unauthenticated.test.ts`);
  const sent = JSON.stringify(BODIES[name]?.(ids));
  return client.send(one.method, where, sent, { "content-type": "application/json", ...key });
}

function assertSilent({ text, headers }: Answer, secrets: readonly string[], who: string): void {
  const said = text + JSON.stringify([...headers]);
  for (const secret of secrets) assert.ok(!said.includes(secret), `${who} reads ${secret}: ${text}`);
}

/**
 * Sends a stranger's request to each route that needs a key; an answer that is no refusal must hold nothing of the
 * victim's.
 */
async function askAll({ routes, ids, secrets }: Started, client: Client): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  for (const one of routes.filter(({ access }) => access.includes("system"))) {
    const answer = await ask(client, one, ids);
    assertSilent(answer, secrets, nameOf(one));
    codes.set(nameOf(one), answer.status < 400 ? "ok" : answer.body.detail.code);
  }
  return codes;
}

/** Returns whether a request of the route names an object of the victim, for which it can be refused. */
function namesTheirs(name: string): boolean {
  return /\{(?:streamId|eventId|exportId)\}|^POST \/v2\/audit\/packs$|^POST \/v1\/exports$/.test(name);
}

/** Returns the expected code if the request names no stream or event: lists of the stranger's own are empty. */
function withoutTheirs(name: string): RegExp {
  return name === "POST /v2/streams" ? /^system_forbidden$/ : /^ok$/;
}

/** Routes of objects that do not exist yet. */
const RESERVED = /^\/v2\/ivc\//;

const WHERE = "answers a stranger otherwise: if it may, say so in packages/server/test/tenancy/unauthenticated.test.ts";

test("strangers", async (t) => {
  const started = await start(t);
  await t.test("the victim itself is served on every route: so what strangers are refused is there", async () => {
    const { routes, owner, ids } = started;
    for (const one of routes) {
      const { status, text } = await ask(owner, one, ids);
      // The test sends a window in place of a receipt or a proof, because anybody can have one.
      const expected = /^\/v2\/verify\/receipt$|^\/v1\/public\//.test(one.path)
        ? 422
        : RESERVED.test(one.path)
          ? 404
          : one.answer.status;
      assert.equal(status, expected, `${nameOf(one)}: ${text}`);
    }
  });

  await t.test(
    "without a key, with a wrong one, a revoked one, an expired one: 401 on every route that needs one",
    async () => {
      const { server, victim, newKey } = started;
      const { context } = server.service;
      const [revoked, expired] = [
        await newKey(victim),
        await newKey({ ...victim, expiresAt: serviceTime(context.clock()) }),
      ];
      const id = `key_${revoked.slice("svc_sk_".length, -44)}`;
      const changed = await context.database.write((writer) =>
        writer.run("UPDATE credentials SET revoked_at = created_at WHERE credential_id = $1", id),
      );
      assert.equal(changed, 1);
      for (const key of [
        "",
        "wrong",
        `${revoked.slice(0, -1)}${revoked.endsWith("A") ? "B" : "A"}`,
        revoked,
        expired,
      ]) {
        const codes = await askAll(started, new Client(server.url, key));
        assert.ok(codes.size >= 10);
        assert.deepEqual([...new Set(codes.values())], ["unauthorized"]);
      }
    },
  );

  await t.test("to another tenant nothing of the victim's exists", async () => {
    const codes = await askAll(
      started,
      new Client(started.server.url, await started.newKey(await started.newSystem(null))),
    );
    for (const [name, code] of codes) {
      const promised = namesTheirs(name) ? /^(?:stream|receipt|export)_not_found$/ : withoutTheirs(name);
      assert.match(code, promised, `${name} ${WHERE}`);
    }
  });

  await t.test("another system of the same tenant is refused by name", async () => {
    const colleague = await started.newSystem(started.victim.tenantId);
    const codes = await askAll(started, new Client(started.server.url, await started.newKey(colleague)));
    for (const [name, code] of codes) {
      assert.match(code, namesTheirs(name) ? /^(?:stream|export)_forbidden$/ : withoutTheirs(name), `${name} ${WHERE}`);
    }
  });

  await t.test("a key that may do all but what a route needs is refused there, and only there", async () => {
    const { server, victim, ids, routes, newKey, secrets } = started;
    for (const action of KEY_ACTIONS) {
      const actions = KEY_ACTIONS.filter((one) => one !== action);
      const client = new Client(server.url, await newKey({ ...victim, limits: { actions, streams: null } }));
      for (const one of routes.filter(({ access }) => access.includes("system"))) {
        const answer = await ask(client, one, ids);
        assert.equal(answer.body?.detail?.code === "action_forbidden", one.action === action, nameOf(one));
        if (one.action === action) assertSilent(answer, secrets, nameOf(one));
      }
    }
  });

  await t.test("a key that is kept to other streams reaches none of those", async () => {
    const { server, victim, newKey } = started;
    const made = await newKey({ ...victim, limits: { actions: KEY_ACTIONS, streams: [newId("str")] } });
    const { routes, ids, secrets } = started;
    for (const one of routes.filter((route) => route.access.includes("system"))) {
      const answer = await ask(new Client(server.url, made), one, ids);
      if (namesTheirs(nameOf(one))) assert.match(answer.body.detail.code, /^(?:stream|export)_forbidden$/, nameOf(one));
      assertSilent(answer, secrets, nameOf(one));
    }
  });

  await t.test("public routes carry hashes, keys and times of the victim's evidence, and nothing else", async () => {
    const { server, routes, ids, secrets } = started;
    const nobody = new Client(server.url, "");
    for (const one of routes.filter(({ access }) => access.includes("public")))
      assertSilent(await ask(nobody, one, ids), secrets, nameOf(one));
  });
});
