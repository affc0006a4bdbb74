/** Appends whose commit has no answer: the database is asked what became of it, and nothing is guessed. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { AnswerLost, type Database, StoreUnavailable, StoreUncertain, type Writer } from "@svc/host/store";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { Append } from "../../src/streams/append.ts";
import { type AppendRequest, prepareRequest } from "../../src/streams/appending.ts";
import { eventsOfRange } from "../../src/streams/events-store.ts";
import { appended, recorded } from "../../src/streams/recorded.ts";
import { changed, contextUnderTest, heard } from "../context-under-test.ts";
import { BANK, LOANS, plain, principalOf } from "../store-under-test.ts";

/** The fate of the transactions to come, in order; others are committed. */
type Fate = "committed, answer lost" | "undone, answer lost" | "committed later, answer lost" | "unavailable";

class Undone extends Error {}

async function appending(t: TestContext, findOutMs?: number) {
  const fates: Fate[] = [];
  const always: { fate: Fate | null } = { fate: null };
  const locked: boolean[] = [];
  const later = Promise.withResolvers<void>();
  let writes = 0;
  const around = (database: Database) =>
    changed<Database>(database, {
      write: async (work, options) => {
        writes += 1;
        const fate = fates.shift() ?? always.fate;
        if (fate === "unavailable") throw new StoreUnavailable("the server is gone");
        const first: string[] = [];
        const watched = (writer: Writer) => {
          const all: Writer["all"] = (sql, ...values) => {
            first.push(sql);
            return writer.all(sql, ...values);
          };
          return changed(writer, { all });
        };
        const due = Promise.withResolvers<void>();
        const committing = database
          .write(async (writer) => {
            const value = await work(watched(writer));
            due.resolve();
            if (fate === "undone, answer lost") throw new Undone();
            if (fate === "committed later, answer lost") await later.promise;
            return value;
          }, options)
          .catch((error: unknown) => {
            if (error instanceof Undone) throw new AnswerLost();
            throw error;
          });
        if (fate === "committed later, answer lost") {
          await due.promise;
          throw new AnswerLost();
        }
        const result = await committing;
        locked.push(options?.isLocking === true && first[0]?.includes("FROM streams s") === true);
        if (fate !== undefined && fate !== null) throw new AnswerLost();
        return result;
      },
    });
  const { store, context } = await contextUnderTest(t, around);
  const append = new Append(context, new Idempotency(context), findOutMs === undefined ? {} : { findOutMs });
  const asked = (idempotencyKey: string, changes: Partial<AppendRequest> = {}) =>
    append.append(
      prepareRequest(context, {
        principal: principalOf(LOANS),
        streamId: "str_bank_1",
        events: [loan(1), loan(2)],
        isBatch: true,
        idempotencyKey,
        headMatch: null,
        afterKey: null,
        bytes: new Uint8Array(),
        ...changes,
      }),
    );
  const stored = (streamId = "str_bank_1") => store.read((reader) => eventsOfRange(reader, BANK, streamId, 1, 100));
  const told = [heard(context, recorded), heard(context, appended)] as const;
  return { asked, stored, told, fates, always, locked, later, writes: () => writes };
}

test("a group that was committed is answered, each of its requests, and told of once", async (t) => {
  const { asked, stored, told, fates, locked } = await appending(t);
  fates.push("committed, answer lost");
  const [a, other, again, refused, without] = await Promise.allSettled([
    asked("a"),
    asked("b", { streamId: "str_bank_4" }),
    asked("a"),
    asked("c", { streamId: "str_none" }),
    asked(""),
  ]);
  assert.ok(a.status === "fulfilled" && other.status === "fulfilled" && without.status === "fulfilled");
  assert.deepEqual(plain([...a.value, ...without.value]), plain(await stored()));
  assert.deepEqual(plain(other.value), plain(await stored("str_bank_4")));
  assert.deepEqual(again, a);
  assert.equal(refused.status === "rejected" && refused.reason.code, "stream_not_found");
  assert.deepEqual([told[0].length, told[1]], [1, [6]]);
  assert.deepEqual(locked, [true, true], "the database is asked behind the lock that the lost transaction had");
});

test("a group that was not committed is refused so that it can be sent again", async (t) => {
  const { asked, stored, told, fates } = await appending(t);
  fates.push("undone, answer lost");
  for (const outcome of await Promise.allSettled([asked("a"), asked(""), asked("c", { streamId: "str_none" })])) {
    assert.ok(outcome.status === "rejected" && outcome.reason instanceof StoreUnavailable, outcome.status);
    assert.ok(outcome.reason.cause instanceof AnswerLost);
  }
  assert.deepEqual([await stored(), told[0], told[1]], [[], [], []]);
  const rows = await asked("a");
  assert.deepEqual(plain(rows), plain(await stored()));
});

test("a group that changes nothing is sent again", async (t) => {
  const { asked, stored, fates, writes } = await appending(t);
  const rows = await asked("a");
  fates.push("committed, answer lost");
  await assert.rejects(asked("a"), StoreUnavailable);
  assert.equal(writes(), 2, "there is nothing to ask for");
  assert.deepEqual(plain(await asked("a")), plain(rows));
  assert.equal((await stored()).length, 2);
});

test("a commit that still goes on when its answer is lost is waited for", async (t) => {
  const { asked, stored, fates, later, writes } = await appending(t);
  fates.push("committed later, answer lost");
  const answer = asked("a");
  await until("the database is asked", async () => (writes() === 2 ? true : null));
  assert.deepEqual(await Promise.race([answer, turn("waiting")]), "waiting");
  later.resolve();
  assert.deepEqual(plain(await answer), plain(await stored()));
});

test("the database is asked until it answers", async (t) => {
  for (const fate of ["committed, answer lost", "undone, answer lost"] as const) {
    const { asked, stored, fates } = await appending(t);
    fates.push(fate, "unavailable", "committed, answer lost", "undone, answer lost", "unavailable");
    const [outcome] = await Promise.allSettled([asked("a")]);
    if (fate === "undone, answer lost") {
      assert.ok(outcome?.status === "rejected" && outcome.reason instanceof StoreUnavailable);
      assert.deepEqual(await stored(), []);
    } else {
      assert.ok(outcome?.status === "fulfilled");
      assert.deepEqual(plain(outcome.value), plain(await stored()));
    }
    assert.deepEqual(fates, []);
  }
});

test("the caller gets AnswerLost if the database does not answer in time, and a repetition finds out", async (t) => {
  const { asked, stored, fates, always } = await appending(t, 100);
  fates.push("committed, answer lost");
  always.fate = "unavailable";
  const lost = await asked("a").catch((error: unknown) => error);
  assert.ok(lost instanceof AnswerLost && lost instanceof StoreUncertain);
  always.fate = null;
  assert.deepEqual(plain(await asked("a")), plain(await stored()));
  assert.equal((await stored()).length, 2);
});
