/** Every wire type shows a text in its docstring: JSON, with the members that its schema demands, and no others. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { schemas } from "../src/index.ts";

const SOURCE = new URL("../src/", import.meta.url);
/** A docstring that ends with a text in JSON, and the name that is declared below. */
const SHOWN = /```json\n((?: \* .*\n)+?) \* ```\n \*\/\nexport (?:const|type) (\w+)/g;

const shown = new Map(
  readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...readFileSync(new URL(name, SOURCE), "utf8").matchAll(SHOWN)])
    .map(([, lines = "", name = ""]) => [name, JSON.parse(lines.replaceAll(/^ \* /gm, ""))]),
);

interface Closed {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

for (const [name, schema] of Object.entries(schemas)) {
  test(`${name} shows a text of its members`, () => {
    const { properties, required } = schema as unknown as Closed;
    const members = Object.keys(shown.get(name) ?? assert.fail("there is none"));
    assert.deepEqual(
      required.filter((member) => !members.includes(member)),
      [],
      "missing",
    );
    assert.deepEqual(
      members.filter((member) => !(member in properties)),
      [],
      "unknown",
    );
  });
}

test("a report shows a text too", () => {
  assert.ok(shown.has("Report"));
});
