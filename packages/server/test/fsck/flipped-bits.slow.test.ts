/**
 * Flips one bit in each tree of the database's file. Then fsck names the fault, or no value that is read has changed,
 * or the changed value is in a column that docs/operations.md lists as bound by nothing.
 */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { progressLine } from "../../src/commands/progress-line.ts";
import { BESIDE_EVIDENCE, filled, UNBOUND } from "./filled-database.ts";

/** SQLite's result codes for a file that it cannot read. */
const UNREADABLE = [11, 26];
const LEAVES = [0x0a, 0x0d];

interface Leaf {
  readonly name: string;
  /** The offset of its page in the file, and that of the page's header. */
  readonly page: number;
  readonly header: number;
}

/** Returns the first leaf of each tree of a file. */
function firstLeaves(file: string, bytes: Buffer): Leaf[] {
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = database.prepare("SELECT name, pageno, pgoffset, pagetype FROM dbstat ORDER BY name, path").all();
  database.close();
  const leaves = new Map<string, Leaf>();
  for (const { name, pageno, pgoffset, pagetype } of rows) {
    const page = Number(pgoffset);
    const header = pageno === 1 ? 100 : page;
    if (pagetype !== "leaf" || leaves.has(`${name}`)) continue;
    assert.ok(LEAVES.includes(bytes[header] ?? 0), `${name}`);
    leaves.set(`${name}`, { name: `${name}`, page, header });
  }
  return [...leaves.values()];
}

/** Returns bits of a leaf, as places in the file: in its header, in its first and last cell, and between them. */
function placesIn(bytes: Buffer, { page, header }: Leaf): [string, number][] {
  const cells = bytes.readUInt16BE(header + 3);
  const [first, last] = [0, cells - 1].map((index) => page + bytes.readUInt16BE(header + 8 + 2 * Math.max(0, index)));
  const content = page + (bytes.readUInt16BE(header + 5) || 65_536);
  const between = header + 8 + 2 * cells + 1;
  const gap: [string, number][] = between < content ? [["the space between", between]] : [];
  if (cells === 0 || first === undefined || last === undefined) return [["the number of cells", header + 4], ...gap];
  const end = page === 0 ? bytes.readUInt16BE(16) : page + bytes.readUInt16BE(16);
  return [
    ["the number of cells", header + 4],
    ["the head of the first cell", first],
    ["the first cell", Math.min(first + 12, end - 1)],
    ["the last cell", last + 5],
    ["the end of the page", end - 1],
    ...gap,
  ];
}

/** Returns all rows of all tables, by table. */
function rowsOf(file: string): Map<string, Record<string, unknown>[]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return new Map(
      tables.map(({ name }) => [`${name}`, database.prepare(`SELECT rowid, * FROM "${name}" NOT INDEXED`).all()]),
    );
  } finally {
    database.close();
  }
}

/** Returns the columns in which two files differ, as `table.column`; `table` if they have different numbers of rows. */
function differences(left: string, right: string): string[] {
  const [before, after] = [rowsOf(left), rowsOf(right)];
  const found = new Set<string>();
  assert.deepEqual([...after.keys()], [...before.keys()]);
  for (const [table, rows] of before) {
    const others = after.get(table) ?? [];
    if (others.length !== rows.length) found.add(table);
    for (const [index, row] of rows.entries())
      for (const [column, value] of Object.entries(row))
        if (others[index]?.[column] !== value) found.add(`${table}.${column}`);
  }
  return [...found];
}

test(
  "a flipped bit in any tree of the file is named by fsck, or changes nothing that evidence binds",
  ON_FILE,
  async (t) => {
    const { file, faultsOf } = await filled(t);
    assert.deepEqual(await faultsOf(file), []);
    const bytes = readFileSync(file);
    const leaves = firstLeaves(file, bytes);
    assert.ok(leaves.length >= 70, `${leaves.length} trees`);
    const unbound = Object.entries({ ...UNBOUND, ...BESIDE_EVIDENCE }).flatMap(([table, columns]) =>
      columns.map((column) => `${table}.${column}`),
    );
    const silent: string[] = [];
    const count = { named: 0, unchanged: 0, unbound: 0 };
    const changed = join(temporaryFolder(), "flipped.db");
    for (const leaf of leaves)
      for (const [what, place] of placesIn(bytes, leaf)) {
        const says = `${leaf.name}, ${what}`;
        const flipped = Buffer.from(bytes);
        flipped.writeUInt8(flipped.readUInt8(place) ^ 0x04, place);
        writeFileSync(changed, flipped);
        let faults: readonly { readonly table: string }[];
        try {
          faults = await faultsOf(changed);
        } catch (error) {
          // The file cannot even be opened, because the list of tables and indexes cannot be read.
          assert.ok(UNREADABLE.includes(Number((error as { errcode?: number }).errcode) & 0xff), `${says}: ${error}`);
          assert.equal(leaf.name, "sqlite_schema");
          count.named += 1;
          continue;
        }
        if (faults.length > 0) {
          count.named += 1;
          continue;
        }
        // The file is whole, so every index agrees with its table: reading the tables is enough.
        const differing = differences(file, changed);
        silent.push(...differing.filter((column) => !unbound.includes(column)).map((column) => `${column}: ${says}`));
        count[differing.length === 0 ? "unchanged" : "unbound"] += 1;
      }
    t.diagnostic(`${leaves.length} trees: ${JSON.stringify(count)}`);
    assert.deepEqual(silent, []);
    assert.ok(count.named > 2 * leaves.length);
  },
);

test(
  "the command names an index that hides a request, says what it looks at where that takes long, and ends with 1",
  ON_FILE,
  async (t) => {
    const made = await makeDeployment(join(temporaryFolder(), "data"));
    const first = await startChild(t, made.data_folder);
    const client = new Client(first.url, made.api_key ?? "");
    const { body: record } = await client.append(made.stream_id, loan(1), "demo-1");
    assert.equal(record.seq_no, 1);
    assert.equal(await first.end("SIGTERM"), 0);
    const file = join(made.data_folder, "svc.db");
    const bytes = readFileSync(file);
    const leaf = firstLeaves(file, bytes).find(({ name }) => name === "sqlite_autoindex_idempotency_records_1");
    assert.ok(leaf !== undefined);
    const [, place = 0] = placesIn(bytes, leaf).find(([what]) => what === "the first cell") ?? [];
    bytes.writeUInt8(bytes.readUInt8(place) ^ 0x04, place);
    writeFileSync(file, bytes);
    const { code, out, err } = await command(["fsck", "--data", made.data_folder, "--json"]);
    assert.equal(code, 1, err);
    const [fault] = JSON.parse(out).faults;
    const { table, row } = fault;
    assert.deepEqual([table, row], ["idempotency_records", { index: "sqlite_autoindex_idempotency_records_1" }]);
    assert.match(err, /first one in idempotency_records\. Only indexes are damaged.*--rebuild-indexes/);
    const { out: said } = await command(["doctor", "--data", made.data_folder]);
    assert.match(said, /database +its pages are whole; fsck looks into indexes/);
    const rebuilt = await command(["fsck", "--rebuild-indexes", "--data", made.data_folder]);
    assert.deepEqual([rebuilt.code, rebuilt.out], [0, "Nothing is wrong.\n"], rebuilt.err);
    const again = await startChild(t, made.data_folder);
    const repeated = await new Client(again.url, client.key).append(made.stream_id, loan(1), "demo-1");
    assert.deepEqual([repeated.status, repeated.body.seq_no], [201, 1], "recorded once");
    const refused = await command(["fsck", "--rebuild-indexes", "--data", made.data_folder]);
    assert.equal(refused.code, 1);
    assert.match(refused.err, /Another svc-server serves/);
  },
);

test("a command that takes long says on a terminal in one line, and in a log once in a while, what it is at", () => {
  const texts: string[] = [];
  let now = 0;
  const write = (text: string) => texts.push(text);
  const inLog = progressLine({ write }, () => now);
  inLog.say("stream 1 of 9");
  inLog.say("a large file", true);
  now = 31_000;
  inLog.say("stream 7 of 9");
  inLog.say("stream 8 of 9");
  inLog.end();
  assert.deepEqual(texts.splice(0), ["svc-server: a large file\n", "svc-server: stream 7 of 9\n"]);
  const onTerminal = progressLine({ isTTY: true, write }, () => now);
  onTerminal.say("stream 1 of 9");
  onTerminal.say("stream 2 of 9");
  now += 200;
  onTerminal.say("stream 3 of 9");
  onTerminal.end();
  assert.deepEqual(texts, ["\r\u001b[Kstream 1 of 9", "\r\u001b[Kstream 3 of 9", "\r\u001b[K"]);
});

test("docs/operations.md lists each column that nothing binds, and no other", () => {
  const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((one) => one.startsWith("What fsck sees\n")) ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  const listed = rows.map(([, table = "", columns = ""]) => [
    table,
    columns.split(", ").map((one) => one.slice(1, -1)),
  ]);
  const wanted = Object.entries({ ...UNBOUND, ...BESIDE_EVIDENCE }).filter(([, columns]) => columns.length > 0);
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(wanted));
});
