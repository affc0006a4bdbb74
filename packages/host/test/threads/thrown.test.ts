/** Errors as they cross between threads: those that callers tell apart stay what they are. */
import assert from "node:assert/strict";
import { openSync } from "node:fs";
import { test } from "node:test";
import { ServiceError } from "../../src/errors.ts";
import { AnswerLost, StoreFull, StoreUnavailable, StoreUncertain, WriteConflict } from "../../src/store/database.ts";
import { isOutOfReach, StatementRefused } from "../../src/store/postgres-fault.ts";
import { fromThrown, toThrown } from "../../src/threads/thrown.ts";

/** Returns an error as another thread gets it. */
function crossed(error: unknown): Error {
  return fromThrown(structuredClone(toThrown(error)));
}

test("refusals keep their code and their details, faults of the store their class", () => {
  const refusal = crossed(new ServiceError("stream_not_found", "No such stream.", { stream_id: "str_1" }));
  assert.ok(refusal instanceof ServiceError);
  assert.deepEqual(
    [refusal.code, refusal.message, refusal.details],
    ["stream_not_found", "No such stream.", { stream_id: "str_1" }],
  );
  for (const Fault of [StoreFull, StoreUncertain, AnswerLost]) assert.ok(crossed(new Fault()) instanceof Fault);
  const busy = crossed(new StoreUnavailable("busy"));
  assert.ok(busy instanceof StoreUnavailable);
  assert.equal(busy.message, "busy");
  const refused = new StatementRefused("42501", "permission denied for table events");
  const refusedHere = crossed(refused);
  assert.ok(isOutOfReach(refusedHere));
  assert.deepEqual([refusedHere.message, (refusedHere as StatementRefused).code], [refused.message, "42501"]);
  const moved = crossed(new WriteConflict("a head"));
  assert.ok(moved instanceof WriteConflict);
  assert.equal(moved.message, "another writer moved a head");
});

test("an error of SQLite keeps its result code, also as the cause of a fault of the store", () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  const { code, errcode } = crossed(full) as typeof full;
  assert.deepEqual([code, errcode], ["ERR_SQLITE_ERROR", 13]);
  for (const fault of [new StoreFull({ cause: full }), new StoreUnavailable("busy", { cause: full })]) {
    const { cause } = crossed(fault);
    assert.ok(cause instanceof Error);
    assert.deepEqual([cause.message, (cause as typeof full).errcode], [full.message, 13]);
  }
});

test("a failed system call keeps its code; any other error its message and its stack", () => {
  const failure = (() => {
    try {
      return openSync("/nowhere/at/all", "r");
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
  })();
  assert.ok(failure instanceof Error);
  const { code, syscall, message, stack } = crossed(failure) as NodeJS.ErrnoException;
  assert.deepEqual([code, syscall, message, stack], ["ENOENT", "open", failure.message, failure.stack]);
  const plain = crossed(new RangeError("too long"));
  assert.deepEqual([plain.message, "code" in plain], ["too long", false]);
  assert.equal(crossed("only a text").message, "only a text");
});
