/** Every wire type of the contract shows a wire text in its docstring, and the type's own schema accepts that text. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { formats } from "@svc/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import Type from "typebox";
import { PageOf } from "../src/pages.ts";

const FAMILIES = new URL("../src/families/", import.meta.url);
const ajv = new Ajv2020({ allErrors: true, strict: false });
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: "string", validate });

/** Asserts that the docstring of a declaration has a wire text that a schema accepts. */
function assertShown(source: string, declaration: string, schema: object): void {
  const [above = ""] = source.split(declaration);
  const [, shown] = /^ \* ```json\n([^`]*)^ \* ```\n \*\/\n$/m.exec(above.slice(above.lastIndexOf("/**"))) ?? [];
  assert.ok(shown !== undefined, `${declaration}: its docstring shows no wire text`);
  const value: unknown = JSON.parse(shown.replaceAll(/^ \* /gm, ""));
  const check = ajv.compile(schema);
  assert.ok(check(value), `${declaration}: ${JSON.stringify(check.errors)}`);
}

for (const file of readdirSync(FAMILIES)) {
  const source = readFileSync(new URL(file, FAMILIES), "utf8");
  const family: Readonly<Record<string, unknown>> = await import(new URL(file, FAMILIES).href);
  for (const [name, value] of Object.entries(family)) {
    if (typeof value !== "object" || value === null || !("type" in value) || value.type !== "object") continue;
    test(`${file}: ${name} shows a wire text`, () => assertShown(source, `export const ${name} = `, value));
  }
}

test("a page shows a wire text", () => {
  const source = readFileSync(new URL("../src/pages.ts", import.meta.url), "utf8");
  assertShown(source, "export interface Page<Item> ", PageOf(Type.Unknown()));
});
