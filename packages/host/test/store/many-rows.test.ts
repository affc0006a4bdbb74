/** Statements about many values and rows, and several statements at once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inList, padded, rowsOf, together, written } from "@svc/host/store";
import { newDatabase } from "@svc/testkit/drivers";

test("the number of values is a power of two, and the last one is repeated", () => {
  assert.deepEqual(
    [1, 2, 3, 5].map((count) => padded(Array.from({ length: count }, (_, at) => at))),
    [[0], [0, 1], [0, 1, 2, 2], [0, 1, 2, 3, 4, 4, 4, 4]],
  );
  assert.deepEqual(padded([]), []);
});

test("a condition on a column is met by each of its values and no other", () => {
  const place = (value: unknown) => `<${value}>`;
  assert.equal(inList("name", ["a", "b", "c"])(place), "name IN (<a>, <b>, <c>, <c>)");
  assert.equal(inList("name", [])(place), "1 = 0");
});

test("rows are a subquery with typed columns, and a row that is repeated is updated once", async (t) => {
  const place = (value: unknown) => `<${value}>`;
  assert.equal(
    rowsOf(
      ["TEXT", "BIGINT"],
      [
        ["a", 1],
        ["b", 2],
        ["c", null],
      ],
    )(place),
    "(VALUES (CAST(<a> AS TEXT), CAST(<1> AS BIGINT)), (CAST(<b> AS TEXT), CAST(<2> AS BIGINT)), (CAST(<c> AS " +
      "TEXT), CAST(<null> AS BIGINT)), (CAST(<c> AS TEXT), CAST(<null> AS BIGINT)))",
  );
  const database = await newDatabase(t);
  const changed = await database.write(async (writer) => {
    await writer.script("CREATE TABLE counters (name TEXT PRIMARY KEY, value BIGINT)");
    const rows = [
      ["a", 1],
      ["b", 2],
      ["c", 3],
      ["d", 4],
    ] as const;
    await writer.insert({ table: "counters", columns: ["name", "value"] }, rows);
    const more = [
      ["a", 10],
      ["b", 20],
      ["d", 40],
    ] as const;
    const { sql, values } = written(
      (place) =>
        `UPDATE counters SET value = value + v.column2 FROM ${rowsOf(["TEXT", "BIGINT"], more)(place)} AS v ` +
        `WHERE name = v.column1`,
    );
    const count = await writer.run(sql, ...values);
    return [
      count,
      ...(await writer.all<{ value: number }>("SELECT value FROM counters ORDER BY name")).map(({ value }) => value),
    ];
  });
  assert.deepEqual(changed, [3, 11, 22, 3, 44]);
});

test("several statements fail with the first failure, when all of them have ended", async () => {
  assert.deepEqual(await together([Promise.resolve(1), Promise.resolve("b")]), [1, "b"]);
  const last = Promise.withResolvers<void>();
  let isOver = false;
  const both = together([Promise.reject(new RangeError("one")), last.promise]).finally(() => {
    isOver = true;
  });
  const refused = assert.rejects(both, { message: "one" });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(isOver, false);
  last.reject(new RangeError("other"));
  await refused;
});
