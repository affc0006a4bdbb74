/** A program of more families than the thin server: what one folder says of its family is served. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { programOf } from "../../src/entries/program.ts";
import { made, serving } from "./programs.ts";
import { notes } from "./throw-away/family.ts";
import { WITH_NOTES } from "./throw-away/program.ts";

test("one folder has a route, a table, a setting, a topic, a part, a read, an error and a metric", async () => {
  const deployment = await made();
  await serving(WITH_NOTES, deployment, async ({ client, add, list, metrics }) => {
    assert.deepEqual((await list()).body, { notes: [], colour: "blue" });
    assert.equal(await add("one"), 201);
    assert.equal(await add("one"), 409, "an error that crosses from the thread that records");
    assert.equal((await client.append(deployment.stream_id, loan(1))).status, 201);
    assert.deepEqual((await list()).body.notes, ["one"]);
    assert.match(await metrics(), /^svc_notes_total 1$/m);
  });
});

test("two families of a program have nothing of one name, and no migration is missing", () => {
  const refused = (changes: Partial<typeof notes>, says: RegExp) =>
    assert.throws(
      () => programOf({ ...WITH_NOTES, added: [notes, { name: "other", ...changes }] }),
      (error) => error instanceof TypeError && says.test(error.message),
    );
  refused({ name: "notes" }, /^two families of a program have the name notes$/);
  refused({ name: "streams" }, /^two families of a program have the name streams$/);
  const { contracts = [], tables = [], settings = {}, parts = [], reads = [], tells = [], migrations = [] } = notes;
  refused({ contracts }, /^two contracts of a program have the name POST \/v1\/notes$/);
  refused({ tables }, /^two tables of a program have the name notes$/);
  refused({ settings }, /^two settings of a program have the name noteColour$/);
  refused({ parts }, /^two parts of a program have the name notes$/);
  refused({ reads }, /^two reads of a program have the name notes$/);
  refused({ tells }, /^two topics of a program have the name noted$/);
  refused({ migrations }, /^the migrations of platform_migrations are not numbered from 1 on without a gap$/);
});
