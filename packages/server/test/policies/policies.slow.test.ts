/**
 * Policies as an operator declares them, beside a running server: versions, ids of each tenant, and every mistake at
 * once.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { PublicKeyHex } from "@svc/core";
import { openSqlite } from "@svc/host/store";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { MAX_WINDOW_SECONDS } from "../../src/limits.ts";

const OUTSIDE_KEY = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
const OTHER_KEY = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025";

/**
 * Resolves to a running server with a client, and the policy commands on its folder. A document is an object, or the
 * text of the file.
 */
async function deployment(t: TestContext) {
  const folder = temporaryFolder();
  const data = join(folder, "data");
  const { url } = await startChild(t, data);
  const raw = (...words: string[]) => command([...words, "--data", data]);
  const run = async (...words: string[]) => {
    const { code, out, err } = await raw(...words, "--json");
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const file = (document: unknown) => {
    const path = join(folder, "policy.json");
    writeFileSync(path, typeof document === "string" ? document : JSON.stringify(document));
    return ["--file", path];
  };
  const made = await run("keys", "create");
  const client = new Client(url, made.api_key);
  const streamOf = (policy_id: string, one = client, system_id: string = made.system_id) =>
    one.post("/v2/streams", { system_id, use_case: "loans", policy_id, metadata: {} });
  return { url, data, raw, run, file, client, made, streamOf };
}

test("what a declaration leaves out is as in the policy default, and the service's own witness", async (t) => {
  const { data, run, file, client } = await deployment(t);
  const declared = await run("policies", "declare", ...file({ policy_id: "plain" }));
  const builtIn = await run("policies", "show", "default");
  assert.deepEqual(declared.policy, { ...builtIn.policy, policy_id: "plain" });
  assert.deepEqual(declared.witness_policy.witnessKeys, builtIn.witness_policy.witnessKeys);
  assert.deepEqual([declared.explicit, builtIn.explicit, declared.unmet], [true, false, []]);
  assert.deepEqual((await client.get("/v2/witness/policies/plain")).body, declared.witness_policy);

  const database = openSqlite(join(data, "svc.db"));
  t.after(() => database.close());
  const sql = "SELECT tenant_id, actor_kind, object_id, detail FROM access_log WHERE action = 'policy.declared'";
  const { tenant_id, witness_policy_digest } = declared;
  assert.deepEqual(
    (await database.read((reader) => reader.all<{ detail: string }>(sql))).map((row) => ({ ...row })),
    [
      {
        tenant_id,
        actor_kind: "service",
        object_id: "plain",
        detail: JSON.stringify({ policy_version: 1, witness_policy_digest }),
      },
    ],
  );
});

test(
  "a stream names an id that nobody declared, which is the tenant's from then on; later versions reach its new " +
    "windows",
  async (t) => {
    const { run, raw, file, client, streamOf } = await deployment(t);
    const { body: stream } = await streamOf("lending");
    const implied = await run("policies", "show", "lending");
    assert.deepEqual([implied.policy.policy_version, implied.explicit], [1, false]);
    assert.equal(implied.witness_policy.mode, "managed-shadow");
    await client.append(stream.stream_id, loan(1));
    await client.witnessed(stream.stream_id, 1);

    const second = await run("policies", "declare", ...file({ policy_id: "lending", window_max_events: 1 }));
    assert.deepEqual([second.policy.policy_version, second.explicit], [2, true]);
    assert.deepEqual(await run("policies", "show", "lending", "--version", "1"), implied);
    await client.appendBatch(stream.stream_id, [loan(2), loan(3)]);
    await client.witnessed(stream.stream_id, 3);

    const { body: keys } = await client.get("/v2/keys");
    const range = { stream_id: stream.stream_id, from_seq_no: 1, to_seq_no: 3 };
    const { text, body: pack } = await client.post("/v2/audit/packs", range);
    assertVerified(text, keys.keys[0].public_key_hex as PublicKeyHex, "bundle");
    const windows = pack.artifacts["windows.json"].map((window: { policy_digest: string; to_seq_no: number }) => [
      window.to_seq_no,
      window.policy_digest,
    ]);
    const { policy_digest: first } = implied;
    assert.deepEqual(windows, [
      [1, first],
      [2, second.policy_digest],
      [3, second.policy_digest],
    ]);
    const listed = await run("policies", "list");
    assert.deepEqual(
      listed.policies.map(({ policy }: { policy: { policy_id: string; policy_version: number } }) => policy),
      [(await run("policies", "show", "default")).policy, second.policy],
    );
    const { out } = await raw("policies", "list");
    assert.match(out, /^lending +2 +tnt_\w+ +yes +1 events or 2 s/m);
  },
);

test("an id is each tenant's own: none takes it from another, nor learns that another has it", async (t) => {
  const { url, run, raw, file, client, streamOf } = await deployment(t);
  const [{ tenant_id: first }] = (await run("tenants", "list")).tenants;
  const { tenant_id: second } = await run("tenants", "create", "--name", "Second");
  const { system_id } = await run("systems", "create", "--tenant", second, "--name", "Other");
  const other = new Client(url, (await run("keys", "create", "--system", system_id)).api_key);
  const gold = await run(
    "policies",
    "declare",
    "--tenant",
    first,
    ...file({ policy_id: "gold", window_max_events: 1 }),
  );
  const { body: golden } = await streamOf("gold");
  assert.equal((await streamOf("silver")).status, 201);

  // The answers say nothing about the first tenant, by streams or by declarations.
  const asked = ["gold", "silver", "bronze"].map((id) => streamOf(id, other, system_id));
  const [golds, silver, bronze] = await Promise.all(asked);
  assert.deepEqual([golds?.status, silver?.status, bronze?.status], [201, 201, 201], golds?.text);
  const implied = await run("policies", "show", "gold", "--tenant", second);
  assert.deepEqual([implied.tenant_id, implied.explicit, implied.policy.policy_version], [second, false, 1]);
  assert.equal(implied.policy.window_max_events, 256);
  const declared = await run(
    "policies",
    "declare",
    "--tenant",
    second,
    ...file({ policy_id: "gold", window_max_events: 2 }),
  );
  assert.deepEqual([declared.policy.policy_version, declared.tenant_id], [2, second]);
  const { unmet: _, ...shown } = gold;
  assert.deepEqual(await run("policies", "show", "gold", "--tenant", first), shown);

  // Each stream is sealed by its own tenant's numbers, also if both grow in one commit.
  const streams = [golden.stream_id, golds?.body.stream_id];
  const both = [client, other];
  await Promise.all(both.map((one, index) => one.appendBatch(streams[index], [loan(1), loan(2)])));
  await Promise.all(both.map((one, index) => one.witnessed(streams[index], 2)));
  const { body: keys } = await client.get("/v2/keys");
  const digests: string[][] = [];
  for (const [index, one] of both.entries()) {
    const range = { stream_id: streams[index], from_seq_no: 1, to_seq_no: 2 };
    const { text, body: pack } = await one.post("/v2/audit/packs", range);
    assertVerified(text, keys.keys[0].public_key_hex as PublicKeyHex, "bundle");
    const { policies } = pack.artifacts["witnesses.json"];
    assert.deepEqual(policies, [index === 0 ? gold.policy : declared.policy]);
    digests.push(pack.artifacts["windows.json"].map(({ policy_digest }: { policy_digest: string }) => policy_digest));
  }
  assert.deepEqual(digests, [[gold.policy_digest, gold.policy_digest], [declared.policy_digest]]);

  // Two documents of one content have one digest; evidence about each finds it, and its id alone finds neither.
  const same = { policy_id: "same", window_max_events: 7 };
  const [one, two] = [
    await run("policies", "declare", "--tenant", first, ...file(same)),
    await run("policies", "declare", "--tenant", second, ...file(same)),
  ];
  assert.equal(one.policy_digest, two.policy_digest);
  const stranger = new Client(url, "");
  const read = (id: string, query = "") => stranger.get(`/v2/witness/policies/${id}${query}`);
  for (const { policy, witness_policy, witness_policy_digest } of [gold, implied, declared, one, two]) {
    const found = await read(policy.policy_id, `?digest=${witness_policy_digest}`);
    assert.deepEqual([found.status, found.body], [200, witness_policy]);
    const { policy_version } = policy;
    const versioned = `?digest=${witness_policy_digest}&version=`;
    assert.equal((await read(policy.policy_id, `${versioned}${policy_version}`)).status, 200);
    assert.equal((await read(policy.policy_id, `${versioned}${policy_version + 1}`)).status, 404);
    assert.equal((await read("bronze", `?digest=${witness_policy_digest}`)).status, 404);
  }
  for (const query of ["", "?version=1", `?digest=${"0".repeat(64)}`]) {
    const [there, nowhere] = [await read("gold", query), await read("none", query)];
    assert.deepEqual([there.status, nowhere.status], [404, 404]);
    assert.equal(there.text.replaceAll("gold", "none"), nowhere.text);
  }
  assert.equal((await read("default")).status, 200);
  assert.equal((await read("gold", "?digest=x")).body.detail.code, "invalid_request");

  const unclear = await raw("policies", "show", "gold");
  assert.equal(unclear.code, 64);
  assert.match(unclear.err, /Several tenants .*--tenant/s);
  assert.equal((await run("policies", "show", "bronze")).tenant_id, second);
  assert.equal((await run("policies", "show", "default", "--tenant", first)).tenant_id, null);
  assert.equal((await raw("policies", "show", "bronze", "--tenant", first)).code, 64);
  const listed = (await run("policies", "list")).policies.map(
    ({ policy, tenant_id }: { policy: { policy_id: string; policy_version: number }; tenant_id: string }) =>
      `${policy.policy_id} ${policy.policy_version} ${[null, first, second].indexOf(tenant_id)}`,
  );
  const all = ["bronze 1 2", "default 1 0", "gold 1 1", "gold 2 2", "same 1 1", "same 1 2", "silver 1 1", "silver 1 2"];
  assert.deepEqual(listed.toSorted(), all);
  assert.deepEqual(await run("fsck"), { ok: true, faults: [] });
});

test("a built-in id is nobody's to declare, and everybody's to use", async (t) => {
  const { raw, run, file, streamOf } = await deployment(t);
  const [{ tenant_id: first }] = (await run("tenants", "list")).tenants;
  await run("tenants", "create", "--name", "Second");
  assert.equal((await streamOf("default")).status, 201);
  const builtIn = await raw("policies", "declare", "--tenant", first, ...file({ policy_id: "default" }));
  assert.equal(builtIn.code, 1);
  assert.match(builtIn.err, /policy_id_taken: .*built in/);
  const unclear = await raw("policies", "declare", ...file({ policy_id: "x" }));
  assert.equal(unclear.code, 64);
  assert.match(unclear.err, /several tenants/);
});

test("every mistake of a declaration is listed at once, with its place; nothing is stored", async (t) => {
  const { run, raw, file, client } = await deployment(t);
  const { body: keys } = await client.get("/v2/keys");
  const own = (await run("policies", "show", "default")).witness_policy.witnessKeys[0];
  const key = (witness_id: string, public_key_hex: string, more: object = {}) => ({
    witness_id,
    name: `${witness_id}.example/witness`,
    public_key_hex,
    ...more,
  });
  const { code, out, err } = await raw(
    "policies",
    "declare",
    ...file({
      policy_id: "Wrong Id",
      window_max_events: 0,
      window_max_seconds: MAX_WINDOW_SECONDS + 1,
      anchor: "maybe",
      colour: "red",
      mode: "independent",
      threshold: 7,
      witnessKeys: [
        key("a", OUTSIDE_KEY, { valid_from: "2026-02-01T00:00:00.000Z", valid_to: "2026-01-01T00:00:00.000Z" }),
        key("a", OUTSIDE_KEY),
        key("b", keys.keys[0].public_key_hex, { name: "a.example/witness" }),
        key("c", own.public_key_hex, { managed: true }),
        { witness_id: "d" },
      ],
    }),
  );
  assert.deepEqual([code, out], [64, ""]);
  for (const line of [
    /^ {2}\/policy_id must be 1 to 64/m,
    /^ {2}\/window_max_events must be >= 1/m,
    /^ {2}\/window_max_seconds must be <= 86400/m,
    /^ {2}\/anchor must be one of none/m,
    /^ {2}\/colour is not a member/m,
    /^ {2}\/threshold must be at most 4/m,
    /^ {2}\/witnessKeys\/0\/valid_to is before/m,
    /^ {2}\/witnessKeys\/1\/public_key_hex appears twice/m,
    /^ {2}\/witnessKeys\/1\/key_epoch appears twice/m,
    /^ {2}\/witnessKeys\/2\/public_key_hex is a key by which this service seals/m,
    /^ {2}\/witnessKeys\/2\/name is the name of another/m,
    /^ {2}\/witnessKeys\/3\/public_key_hex is this service's own witness/m,
    /^ {2}\/witnessKeys\/3\/managed is true only for this service/m,
    /^ {2}\/witnessKeys\/4\/public_key_hex is missing/m,
  ])
    assert.match(err, line);
  const none = await raw("policies", "declare", ...file({ policy_id: "x", mode: "independent" }));
  assert.match(none.err, /\/witnessKeys must list the witnesses/);
  for (const [text, says] of [
    ['{"policy_id": "x", "policy_id": "y"}', /at byte 19 \(duplicate_name\)/],
    ['{"policy_id": "x", "window_max_events": 9007199254740993}', /lossy_number/],
    ["[]", /the document must be object/],
    ['{"policy_id": "x"', /json_malformed/],
    [" ".repeat(70_000), /larger than/],
  ] as const) {
    const refused = await raw("policies", "declare", ...file(text));
    assert.equal(refused.code, 64);
    assert.match(refused.err, says);
  }
  assert.match((await raw("policies", "declare", "--file", "/nowhere/policy.json")).err, /cannot be read/);
  assert.match((await raw("policies", "show", "x")).err, /There is no policy "x"/);
  assert.match((await raw("policies", "show", "default", "--version", "2")).err, /of version 2/);
  assert.match((await raw("policies", "show", "default", "--version", "0")).err, /whole number from 1/);
  assert.equal((await run("policies", "list")).policies.length, 1);
});

test("a policy that asks for what this server does not do yet is stored, and that is said", async (t) => {
  const { run, raw, file, client, streamOf } = await deployment(t);
  const witnessKeys = [OUTSIDE_KEY, OTHER_KEY].map((public_key_hex, index) => ({
    witness_id: `w${index}`,
    name: `w${index}.example/witness`,
    public_key_hex,
  }));
  const document = { policy_id: "strict", mode: "independent", threshold: 2, witnessKeys, anchor: "required" };
  const { code, out } = await raw("policies", "declare", ...file(document));
  assert.equal(code, 0);
  assert.match(out, /no address of w0, w1: name each in SVC_WITNESSES.* reaches 0 of the 2 witnesses that must cosign/);
  assert.match(out, /does not anchor, and the policy requires it/);
  const large = { policy_id: "large", window_max_events: 100_000 };
  assert.match((await raw("policies", "declare", ...file(large))).out, /holds 6400000 events/);
  const shown = await run("policies", "show", "strict");
  assert.deepEqual(
    shown.witness_policy.witnessKeys.map(({ managed, key_epoch, valid_from, valid_to }: Record<string, unknown>) => [
      managed,
      key_epoch,
      valid_from,
      valid_to,
    ]),
    [0, 1].map(() => [false, 1, shown.witness_policy.declared_at, null]),
  );
  // The printed words are true: the service's own witness does not count.
  const { body: stream } = await streamOf("strict");
  await client.append(stream.stream_id, loan(1));
  const { body } = await client.get(`/v2/streams/${stream.stream_id}/proof-state`);
  assert.equal(body.witnessed_to_seq_no, 0);
});
