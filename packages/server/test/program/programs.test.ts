/** A program of more families than the thin server: what one folder says of its family is served. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loan } from "@svc/testkit/server/loan";
import { openDatabaseOf } from "@svc/testkit/server/running-server";
import { programOf } from "../../src/entries/program.ts";
import { made, serving } from "./programs.ts";
import { notes } from "./throw-away/family.ts";
import { WITH_NOTES } from "./throw-away/program.ts";

test("one folder has a route, a table, a setting, a topic, a part, a read, an error, a metric and an event", async (t) => {
  const deployment = await made();
  await serving(WITH_NOTES, deployment, async ({ client, add, list, metrics }) => {
    assert.deepEqual((await list()).body, { notes: [], colour: "blue" });
    assert.equal(await add("one"), 201);
    assert.equal(await add("one"), 409, "an error that crosses from the thread that records");
    assert.equal((await client.append(deployment.stream_id, loan(1))).status, 201);
    assert.deepEqual((await list()).body.notes, ["one"]);
    assert.match(await metrics(), /^svc_notes_total 1$/m);
  });
  const database = await openDatabaseOf(t, deployment.data_folder);
  const recorded = await database.read((reader) =>
    reader.all<{ source_ref: string; payload: string }>(
      `SELECT v.source_ref, v.payload FROM events v JOIN access_log l ON l.administration_stream_id = v.stream_id
       AND l.administration_seq_no = v.seq_no WHERE v.event_type = 'note.kept' AND l.action = 'note.kept'`,
    ),
  );
  assert.deepEqual(
    recorded.map(({ source_ref, payload }) => [source_ref, JSON.parse(payload).after]),
    [["one", { characters: 3 }]],
  );
});

test("a face has its own pages under its host and on its port, and the API has none of them", async () => {
  const deployment = await made();
  await serving(WITH_NOTES, deployment, async ({ under, dashboard }) => {
    const isPage = ({ status, text }: { status: number; text: string }) => status === 200 && /<title>Notes/.test(text);
    for (const host of ["dash.example.com", "DASH.example.com.", "dash.example.com:443"])
      assert.ok(isPage(await under(host, "/")), host);
    const page = await dashboard("/");
    assert.ok(isPage(page));
    assert.equal(page.headers["strict-transport-security"], "max-age=31536000");
    assert.equal(page.headers["cross-origin-opener-policy"], "same-origin");
    for (const host of ["127.0.0.1", "dash.example.com.evil.example", "dash.example.com:8443"]) {
      const front = await under(host, "/");
      assert.ok(front.status === 200 && !isPage(front), host);
      assert.equal(front.headers["cross-origin-opener-policy"], undefined);
      assert.equal((await under(host, "/v2/keys")).headers["access-control-allow-origin"], "*");
    }
    // Public evidence is on every face, and other pages read it from the API alone.
    const keys = await under("dash.example.com", "/v2/keys");
    assert.deepEqual([keys.status, keys.headers["access-control-allow-origin"]], [200, undefined]);
    for (const path of ["/docs", "/v1/events", "/v2/streams"])
      assert.equal((await under("dash.example.com", path)).status, 404, path);
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
  const {
    contracts = [],
    tables = [],
    settings = {},
    parts = [],
    reads = [],
    tells = [],
    migrations = [],
    events = [],
  } = notes;
  refused({ contracts }, /^two contracts of a program have the name POST \/v1\/notes on the face api$/);
  refused({ tables }, /^two tables of a program have the name notes$/);
  refused({ settings }, /^two settings of a program have the name dashboardPort$/);
  refused({ parts }, /^two parts of a program have the name notes$/);
  refused({ reads }, /^two reads of a program have the name notes$/);
  refused({ events }, /^two events of a program have the name note.kept$/);
  refused({ tells }, /^two topics of a program have the name noted$/);
  refused({ migrations }, /^the migrations of platform_migrations are not numbered from 1 on without a gap$/);
});
