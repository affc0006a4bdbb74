/** Every wire type shows a text in its docstring: JSON, with the members that its schema demands, and no others. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { schemas } from "../src/index.ts";

const SOURCE = new URL("../src/", import.meta.url);
/** The folders and files that declare wire types. */
const DECLARING = /^(?:objects\/|vault\/|seal\.ts$|trust\/(?:vault-)?policy\.ts$)/;
/** A docstring that ends with a text in JSON, and the name that is declared below. */
const SHOWN = /```json\n((?: \* .*\n)+?) \* ```\n \*\/\nexport (?:const|type) (\w+)/g;

interface Closed {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

const declared = new Map<string, Closed>();
const shown = new Map<string, Readonly<Record<string, unknown>>>();
for (const name of readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((one) => DECLARING.test(one))) {
  if (!name.endsWith(".ts")) continue;
  const module = new URL(name, SOURCE);
  for (const [, lines = "", type = ""] of readFileSync(module, "utf8").matchAll(SHOWN))
    shown.set(type, JSON.parse(lines.replaceAll(/^ \* /gm, "")));
  for (const [type, value] of Object.entries(await import(module.href))) if (isClosed(value)) declared.set(type, value);
}

function isClosed(value: unknown): value is Closed {
  return typeof value === "object" && value !== null && "properties" in value && "required" in value;
}

test("the schemas on the wire are among them", () => {
  assert.deepEqual(
    Object.keys(schemas).filter((name) => !declared.has(name)),
    [],
  );
});

for (const [name, { properties, required }] of declared) {
  test(`${name} shows a text of its members`, () => {
    const members = Object.keys(shown.get(name) ?? assert.fail("it is missing"));
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
