/** Fsck on witnesses: the lines of others in epochs, and each cell of what the service's own remembers. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { encodeNote, encodeNoteLine, type NoteLine, parseNote } from "@svc/core";
import type { Fault } from "@svc/host/checks";
import { command } from "@svc/testkit/server/child-process";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { checkEvidence } from "../../src/fsck/check-evidence.ts";
import type { Config } from "../../src/settings/config.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { readingMemory } from "../../src/witness-memory/witness-memory.ts";
import { fedWitnesses, vkeyOf } from "../feeding/fed-deployment.ts";
import { lineOf, lines, startMaliciousServer } from "../feeding/malicious-witness.ts";
import { changedCell } from "./changed-cell.ts";
import type { Cell } from "./filled-database.ts";

/** Resolves to a deployment with a sealed event in an epoch that the service's own process does not go on with. */
async function deployment(t: TestContext, changes: Partial<Config> = {}) {
  const here = await startServer(t, { epochIntervalMs: 20, ...changes });
  const { client, made, server } = here;
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await until("the event is in an epoch", async () => {
    const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
    return body.published_to_seq_no === 1 ? true : null;
  });
  const { context, jobs } = server.service;
  const faults = async (witnesses: Config["witnesses"] = []): Promise<Fault[]> => {
    const found: Fault[] = [];
    await readingMemory(context.folder.witnessMemoryPath, async (witnessMemory) => {
      const elsewhere = { exportsPath: null, archivePath: null };
      for await (const fault of checkEvidence({
        program: THIN_SERVER,
        ...context,
        ...elsewhere,
        witnessMemory,
        witnesses,
      }))
        found.push(fault);
    });
    return found;
  };
  return { ...here, context, jobs, faults };
}

test("each line of an outside witness in an epoch holds, for this very note; those of strangers are nobody's business", async (t) => {
  const witness = await startMaliciousServer(
    t,
    "one",
    lines(({ text }) => lineOf("one", text)),
  );
  const witnesses = fedWitnesses([witness]);
  const { context, jobs, faults, made } = await deployment(t, { witnesses });
  const { database } = context;
  const read = () =>
    database.read((reader) => reader.first<{ note: string }>("SELECT note FROM epochs WHERE epoch_no = 1"));
  const note = await until("the witness has cosigned", async () => {
    const found = (await read())?.note ?? "";
    return found.includes(witness.name) ? found : null;
  });
  await Promise.all(jobs.map((job) => job.stop()));
  assert.deepEqual(await faults(witnesses), []);
  const parsed = parseNote(note);
  const [own, line] = parsed?.lines ?? [];
  assert.ok(parsed !== null && own !== undefined && line !== undefined);
  const withLines = (...all: NoteLine[]) => encodeNote(parsed.text, all);
  const flipped = (at: number): NoteLine => {
    const signature = Uint8Array.from(line.signature);
    signature[at] = (signature[at] ?? 0) ^ 1;
    return { ...line, signature };
  };
  const [origin, size, root] = parsed.text.split("\n");
  const ofOther = async (text: string) => `${note.slice(0, -encodeNoteLine(line).length)}${await lineOf("one", text)}`;
  const damaged: Record<string, string> = {
    "its time": withLines(own, flipped(7)),
    "the beginning of its signature": withLines(own, flipped(8)),
    "the end of its signature": withLines(own, flipped(71)),
    "its length": withLines(own, { ...line, signature: line.signature.slice(0, -1) }),
    "another origin": await ofOther(`${origin}/other\n${size}\n${root}\n`),
    "another size": await ofOther(`${origin}\n${Number(size) + 1}\n${root}\n`),
    "a line more": `${note}${encodeNoteLine(flipped(20))}`,
  };
  const set = (text: string) =>
    database.write((writer) => writer.run("UPDATE epochs SET note = $1 WHERE epoch_no = 1", text));
  for (const [what, text] of Object.entries(damaged)) {
    await set(text);
    const [fault, ...more] = await faults(witnesses);
    assert.deepEqual([fault?.table, fault?.row, more], ["epochs", { epoch_no: 1 }, []], what);
    assert.match(fault?.fault ?? "", /^witness_signature_invalid at \/note/, what);
    // Nobody gave the key of the witness.
    assert.deepEqual(await faults(), [], what);
  }
  // The command knows it by its settings.
  const environment = { SVC_WITNESSES: `${vkeyOf(witness)} ${witness.url}` };
  const { code, out } = await command(["fsck", "--data", made.data_folder, "--json"], environment);
  assert.deepEqual([code, JSON.parse(out).faults.length], [1, 1]);
  await set(note);
  assert.deepEqual(await faults(witnesses), []);
});

test("each cell that the service's own witness remembers is bound, but for the order of signing", async (t) => {
  const { made, jobs, faults, context } = await deployment(t);
  await Promise.all(jobs.map((job) => job.stop()));
  assert.deepEqual(await faults(), []);
  const file = new DatabaseSync(join(made.data_folder, "witness.db"), { timeout: 5_000 });
  t.after(() => file.close());
  type Row = Record<string, Cell>;
  const rows = file.prepare("SELECT * FROM signed ORDER BY origin").all() as Row[];
  assert.equal(rows.length, 2);
  const put = (origin: Cell, column: string, value: Cell) =>
    file.prepare(`UPDATE signed SET ${column} = ? WHERE origin = ?`).run(value, origin);
  for (const row of rows) {
    const { origin = "", signed_note } = row;
    const note = parseNote(`${signed_note}`);
    assert.ok(note !== null);
    // A signature of each line, of which the bytes are at the end.
    const spoiled = note.lines.map((line, index) => {
      const signature = Uint8Array.from(line.signature);
      signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1;
      return encodeNote(
        note.text,
        note.lines.map((one, at) => (at === index ? { ...line, signature } : one)),
      );
    });
    const without = note.lines.map((_, index) => note.lines.filter((_, at) => at !== index));
    const changes: [string, Cell][] = [
      ...Object.entries(row)
        .filter(([column]) => column !== "signed_no")
        .map(([column, value]): [string, Cell] => [
          column,
          changedCell(
            value,
            rows.map((one) => one[column] ?? null),
          ),
        ]),
      ...spoiled.map((text): [string, Cell] => ["signed_note", text]),
      ...without
        .filter((left) => left.length > 0)
        .map((left): [string, Cell] => ["signed_note", encodeNote(note.text, left)]),
      ["signed_note", "no note"],
      ["frontier", "[]"],
    ];
    assert.equal(note.lines.length, origin === context.origin ? 1 : 2);
    for (const [column, value] of changes) {
      put(origin, column, value);
      const found = await faults();
      const is = column === "origin" ? value : origin;
      assert.ok(
        found.some(({ table, row: named }) => table === "witness.db" && named.origin === is),
        `${origin} ${column} ${value}: ${JSON.stringify(found)}`,
      );
      put(is, column, row[column] ?? null);
      assert.deepEqual(await faults(), [], column);
    }
  }
});
