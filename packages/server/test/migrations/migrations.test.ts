/** The migrations of the server, on every driver: their effect on the data of earlier releases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate, soleSchema, type Writer } from "@svc/host/store";
import { DRIVERS, driverOptions } from "@svc/testkit/drivers";
import { findIdempotencyRecord, recordOfEvent } from "../../src/idempotency/store.ts";
import { MIGRATIONS } from "../../src/migrations/all.ts";

const NOW = "2026-03-01T00:00:00.000Z";
const LATER = "2026-03-01T00:00:05.678Z";

for (const [name, make] of Object.entries(DRIVERS)) {
  test(`${name}: the migrations run once`, driverOptions(name), async (t) => {
    const open = await make(t);
    const database = open();
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
    await migrate(open(), () => NOW, [soleSchema(MIGRATIONS)]);
    const rows = await database.read((reader) =>
      reader.all<object>("SELECT version, name FROM schema_migrations ORDER BY version"),
    );
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { version: 1, name: "initial" },
        { version: 2, name: "idempotent writes" },
        { version: 3, name: "erasure" },
        { version: 4, name: "closed streams" },
        { version: 5, name: "policies" },
        { version: 6, name: "forks" },
        { version: 7, name: "request scopes" },
        { version: 8, name: "sealing on demand" },
        { version: 9, name: "event log" },
        { version: 10, name: "exports" },
        { version: 11, name: "records by time" },
        { version: 12, name: "sealed times" },
        { version: 13, name: "lists" },
        { version: 14, name: "package challenges" },
        { version: 15, name: "policies of tenants" },
        { version: 16, name: "shards" },
        { version: 17, name: "partitions" },
        { version: 18, name: "package folder" },
        { version: 19, name: "forgetting" },
        { version: 20, name: "archive" },
        { version: 21, name: "witness-memory" },
        { version: 22, name: "outside witnesses" },
        { version: 23, name: "service log" },
        { version: 24, name: "log forks" },
        { version: 25, name: "anchoring" },
        { version: 26, name: "earlier pepper" },
        { version: 27, name: "unconfirmed commits" },
        { version: 28, name: "voided epochs" },
        { version: 29, name: "unconfirmed by number" },
        { version: 30, name: "lifecycle purposes" },
        { version: 31, name: "retired systems" },
        { version: 32, name: "administration" },
      ],
    );
  });

  test(
    `${name}: the request of an event is found also where an earlier release kept it`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, 10))]);
      await database.write(async (writer) => {
        await writer.script(`INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', '${NOW}');
        INSERT INTO streams (stream_id, tenant_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id, head_seq_no,
          head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no)
        VALUES ('str_1', 'tnt_1', 'legacy', 'test', 'default', 0, '{}', '${NOW}', 'sys_1', 3, '', 0, 0, 0, 0)`);
        for (const seqNo of [1, 2, 3])
          await writer.run(
            `INSERT INTO events (stream_event_id, tenant_id, stream_id, seq_no, source_ref, event_type, occurred_at, occurred_at_utc, received_at,
             payload_hash, previous_event_hash, event_hash, stream_head_hash, receipt_kid, receipt_signature, actor_kind, actor_id)
           VALUES ($1, 'tnt_1', 'str_1', $2, '', '', '', '', $3, '', '', '', '', '', '', 'system', 'sys_1')`,
            `sev_${seqNo}`,
            seqNo,
            LATER,
          );
        const record =
          "INSERT INTO idempotency_records VALUES ($1, $2, 'tnt_1', 'POST /x', 'mac', 'str_1', $3, $4, NULL, $5)";
        await writer.run(record, 1, "one", 1, 1, NOW);
        await writer.run(record, 2, "two", 2, 3, LATER);
        await writer.run(record, 3, "none", 0, 0, NOW);
      });
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
      const found = (seq_no: number) =>
        database.read((reader) => recordOfEvent(reader, { stream_id: "str_1", seq_no, received_at: LATER }));
      assert.deepEqual(
        [(await found(1))?.record_no, (await found(2))?.record_no, (await found(3))?.record_no, await found(4)],
        [1, 2, 2, null],
      );
    },
  );

  test(
    `${name}: a stream of an earlier release knows the latest time that it has sealed`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, 11))]);
      await database.write(async (writer) => {
        await writer.run("INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', $1)", NOW);
        for (const [stream, closedAt, createdAt] of [
          ["str_1", NOW, LATER],
          ["str_2", LATER, NOW],
          ["str_3", null, null],
        ] as const) {
          await writer.run(
            `INSERT INTO streams (stream_id, tenant_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id, head_seq_no,
             head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no)
           VALUES ($1, 'tnt_1', 'legacy', 'test', 'default', 0, '{}', $2, 'sys_1', $3, '', $3, $3, $3, $3)`,
            stream,
            NOW,
            closedAt === null ? 0 : 1,
          );
          if (closedAt === null) continue;
          const [window, checkpoint] = [
            JSON.stringify({ closed_at: closedAt }),
            JSON.stringify({ created_at: createdAt }),
          ];
          await writer.run("INSERT INTO windows VALUES ($1, 'tnt_1', $1, 1, 1, 1, '', $2)", stream, window);
          const row = "INSERT INTO checkpoints VALUES ($1, 'tnt_1', $1, 1, 1, 1, '', '', '[]', $2)";
          await writer.run(row, stream, checkpoint);
        }
      });
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
      const rows = await database.read((reader) =>
        reader.all<{ last_sealed_at: string | null }>("SELECT last_sealed_at FROM streams ORDER BY stream_id"),
      );
      assert.deepEqual(
        rows.map((row) => row.last_sealed_at),
        [LATER, LATER, null],
      );
    },
  );

  test(`${name}: an open outbox message of an earlier release knows its stream`, driverOptions(name), async (t) => {
    const database = (await make(t))();
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, 15))]);
    await database.write(async (writer) => {
      await writer.run("INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', $1)", NOW);
      await writer.run(
        `INSERT INTO streams (stream_id, tenant_id, class, use_case, policy_id, policy_explicit, metadata, created_at, actor_id, head_seq_no,
           head_event_hash, windowed_to_seq_no, window_count, checkpointed_window_count, checkpointed_to_seq_no)
         VALUES ('str_1', 'tnt_1', 'legacy', 'test', 'default', 0, '{}', $1, 'sys_1', 0, '', 0, 0, 0, 0)`,
        NOW,
      );
      for (const [no, checkpoint, doneAt] of [
        [1, "chk_1", NOW],
        [2, "chk_2", null],
        [3, "none", null],
      ] as const) {
        const row = "INSERT INTO checkpoints VALUES ($1, 'tnt_1', 'str_1', $2, $2, $2, '', '', '[]', '{}')";
        if (checkpoint !== "none") await writer.run(row, checkpoint, no);
        await writer.run(
          `INSERT INTO outbox (outbox_id, tenant_id, kind, subject, payload, created_at, attempts, next_attempt_at, done_at)
           VALUES ($1, 'tnt_1', 'witness.cosign', $1, '{}', $2, 0, $2, $3)`,
          checkpoint,
          NOW,
          doneAt,
        );
      }
    });
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
    const rows = await database.read((reader) =>
      reader.all<{ stream_id: string | null }>("SELECT stream_id FROM outbox ORDER BY outbox_id"),
    );
    assert.deepEqual(
      rows.map((row) => row.stream_id),
      [null, "str_1", null],
    );
  });

  test(
    `${name}: policies of an earlier release keep their ids and tenants, and leave them to others`,
    driverOptions(name),
    async (t) => {
      const database = (await make(t))();
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, 12))]);
      const rows = [
        ["default", 1, null],
        ["gold", 1, "tnt_1"],
        ["gold", 2, "tnt_1"],
      ] as const;
      const insert = (
        writer: Writer,
        table: string,
        [id, version, tenant]: readonly [string, number, string | null],
      ) => {
        const [column, value] = table === "policies" ? ["", ""] : ["threshold, ", "1, "];
        return writer.run(
          `INSERT INTO ${table} (policy_id, policy_version, tenant_id, digest, document, ${column}explicit, created_at)
         VALUES ($1, $2, $3, $4, '{}', ${value}1, $5)`,
          id,
          version,
          tenant,
          `${id} ${version}`,
          NOW,
        );
      };
      await database.write(async (writer) => {
        await writer.script(`INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', '${NOW}');
        INSERT INTO tenants VALUES ('tnt_2', 'two', 'UTC', '{}', '${NOW}')`);
        for (const table of ["policies", "witness_policies"]) for (const row of rows) await insert(writer, table, row);
      });
      await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
      for (const table of ["policies", "witness_policies"]) {
        const kept = await database.read((reader) =>
          reader.all<{ policy_id: string; policy_version: number; tenant_id: string | null; digest: string }>(
            `SELECT policy_id, policy_version, tenant_id, digest FROM ${table} ORDER BY policy_id, policy_version`,
          ),
        );
        assert.deepEqual(
          kept.map((row) => [row.policy_id, row.policy_version, row.tenant_id, row.digest]),
          rows.map(([id, version, tenant]) => [id, version, tenant, `${id} ${version}`]),
        );
        await database.write((writer) => insert(writer, table, ["gold", 1, "tnt_2"]));
        for (const taken of rows)
          await assert.rejects(
            database.write((writer) => insert(writer, table, taken)),
            /UNIQUE|duplicate/,
          );
      }
    },
  );

  test(`${name}: requests of an earlier release keep their keys`, driverOptions(name), async (t) => {
    const database = (await make(t))();
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS.slice(0, 6))]);
    const scope = (number: number) => ({
      tenantId: "tnt_1",
      principalId: "sys_1",
      route: "POST /x",
      key: `key ${number}`,
    });
    await database.write(async (writer) => {
      await writer.run("INSERT INTO tenants VALUES ('tnt_1', 'one', 'UTC', '{}', $1)", NOW);
      for (let number = 1; number <= 2500; number++)
        await writer.run(
          "INSERT INTO idempotency_records VALUES ('tnt_1', 'sys_1', 'POST /x', $1, $2, 'str_1', $3, $3, $4, $5)",
          `key ${number}`,
          `mac ${number}`,
          number,
          NOW,
          number === 2 ? "{}" : null,
        );
    });
    await migrate(database, () => NOW, [soleSchema(MIGRATIONS)]);
    const found = (number: number) => database.read((reader) => findIdempotencyRecord(reader, scope(number)));
    for (const number of [1, 2, 1000, 1001, 2500])
      assert.deepEqual(
        { ...(await found(number)) },
        {
          request_mac: `mac ${number}`,
          stream_id: "str_1",
          from_seq_no: number,
          to_seq_no: number,
          result: number === 2 ? "{}" : null,
        },
      );
    assert.equal(await found(2501), null);
  });
}
