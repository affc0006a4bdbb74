/** The one form of an event of a log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@svc/core";
import { contentOf, eventOf } from "../../src/streams/logged-event.ts";

test("status and payload go into the hashed payload, and come out of it again", () => {
  const sent = { type: "t", status: "done", occurred_at: "2026-03-01T10:00:00Z", source_ref: "r", payload: { a: 1 } };
  const { payload, ...event } = eventOf(sent);
  assert.deepEqual(event, { event_type: "t", occurred_at: sent.occurred_at, source_ref: "r" });
  assert.deepEqual(contentOf(payload), { status: "done", payload: { a: 1 } });
});

test("a payload that no event of a log can have is not taken for one", () => {
  const others: readonly JsonObject[] = [
    {},
    { status: 1, payload: {} },
    ...["text", null, [], 1].map((payload) => ({ status: "done", payload })),
  ];
  for (const hashed of others) assert.throws(() => contentOf(hashed), /has a payload of another form/);
});
