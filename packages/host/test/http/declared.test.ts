/** An application keeps what contracts declare: who may ask, which statuses answer, and forms as bodies. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { type Access, contract, type KeyAction } from "@svc/api";
import { referenceKernel } from "@svc/core";
import pino from "pino";
import Type from "typebox";
import { ServiceError } from "../../src/errors.ts";
import { application } from "../../src/http/application.ts";
import { createListener } from "../../src/http/listener.ts";
import { RateLimit } from "../../src/http/rate-limit.ts";
import { ReadingLane } from "../../src/http/reading-lane.ts";
import { bind, json, type Route } from "../../src/http/route.ts";
import { KeyedHash } from "../../src/keyed-hash.ts";

const KEY = "Bearer key";
const STATED = { chapter: "exports", summary: "Any." } as const;
const answer = { status: 200, description: "Done.", schema: Type.Object({}) } as const;

/** Serves routes, for a system whose key has these actions. Resolves to its URL. */
async function served(t: TestContext, routes: readonly Route[], actions: readonly KeyAction[] | null = null) {
  const principal = {
    tenantId: "tnt_1",
    kind: "system",
    id: "sys_1",
    roles: [],
    limits: { actions, streams: null },
  } as const;
  const listener = createListener(
    application(routes, {
      kernel: referenceKernel,
      keyedHash: new KeyedHash("test", Buffer.alloc(32)),
      authenticate: async (authorization) => (authorization === KEY ? { keyId: "key_1", principal } : null),
      unauthorized: () => new ServiceError("unauthorized", "Nobody."),
      refused: () => undefined,
      limits: { byKey: new RateLimit(0), byAddress: new RateLimit(0) },
      lane: new ReadingLane({ isRecording: () => false }),
      metricsToken: null,
      logger: pino({ level: "silent" }),
      requestMetrics: null,
      trustedProxies: [],
      isOpenToPages: true,
      answerHeaders: [],
    }),
  );
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => {
    listener.closeAllConnections();
    listener.close();
  });
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

test("a system key opens routes for systems and tenants, and no others that know their caller", async (t) => {
  const of = (name: string, access: Access | readonly Access[]) =>
    bind(contract({ ...STATED, method: "GET", path: `/${name}`, access, answer }), ({ principal }) =>
      json({ caller: (principal as { id: string } | null)?.id ?? null }),
    );
  const known = ["session", "installation", "auditor", "developer"] as const;
  const url = await served(t, [
    ...(["public", "entry", "signature", "ticket", "system", "tenant", "metrics", ...known] as const).map((kind) =>
      of(kind, kind),
    ),
    of("either", ["entry", "session"]),
    of("both", ["tenant", "auditor"]),
  ]);
  const ask = async (name: string, headers: Record<string, string> = {}) => {
    const got = await fetch(`${url}/${name}`, { headers });
    const body = (await got.json()) as { caller?: string | null };
    return got.status === 200 ? (body.caller ?? "nobody") : got.status;
  };
  for (const name of ["public", "entry", "signature", "ticket", "metrics", "either"])
    for (const headers of [{}, { authorization: KEY }, { authorization: "Bearer other" }] as Record<string, string>[])
      assert.equal(await ask(name, headers), "nobody", name);
  for (const name of ["system", "tenant", "both"]) {
    assert.equal(await ask(name, { authorization: KEY }), "sys_1", name);
    assert.equal(await ask(name, { authorization: "Bearer other" }), 401, name);
    assert.equal(await ask(name), 401, name);
  }
  for (const name of known)
    for (const headers of [{}, { authorization: KEY }] as Record<string, string>[])
      assert.equal(await ask(name, headers), 401, name);
});

test("a key needs the action of the route, or the one that includes it", async (t) => {
  const of = (action: "manage_webhooks" | "read_webhooks") =>
    bind(contract({ ...STATED, method: "PATCH", path: `/${action}`, access: "tenant", action, answer }), () =>
      json({}),
    );
  const routes = [of("manage_webhooks"), of("read_webhooks")];
  const statuses = async (actions: readonly KeyAction[] | null) => {
    const url = await served(t, routes, actions);
    const ask = async (name: string) =>
      (await fetch(`${url}/${name}`, { method: "PATCH", headers: { authorization: KEY } })).status;
    return [await ask("manage_webhooks"), await ask("read_webhooks")];
  };
  assert.deepEqual(await statuses(null), [403, 403]);
  assert.deepEqual(await statuses(["manage_webhooks"]), [200, 200]);
  assert.deepEqual(await statuses(["manage_connectors", "read"]), [403, 403]);
});

test("an answer has a status that its contract declares, and no other", async (t) => {
  const made = contract({
    ...STATED,
    method: "GET",
    path: "/made",
    access: "public",
    query: {},
    answer: { ...answer, status: 201, others: { 200: "It was there." } },
  });
  for (const [status, expected] of [
    [undefined, 201],
    [201, 201],
    [200, 200],
    [202, 500],
    [303, 500],
  ] as const) {
    const url = await served(t, [bind(made, () => ({ text: "{}", ...(status === undefined ? {} : { status }) }))]);
    assert.equal((await fetch(`${url}/made`)).status, expected, `${status}`);
  }
});

test("a form's fields are texts, read as UTF-8, each once", async (t) => {
  const Fields = Type.Object(
    { SAMLResponse: Type.String(), RelayState: Type.String() },
    { additionalProperties: false },
  );
  const route = bind(
    contract({
      ...STATED,
      method: "POST",
      path: "/form",
      access: "public",
      body: { schema: Fields, maxBytes: 200, form: true },
      answer,
    }),
    ({ body }) => json(body),
  );
  const url = await served(t, [route]);
  const send = async (body: string | Buffer, type = "application/x-www-form-urlencoded") => {
    const sent = typeof body === "string" ? body : new Uint8Array(body);
    const got = await fetch(`${url}/form`, { method: "POST", headers: { "content-type": type }, body: sent });
    const read = (await got.json()) as { detail?: { code: string } };
    return got.status === 200 ? read : read.detail?.code;
  };
  const good = { SAMLResponse: "a+b/ü=", RelayState: "" };
  assert.deepEqual(await send(new URLSearchParams(good).toString()), good);
  assert.deepEqual(await send("RelayState=&SAMLResponse=a%2Bb%2F%C3%BC=&"), good);
  assert.deepEqual(await send("RelayState=a+b&SAMLResponse", "application/x-www-form-urlencoded; charset=UTF-8"), {
    RelayState: "a b",
    SAMLResponse: "",
  });
  for (const [body, code] of [
    ["RelayState=1&SAMLResponse=2&RelayState=3", "duplicate_name"],
    ["RelayState=1&SAMLResponse=%FF", "invalid_unicode"],
    ["RelayState=1&SAMLResponse=%C3", "invalid_unicode"],
    ["RelayState=1&SAMLResponse=%zz", "invalid_unicode"],
    [Buffer.from("RelayState=1&SAMLResponse=\xff", "latin1"), "invalid_unicode"],
    ["RelayState=1", "invalid_request"],
    ["RelayState=1&SAMLResponse=2&more=3", "invalid_request"],
    ["", "invalid_request"],
    [`RelayState=1&SAMLResponse=${"x".repeat(200)}`, "body_too_large"],
  ] as const)
    assert.equal(await send(body), code, String(body));
  assert.equal(await send("RelayState=1&SAMLResponse=2", "application/json"), "unsupported_media_type");
  assert.equal(await send("{}", "text/plain"), "unsupported_media_type");
  assert.deepEqual(await send("__proto__=1&SAMLResponse=2&RelayState=3"), "invalid_request");
});
