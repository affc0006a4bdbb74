/**
 * Compiles the TypeBox schemas of core to one JavaScript module, so that a verifier needs neither a schema compiler nor `eval`
 * at run time. `--check` writes nothing and fails when the committed module is not what the schemas give.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { _ } from "ajv/dist/compile/codegen/index.js";
import standalone from "ajv/dist/standalone/index.js";
import { formats } from "../packages/core/src/schema/formats.ts";
import { SCHEMAS } from "../packages/core/src/schema/registry.ts";

const target = new URL("../packages/core/src/schema/generated/validators.js", import.meta.url);

const ajv = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strict: true,
  strictTypes: false,
  messages: false,
  verbose: false,
  inlineRefs: false,
  formats,
  code: { source: true, esm: true, lines: true, formats: _`formats` },
});
const ids: Record<string, string> = {};
for (const schema of SCHEMAS) {
  const id = (schema as { $id?: string }).$id;
  if (id === undefined) throw new Error("every compiled schema needs an $id");
  ajv.addSchema(referring(schema, true) as object);
  ids[id.replaceAll("-", "_")] = id;
}
const code = [
  "// Generated from the schemas by `pnpm schemas`. Do not edit.",
  'import { formats } from "../formats.ts";',
  "// A file full of mistakes must not fill the memory: errors beyond these are not kept.",
  "const MAX_ERRORS = 1000;",
  "const joined = (all, more) => (all.length < MAX_ERRORS ? all.concat(more) : all);",
  bounded(standalone.default(ajv, ids).replace('"use strict";', "")),
  "",
].join("\n");

if (/\brequire\(/.test(code)) throw new Error("a validator needs a runtime module: choose another schema keyword");
if (!process.argv.includes("--check")) writeFileSync(target, code);
else if (readFileSync(target, "utf8") !== code) {
  console.error("packages/core/src/schema/generated/validators.js is not what the schemas give: run `pnpm schemas`.");
  process.exit(1);
}

/** The compiled code with every way to add an error bounded. Fails when the compiler writes it otherwise than known here. */
function bounded(compiled: string): string {
  const adds = /else \{\s*vErrors\.push\((err\d+)\);\s*\}/g;
  const joins = /vErrors\.concat\(/g;
  const code = compiled
    .replace(adds, "else if (vErrors.length < MAX_ERRORS) { vErrors.push($1); }")
    .replace(joins, "joined(vErrors, ");
  const left = code.match(/vErrors\.push/g)?.length ?? 0;
  if (left !== compiled.match(adds)?.length) throw new Error("the validators add errors in a way that is not bounded");
  return code;
}

/** A copy of a schema in which every schema with an `$id` inside it is a reference to that id. */
function referring(schema: unknown, isRoot = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => referring(item));
  if (typeof schema !== "object" || schema === null) return schema;
  const id = (schema as { $id?: string }).$id;
  if (!isRoot && typeof id === "string") return { $ref: id };
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, referring(value)]));
}
