/** Times as texts that compare. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { normalizedUtc } from "../src/clock.ts";

test(
  "normalized times are in the order of time as texts, also where an offset reaches " +
    "over the first or the last year",
  () => {
    const inOrder = [
      "0000-01-01T00:00:00+14:00",
      "0000-01-01T00:00:00+00:01",
      "0000-01-01T00:00:00Z",
      "0000-01-01T00:00:00.000000001Z",
      "2026-03-01T10:15:30.5+01:00",
      "2026-03-01T09:15:30.500000001Z",
      "9999-12-31T23:59:59.999999999Z",
      "9999-12-31T23:59:59.5-00:01",
      "9999-12-31T23:59:59-14:00",
    ].map(normalizedUtc);
    assert.deepEqual(inOrder.toSorted(), inOrder);
    assert.equal(new Set(inOrder).size, inOrder.length);
    assert.equal(normalizedUtc("2026-03-01T10:15:30.5+01:00"), "2026-03-01T09:15:30.500000000Z");
    // No digit behind the seconds is rounded, nor moves the seconds.
    for (const fraction of ["0", "9", "99", "999", "9995", "999499999", "999999999", "000000001"])
      for (const time of ["0000-12-31T23:59:59", "1969-12-31T23:59:59", "2026-03-01T10:15:30"])
        assert.equal(normalizedUtc(`${time}.${fraction}Z`), `${time}.${fraction.padEnd(9, "0")}Z`);
  },
);
