/** Our builders of schemas make the same schemas as TypeBox's of the same names, and both may be in one schema. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as TypeBox from "typebox";
import * as Type from "../../src/schema/type.ts";

/** Returns the same schemas by either builders, in the subset of TypeBox that ours cover. */
function built(type: typeof Type): unknown[] {
  const members = {
    text: type.String(),
    choice: type.Optional(type.Literal("a")),
    version: type.Literal(1),
    list: type.Array(type.Boolean()),
    some: type.Optional(type.Array(type.Integer({ minimum: 1, maximum: 3 }), { minItems: 1, maxItems: 2 })),
    free: type.Unsafe<string>({ type: ["string", "null"], description: "anything" }),
  };
  return [
    type.Object(members, { additionalProperties: false }),
    type.Object({ other: members.some }, { $id: "optional", dependentRequired: { other: ["other"] } }),
    type.Object({}, {}),
  ];
}

test("schemas are those that TypeBox builds, member for member and in order", () => {
  assert.equal(JSON.stringify(built(Type)), JSON.stringify(built(TypeBox as typeof Type)));
});

test("members of both makes may be in one schema", () => {
  const mixed = { ours: Type.Optional(Type.String()), theirs: TypeBox.Optional(TypeBox.String()), due: Type.String() };
  assert.deepEqual(Type.Object(mixed, {}).required, ["due"]);
  assert.deepEqual(TypeBox.Object(mixed).required, ["due"]);
});
