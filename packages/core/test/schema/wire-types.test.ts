/**
 * Every wire object is Json by its type, so that it is hashed and sent without a cast. `tsc` checks that, and the test
 * checks that reports keep to it.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventInput, type Json, type Report, type schemas, selectKernel, verify } from "../../src/index.ts";
import type { Static } from "../../src/schema/type.ts";
import { fixtures } from "./values.ts";

type Schemas = typeof schemas;
type Wire = { [Name in keyof Schemas]: Static<Schemas[Name]> } & { event: EventInput; report: Report };
/** The names of those that are not Json. */
type Others = { [Name in keyof Wire]: Wire[Name] extends Json ? never : Name }[keyof Wire];
const holds = <_None extends never>() => undefined;

const kernel = selectKernel();

test("wire objects are Json by their types, and a report holds nothing else", () => {
  holds<Others>();
  const texts = fixtures().flatMap(({ input, trust }) => (input === undefined ? [] : [{ input, trust }]));
  assert.ok(texts.length > 0);
  for (const { input, trust } of texts) {
    const report = verify(Buffer.from(input), { trust, kernel });
    assert.deepEqual(JSON.parse(Buffer.from(kernel.canonicalize(report)).toString("utf8")), report);
  }
});
