/**
 * The administration as evidence: each change has one entry of the access log and one event of its tenant, whether the
 * server makes it or a command beside it; the check finds each that was taken away or changed afterwards.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Contract, GRANTED_ACTIONS } from "@svc/api";
import { serviceTime } from "@svc/host/clock";
import { Lease } from "@svc/host/jobs";
import type { Principal } from "@svc/host/principal";
import { administrationAtOnce } from "../../src/administration/at-once.ts";
import { checkAdministration } from "../../src/administration/check-administration.ts";
import { recordDueChanges } from "../../src/administration/recorder.ts";
import { RefusedActs, refusedActsPart } from "../../src/administration/refused-acts.ts";
import { policyDeclared } from "../../src/policies/events.ts";
import { PURPOSES } from "../../src/streams/purposes.ts";
import { recorded } from "../../src/streams/recorded.ts";
import { recordBeside } from "../../src/tenancy/administration.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { contextUnderTest, heard } from "../context-under-test.ts";
import { at, BANK, INSURER, LOANS, principalOf, serviceIn } from "../store-under-test.ts";

const [DIGEST, EARLIER] = ["2b".repeat(32), "1a".repeat(32)];
const CHANGE = {
  type: policyDeclared,
  objectId: "pol_one",
  before: { policy_version: 1, witness_policy_digest: EARLIER },
  after: { policy_version: 2, witness_policy_digest: DIGEST },
};

async function administering(t: TestContext) {
  const { context, store, now } = await contextUnderTest(t);
  const told = heard(context, recorded);
  const administration = administrationAtOnce(context);
  const atOnce = (actor: Principal, change = CHANGE) =>
    administration.write((_, record) => record(actor, change, at(1000)));
  const beside = (actor: Principal, change = CHANGE) =>
    store.write((writer) => recordBeside(writer)(actor, change, at(1000)));
  const settle = async () => {
    const lease = new Lease(context, "administration");
    assert.ok(await lease.acquire());
    await recordDueChanges(context, lease, new AbortController().signal, (error) => {
      throw error;
    });
    await lease.release();
  };
  const entries = () =>
    store.read((reader) =>
      reader.all<{ access_id: string; action: string; event: string | null; seq_no: number | null }>(
        `SELECT access_id, action, administration_stream_id AS event, administration_seq_no AS seq_no
         FROM access_log ORDER BY access_id`,
      ),
    );
  const payloads = (tenantId: string) =>
    store.read(async (reader) =>
      (
        await reader.all<{ event_type: string; source_ref: string; payload: string }>(
          `SELECT v.event_type, v.source_ref, v.payload FROM events v JOIN streams s ON s.stream_id = v.stream_id
           WHERE s.tenant_id = $1 AND s.use_case = $2 ORDER BY v.seq_no`,
          tenantId,
          PURPOSES.administration,
        )
      ).map(({ event_type, source_ref, payload }) => ({ event_type, source_ref, ...JSON.parse(payload) })),
    );
  const faults = async () => {
    const found: string[] = [];
    for await (const { table, fault } of checkAdministration({ ...context, events: THIN_SERVER.events }))
      found.push(`${table}: ${fault}`);
    return found;
  };
  return { context, store, now, told, administration, atOnce, beside, settle, entries, payloads, faults };
}

/** Returns the event of `CHANGE`. */
const saidBy = ({ kind, id }: Principal) => ({
  event_type: "policy.declared",
  source_ref: "pol_one",
  actor: { kind, id },
  methods: [],
  object: "pol_one",
  before: CHANGE.before,
  after: CHANGE.after,
  request_id: null,
});

test("a change of the server has its entry and its event in its own transaction", async (t) => {
  const { told, administration, atOnce, entries, payloads, faults } = await administering(t);
  const actor = principalOf(LOANS);
  await atOnce(actor);
  assert.deepEqual(await payloads(BANK), [saidBy(actor)]);
  const [entry] = await entries();
  assert.deepEqual([entry?.event, entry?.seq_no], [told[0]?.last.stream_id, 1]);
  assert.equal(told.length, 1);

  const refused = administration.write(async (_, record) => {
    await record(actor, CHANGE, at(1000));
    throw new Error("not now");
  });
  await assert.rejects(refused, /not now/);
  assert.deepEqual([(await entries()).length, (await payloads(BANK)).length, told.length], [1, 1, 1]);
  assert.deepEqual(await faults(), []);
});

test("the events of one transaction are numbered one after the other, and each tenant has its own stream", async (t) => {
  const { administration, atOnce, entries, faults, payloads } = await administering(t);
  await administration.write(async (_, record) => {
    for (const objectId of ["one", "two"]) await record(serviceIn(BANK), { ...CHANGE, objectId }, at(1000));
  });
  await atOnce(serviceIn(INSURER));
  assert.deepEqual(
    (await entries()).map(({ seq_no }) => seq_no),
    [1, 2, 1],
  );
  assert.equal(new Set((await entries()).map(({ event }) => event)).size, 2);
  assert.deepEqual([(await payloads(BANK)).length, (await payloads(INSURER)).length], [2, 1]);
  assert.deepEqual(await faults(), []);
});

test("the event of a change that was made beside the server is recorded in the next round, once", async (t) => {
  const { told, beside, settle, entries, payloads, faults } = await administering(t);
  await beside(serviceIn(BANK));
  assert.deepEqual([(await entries())[0]?.seq_no, await payloads(BANK), await faults()], [null, [], []]);
  await settle();
  assert.deepEqual(await payloads(BANK), [saidBy(serviceIn(BANK))]);
  assert.equal((await entries())[0]?.seq_no, 1);
  await settle();
  assert.deepEqual([(await payloads(BANK)).length, told.length], [1, 1]);
  assert.deepEqual(await faults(), []);
});

const TAMPERING: Readonly<Record<string, { readonly sql: string; readonly faults: readonly string[] }>> = {
  "a message about a change that waits is taken away": {
    sql: "DELETE FROM outbox",
    faults: ["access_log: no event of the administration says what it says, and no message about it waits"],
  },
  "an entry is taken away": {
    sql: "DELETE FROM access_log WHERE administration_seq_no = 1",
    faults: ["events: the audit log does not say what this event of the administration says"],
  },
  "an entry is said to be of earlier": {
    sql:
      "UPDATE access_log SET administration_seq_no = 0, administration_stream_id = NULL " +
      "WHERE administration_seq_no = 1",
    faults: ["events: the audit log does not say what this event of the administration says"],
  },
  "an entry names another event": {
    sql: "UPDATE access_log SET administration_seq_no = 9 WHERE administration_seq_no = 1",
    faults: [
      "access_log: the event of the administration that it names is not there, or says something else",
      "events: the audit log does not say what this event of the administration says",
    ],
  },
  "an entry has another actor": {
    sql: "UPDATE access_log SET actor_id = 'sys_other' WHERE administration_seq_no = 1",
    faults: ["access_log: its event of the administration says something else"],
  },
  "an entry says something else": {
    sql: "UPDATE access_log SET detail = '{}' WHERE administration_seq_no = 1",
    faults: ["access_log: its event of the administration says something else"],
  },
};

for (const [name, { sql, faults }] of Object.entries(TAMPERING))
  test(`the check finds it if ${name}`, async (t) => {
    const { store, atOnce, beside, faults: found } = await administering(t);
    await atOnce(principalOf(LOANS));
    await beside(serviceIn(BANK), { ...CHANGE, objectId: "pol_two" });
    assert.deepEqual(await found(), []);
    await store.write((writer) => writer.run(sql));
    assert.deepEqual(await found(), faults);
  });

test("an act that a key was refused is recorded once an hour for each action that is granted by name", async (t) => {
  const { context, now, payloads, faults } = await administering(t);
  const part = refusedActsPart.make(context);
  const pending: Promise<void>[] = [];
  let failure: Error | null = null;
  const acts = new RefusedActs(context, {
    record: (actor, act) => {
      const done = failure === null ? part.record(actor, act) : Promise.reject(failure);
      pending.push(done.catch(() => undefined));
      return done;
    },
  });
  const tries = async (action: Contract["action"], keyId = "key_one") => {
    const route = { method: "PUT", path: "/v2/policies/{policyId}", action } as Contract;
    acts.note({ keyId, principal: { ...principalOf(LOANS), limits: { actions: ["read"], streams: null } } }, route);
    await Promise.all(pending);
    return (await payloads(BANK)).length;
  };
  for (const usual of ["read", "append", "create_stream", "create_pack", "export"] as const)
    assert.equal(await tries(usual), 0, usual);
  assert.equal(await tries("declare_policy"), 1);
  assert.equal(await tries("declare_policy"), 1, "within the hour");
  assert.equal(await tries("declare_policy", "key_two"), 2, "another key");
  now.seconds += 3599;
  assert.equal(await tries("declare_policy"), 2);
  now.seconds += 1;
  assert.equal(await tries("declare_policy"), 3);
  failure = new Error("the disk is full");
  assert.equal(await tries("erase"), 3);
  failure = null;
  assert.equal(await tries("erase"), 4, "a failure is tried again");
  for (const action of GRANTED_ACTIONS) await tries(action);
  for (const action of GRANTED_ACTIONS) await tries(action);
  const said = await payloads(BANK);
  assert.equal(said.length, 4 + GRANTED_ACTIONS.length - 2);
  const { kind, id } = principalOf(LOANS);
  assert.deepEqual(said[0], {
    event_type: "administration.refused",
    source_ref: "key_one",
    actor: { kind, id },
    methods: [],
    object: "key_one",
    before: null,
    after: { action: "declare_policy", route: "PUT /v2/policies/{policyId}", code: "action_forbidden" },
    request_id: null,
  });
  assert.deepEqual(await faults(), []);
  assert.equal(serviceTime(context.clock()), at(4600));
});
