/**
 * The witnesses of a policy as a tenant declares them over HTTP: versions, repetitions, and each refusal by its code.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { WitnessPolicyBody } from "@svc/api";
import { MAX_WITNESS_KEYS } from "@svc/api/limits";
import { type PublicKeyHex, pinKeys, verify } from "@svc/core";
import type { KeyLimits } from "@svc/host/principal";
import { testSigner } from "@svc/testkit/evidence/signer";
import { type Answer, Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { operatorOf } from "../../src/commands/deployment.ts";
import { kernel } from "../../src/kernel.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";

const PATH = "/v2/tenant/witness/policies";
const POLICY_KEY = { actions: ["read", "append", "create_stream", "create_pack", "declare_policy"], streams: null };

type DeclaredKey = NonNullable<WitnessPolicyBody["witnessKeys"]>[number];

/** An outside witness by its name. */
function outside(label: string, more: Partial<DeclaredKey> = {}): DeclaredKey {
  return {
    witness_id: label,
    name: `${label}.example/witness`,
    public_key_hex: testSigner(label).publicKeyHex,
    ...more,
  };
}

/** Resolves to a server, a client that may declare, and the means to make others. */
async function start(t: TestContext) {
  const { server, made } = await startServer(t);
  const { context } = server.service;
  const clientWith = async (limits: KeyLimits | null) => {
    const owner = { tenantId: made.tenant_id, systemId: made.system_id };
    const wanted = { ...owner, limits };
    const key = await context.database.write((writer) =>
      systemKeysOf(context).create(writer, wanted, operatorOf(made.tenant_id)),
    );
    return new Client(server.url, key);
  };
  const client = await clientWith(POLICY_KEY as KeyLimits);
  const declare = (id: string, body: WitnessPolicyBody, headers = {}) => client.put(`${PATH}/${id}`, body, headers);
  const own = (await client.get("/v2/witness/policies/default")).body.witnessKeys[0];
  const streamOf = async (policy_id: string) =>
    (await client.post("/v2/streams", { system_id: made.system_id, use_case: "loans", policy_id, metadata: {} })).body
      .stream_id as string;
  return { server, made, client, clientWith, declare, own, streamOf };
}

test("a declaration is the next version, and a repeated one changes nothing", async (t) => {
  const { client, declare, own } = await start(t);
  const one = await declare("quorum", { mode: "independent", threshold: 1, witnessKeys: [outside("a")] });
  assert.equal(one.status, 200);
  const { witness_policy, witness_policy_digest, when_unmet } = one.body;
  assert.equal(when_unmet, "closed");
  assert.deepEqual(witness_policy, {
    policy_id: "quorum",
    policy_version: 1,
    mode: "independent",
    threshold: 1,
    witnessKeys: [
      { ...outside("a"), key_epoch: 1, valid_from: witness_policy.declared_at, valid_to: null, managed: false },
    ],
    declared_at: witness_policy.declared_at,
  });
  const again = await declare("quorum", { mode: "independent", witnessKeys: [outside("a")] });
  assert.equal(again.text, one.text, "the threshold is 1 where it is left out");
  const opened = await declare("quorum", { mode: "independent", witnessKeys: [outside("a")], when_unmet: "open" });
  assert.deepEqual([opened.body.witness_policy.policy_version, opened.body.when_unmet], [2, "open"]);
  const shadow = await declare("quorum", {});
  assert.deepEqual(shadow.body.witness_policy.witnessKeys, [own]);
  assert.equal(shadow.body.witness_policy.policy_version, 3);
  assert.deepEqual(shadow.body.unmet, []);

  const read = (query: string) => client.get(`/v2/witness/policies/quorum${query}`);
  assert.deepEqual((await read("")).body, shadow.body.witness_policy);
  assert.deepEqual((await read(`?digest=${witness_policy_digest}`)).body, witness_policy);

  const key = { "idempotency-key": "one" };
  const both = [outside("a"), outside("b")];
  const first = await declare("quorum", { mode: "independent", threshold: 2, witnessKeys: both }, key);
  assert.equal((await declare("quorum", {})).body.witness_policy.policy_version, 5);
  const replayed = await declare("quorum", { mode: "independent", threshold: 2, witnessKeys: both }, key);
  assert.equal(replayed.text, first.text, "the version of the first request, though another is newer");
  const other = await declare("quorum", { threshold: 1 }, key);
  assert.equal(other.body.detail.code, "idempotency_conflict");
});

test("the service's own witness can be beside others", async (t) => {
  const { declare, own } = await start(t);
  const { name, public_key_hex } = own;
  const managed = { witness_id: "own", name, public_key_hex, managed: true };
  const { status, body } = await declare("both", { threshold: 2, witnessKeys: [managed, outside("a")] });
  assert.equal(status, 200);
  assert.deepEqual(
    body.witness_policy.witnessKeys.map((key: DeclaredKey) => key.managed),
    [true, false],
  );
});

test("the numbers of a policy stay as they were; a change reaches windows from then on", async (t) => {
  const { client, made, declare, streamOf } = await start(t);
  const before = await declare("small", { threshold: 1 });
  const stream_id = await streamOf("small");
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const after = await declare("small", { threshold: 1, when_unmet: "open" });
  await client.append(stream_id, loan(2));
  await client.witnessed(stream_id, 2);
  const { text, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 2 });
  assertVerified(text, made.public_key_hex as PublicKeyHex, "bundle");
  assert.deepEqual(
    body.artifacts["windows.json"].map((window: { witness_policy_digest: string }) => window.witness_policy_digest),
    [before, after].map((version) => version.body.witness_policy_digest),
  );
  const [first, second] = body.artifacts["witnesses.json"].policies;
  assert.deepEqual({ ...first, policy_version: 2 }, second);
});

test("every fault of a declaration has its code, and nothing is stored", async (t) => {
  const { made, client, declare, own } = await start(t);
  const early = "2026-01-01T00:00:00.000Z";
  const late = "2026-02-01T00:00:00.000Z";
  const { name, public_key_hex } = own;
  const independent = (...witnessKeys: DeclaredKey[]): WitnessPolicyBody => ({ mode: "independent", witnessKeys });
  const b = (more: Partial<DeclaredKey>) => outside("b", { witness_id: "a", key_epoch: 2, ...more });
  const cases: readonly (readonly [string, string, object])[] = [
    ["invalid_request", "/threshold", { threshold: 0 }],
    ["invalid_request", "/threshold", { threshold: 1.5 }],
    ["invalid_request", "/colour", { colour: "red" }],
    ["invalid_request", "/mode", { mode: "shadow" }],
    ["invalid_request", "/when_unmet", { when_unmet: "ajar" }],
    ["invalid_request", "/witnessKeys/0/url", independent({ ...outside("a"), url: "https://a.example" } as never)],
    ["invalid_request", "/witnessKeys/0/name", independent(outside("a", { name: "a+b" }))],
    ["invalid_request", "/witnessKeys/0/valid_to", independent(outside("a", { valid_to: "2026-02-30T00:00:00.000Z" }))],
    ["witness_threshold_unreachable", "/threshold", { threshold: 2 }],
    ["witness_threshold_unreachable", "/threshold", { ...independent(outside("a")), threshold: 2 }],
    [
      "witness_threshold_unreachable",
      "/threshold",
      {
        ...independent(
          outside("a", { valid_from: early, valid_to: late }),
          b({ valid_from: "2026-02-01T00:00:01.000Z" }),
        ),
        threshold: 2,
      },
    ],
    ["witness_keys_missing", "/witnessKeys", { mode: "independent" }],
    ["witness_keys_missing", "/witnessKeys", independent()],
    [
      "witness_key_repeated",
      "/witnessKeys/1/public_key_hex",
      independent(outside("a"), { ...outside("a"), witness_id: "b", name: "b.example" }),
    ],
    [
      "witness_name_repeated",
      "/witnessKeys/1/name",
      independent(outside("a"), outside("b", { name: outside("a").name })),
    ],
    ["witness_epochs_overlap", "/witnessKeys/1/key_epoch", independent(outside("a"), b({ key_epoch: 1 }))],
    ["witness_epochs_overlap", "/witnessKeys/1/valid_from", independent(outside("a"), b({}))],
    // The second that both ends are in.
    [
      "witness_epochs_overlap",
      "/witnessKeys/1/valid_from",
      independent(outside("a", { valid_from: early, valid_to: late }), b({ valid_from: "2026-02-01T00:00:00.999Z" })),
    ],
    // The times are not in the order of the epochs.
    [
      "witness_epochs_overlap",
      "/witnessKeys/1/valid_from",
      independent(outside("a", { valid_from: "2026-02-01T00:00:01.000Z" }), b({ valid_from: early, valid_to: late })),
    ],
    [
      "witness_validity_backwards",
      "/witnessKeys/0/valid_to",
      independent(outside("a", { valid_from: late, valid_to: early })),
    ],
    ["witness_validity_backwards", "/witnessKeys/0/valid_to", independent(outside("a", { valid_to: early }))],
    ["witness_not_managed", "/witnessKeys/0/managed", { witnessKeys: [outside("a", { managed: true })] }],
    [
      "witness_not_managed",
      "/witnessKeys/0/managed",
      { witnessKeys: [{ witness_id: "own", name: "other.example", public_key_hex, managed: true }] },
    ],
    [
      "witness_not_independent",
      "/witnessKeys/0/public_key_hex",
      independent(outside("a", { public_key_hex: made.public_key_hex as PublicKeyHex })),
    ],
    [
      "witness_not_independent",
      "/witnessKeys/0/public_key_hex",
      { witnessKeys: [{ witness_id: "own", name, public_key_hex }] },
    ],
    [
      "witness_not_independent",
      "/witnessKeys/0/public_key_hex",
      independent({ witness_id: "own", name, public_key_hex, managed: true }),
    ],
  ];
  for (const [code, path, body] of cases) {
    const answer = await declare("wrong", body as WitnessPolicyBody);
    const { detail } = answer.body;
    assert.deepEqual([answer.status, detail.code, detail.problems?.[0]?.path], [422, code, path], answer.text);
  }
  const many = Array.from({ length: MAX_WITNESS_KEYS + 1 }, (_, index) => outside(`w${index}`));
  assert.equal((await declare("wrong", independent(...many))).body.detail.problems[0].path, "/witnessKeys");
  assert.equal((await declare("whole", independent(...many.slice(1)))).status, 200);

  const several = await declare("wrong", { ...independent(outside("a"), outside("a")), threshold: 3 });
  assert.equal(several.body.detail.code, "witness_key_repeated");
  assert.deepEqual(
    several.body.detail.problems.map(({ path }: { path: string }) => path),
    ["/witnessKeys/1/public_key_hex", "/witnessKeys/1/key_epoch", "/threshold"],
  );
  assert.equal((await declare("default", {})).body.detail.code, "policy_id_taken");
  assert.equal((await declare("Wrong%20Id", {})).body.detail.problems[0].path, "/policy_id");
  assert.equal((await client.get("/v2/witness/policies/wrong")).status, 404);
});

test("a key needs the action by name, and may not be kept to streams", async (t) => {
  const { clientWith, made } = await start(t);
  const declared = async (limits: KeyLimits | null): Promise<Answer> =>
    (await clientWith(limits)).put(`${PATH}/one`, { threshold: 1 });
  assert.equal((await declared(null)).body.detail.code, "action_forbidden");
  const kept = await declared({ actions: ["declare_policy"], streams: [made.stream_id ?? ""] });
  assert.deepEqual([kept.status, kept.body.detail.code], [403, "action_forbidden"]);
  assert.equal((await declared({ actions: ["declare_policy"], streams: null })).status, 200);
});

test("without the quorum a closed policy refuses packs; an open one gives them, and they say what they lack", async (t) => {
  const { client, made, declare, streamOf } = await start(t);
  const nobody: WitnessPolicyBody = { mode: "independent", witnessKeys: [outside("a")] };
  await declare("closed", { ...nobody });
  await declare("open", { ...nobody, when_unmet: "open" });
  const [closed, open] = [await streamOf("closed"), await streamOf("open")];
  for (const stream of [closed, open]) await client.append(stream, loan(1));
  const pack = (stream_id: string, key: string) =>
    client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 1 }, { "idempotency-key": key });
  const [refused, given] = await Promise.all([pack(closed, "c"), pack(open, "o")]);
  assert.deepEqual([refused.status, refused.body.detail.code], [409, "evidence_missing"]);
  assert.deepEqual(
    refused.body.detail.missing.map(({ evidence }: { evidence: string }) => evidence),
    ["witness_statements"],
  );
  assert.deepEqual([given.status, given.headers.get("svc-evidence-missing")], [201, "witness_statements"]);
  const trust = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const report = verify(Buffer.from(given.text), { kind: "bundle", trust, kernel });
  assert.equal(report.verdict, "rejected");
  assert.deepEqual(
    report.problems.map(({ code }) => code),
    ["witness_quorum_unmet"],
  );
  const again = await pack(open, "o");
  assert.deepEqual([again.text, again.headers.get("svc-evidence-missing")], [given.text, "witness_statements"]);

  const own = await streamOf("default");
  await client.append(own, loan(1));
  const whole = await pack(own, "w");
  assert.deepEqual([whole.status, whole.headers.get("svc-evidence-missing")], [201, null]);
});
