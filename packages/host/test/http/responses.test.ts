/** The refusal that tells of a failure of the database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asServiceError } from "../../src/http/responses.ts";
import { StoreUnavailable } from "../../src/store/database.ts";
import { StatementRefused } from "../../src/store/postgres-fault.ts";

const codeOf = (error: Error) => asServiceError(error, "id").code;

test("a lost right and a lost search path are an unavailable database, a faulty statement is no such thing", () => {
  for (const state of ["42501", "3F000", "42P01"])
    assert.equal(codeOf(new StatementRefused(state, "no")), "store_unavailable", state);
  assert.equal(codeOf(new StoreUnavailable("it is away")), "store_unavailable");
  for (const state of ["42703", "23505"]) assert.equal(codeOf(new StatementRefused(state, "no")), "internal_error");
});
