/** Places of owners, and those of bodies by the rules of contracts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceError } from "../src/errors.ts";
import { LargeBodies } from "../src/http/large-bodies.ts";
import { Places } from "../src/places.ts";

const refusal = () => new ServiceError("key_busy", "busy");
const isBusy = (error: unknown) => error instanceof ServiceError && error.code === "key_busy";

test("an owner has so many places; the next of its requests waits for one, others do not", async () => {
  const places = new Places({ most: 2, waitMs: 50, refusal });
  const first = await places.take("a");
  await places.take("a");
  await assert.rejects(places.take("a"), isBusy);
  await places.take("b");
  const next = places.take("a");
  first();
  first();
  const leave = await next;
  await assert.rejects(places.take("a"), isBusy, "a place that was given back twice is one place");
  leave();
  await places.take("a");
});

test("routes of one rule share its places, each asker's own; what is small or of another rule waits for none", async () => {
  const bodies = new LargeBodies();
  const [rule, other] = [
    { overBytes: 10, atOnce: 1, waitMs: 50 },
    { overBytes: 10, atOnce: 1, waitMs: 50 },
  ];
  const leave = await bodies.admit(rule, 11, "a");
  await assert.rejects(bodies.admit(rule, 11, "a"), isBusy);
  await assert.rejects(bodies.admit(rule, null, "a"), isBusy);
  await bodies.admit(rule, 10, "a");
  await bodies.admit(rule, 11, "b");
  await bodies.admit(other, 11, "a");
  leave();
  await bodies.admit(rule, null, "a");
});
