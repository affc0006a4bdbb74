/** A family for tests: notes of a tenant, with everything that a family can have. Nothing else is edited for it. */
import { contract, ownErrors } from "@svc/api";
import { administrationType } from "@svc/host/administration";
import { topic } from "@svc/host/channel";
import { ok } from "@svc/host/checks";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { bind, json } from "@svc/host/http";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Read } from "@svc/host/reads";
import { oneOf, setting } from "@svc/host/settings";
import { administrationTable, type Migration } from "@svc/host/store";
import Type from "typebox";
import { type Context, facePortSettings, type ReadContext, type ServerFamily } from "../../../src/entries/program.ts";

const Notes = Type.Object({ notes: Type.Array(Type.String()), colour: Type.String() });
const Note = Type.Object({ text: Type.String() });

const errors = ownErrors({
  note_taken: { status: 409, meaning: "The text is there already.", action: "Send another text." },
});

const add = contract({
  method: "POST",
  path: "/v1/notes",
  chapter: "service",
  summary: "A new note.",
  access: "system",
  action: "append",
  body: { schema: Note, maxBytes: 1024 },
  answer: { status: 201, description: "It is kept.", schema: Note },
  ownErrors: [errors.note_taken],
});

const list = contract({
  method: "GET",
  path: "/v1/notes",
  chapter: "service",
  summary: "All notes.",
  access: "public",
  answer: { status: 200, description: "The notes.", schema: Notes },
});

const page = contract({
  method: "GET",
  path: "/",
  chapter: "service",
  summary: "A page of the dashboard.",
  access: "public",
  face: "dashboard",
  answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
});

const settings = {
  ...facePortSettings,
  noteColour: setting({
    variable: "SVC_NOTE_COLOUR",
    meaning: "the colour of notes",
    fallback: "yellow",
    parse: oneOf(["yellow", "blue"]),
  }),
};

const noted = topic<string>("noted");

const noteKept = administrationType({
  name: "note.kept",
  meaning: "A note was kept.",
  schema: Type.Object({ characters: Type.Integer() }),
  object: "note_1",
  after: { characters: 3 },
});

const notesPart = part("notes", ({ administration, channel, clock }: Context) => ({
  add: async (actor: Principal, text: string) => {
    await administration.write(async (writer, record) => {
      const kept = await writer.run("INSERT INTO notes (text) VALUES ($1) ON CONFLICT DO NOTHING", text);
      if (kept === 0) throw new ServiceError(errors.note_taken, `There is a note ${JSON.stringify(text)} already.`);
      const change = { type: noteKept, objectId: text, before: null, after: { characters: text.length } };
      await record(actor, change, serviceTime(clock()));
    });
    channel.publish(noted, text);
  },
}));

const notesRead: Read<ReadContext, { readonly order: "text" }, string[]> = {
  name: "notes",
  run: ({ database }) =>
    database.read(async (reader) => {
      const rows = await reader.all<{ text: string }>("SELECT text FROM notes ORDER BY text");
      return rows.map(({ text }) => text);
    }),
};

const makeNotes: Migration = {
  version: 1,
  name: "notes",
  sql: "CREATE TABLE notes (text TEXT PRIMARY KEY); CREATE INDEX notes_by_text ON notes (text)",
};

/** The family. */
export const notes: ServerFamily = {
  name: "notes",
  contracts: [add, list, page],
  tables: [administrationTable("notes", "text")],
  migrations: [makeNotes],
  settings,
  events: [noteKept],
  tells: [noted],
  parts: [notesPart],
  reads: [notesRead],
  metrics: (registry, { channel }) => {
    const counter = registry.counter("svc_notes_total", "Notes since the start.");
    channel.subscribe(noted, () => counter.inc());
  },
  open: (context) => ({
    routes: [
      bind(page, () => ({ text: "<!doctype html><title>Notes</title>" })),
      bind(add, async ({ body, principal }) => {
        const { limits: _, ...actor } = principal;
        await context.parts.use(notesPart).add(actor, body.text);
        return json(body);
      }),
      bind(list, async ({ asker }) =>
        json({
          notes: await context.readings.read(asker, notesRead, { order: "text" }),
          colour: context.settings(settings).noteColour,
        }),
      ),
    ],
  }),
  check: async function* ({ database }) {
    const rows = await database.read((reader) =>
      reader.all<{ text: string }>("SELECT text FROM notes WHERE text = $1", "bad"),
    );
    for (const { text } of rows) yield { table: "notes", row: { text }, fault: "it is bad" };
  },
  diagnose: ({ read }) => read("notes", async () => [ok("notes", "can be read")]),
};
