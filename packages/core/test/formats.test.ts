/** Times that name no moment, and texts that are no times (protocol section 5). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formats } from "../src/index.ts";

const isServiceTime = formats["service-time"] ?? assert.fail("a format");
const isSourceTime = formats["source-time"] ?? assert.fail("a format");
const two = (number: number) => String(number).padStart(2, "0");

test("a date is real if the calendar has it", () => {
  for (const year of [0, 4, 100, 400, 1900, 1999, 2000, 2023, 2024, 9999])
    for (let month = 0; month <= 13; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
        const date = new Date(0);
        date.setUTCFullYear(year, month - 1, day);
        const isReal = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
        assert.equal(isServiceTime(`${text}T00:00:00.000Z`), isReal, text);
        assert.equal(isSourceTime(`${text}T23:59:59+23:59`), isReal, text);
      }
});

test("a time of day and an offset have their limits", () => {
  for (const [time, expected] of [
    ["00:00:00", true],
    ["23:59:59", true],
    ["24:00:00", false],
    ["23:60:00", false],
    ["23:59:60", false],
  ] as const) {
    assert.equal(isServiceTime(`2026-03-01T${time}.999Z`), expected, time);
    for (const rest of ["Z", ".1Z", ".123456789Z", "+00:00", "-23:59", ".5+14:00"])
      assert.equal(isSourceTime(`2026-03-01T${time}${rest}`), expected, time + rest);
  }
  for (const offset of ["+24:00", "-24:00", "+00:60", "+23:60"])
    assert.equal(isSourceTime(`2026-03-01T00:00:00${offset}`), false, offset);
});

test("other spellings are no times", () => {
  for (const text of [
    "",
    "2026-03-01",
    "2026-03-01T00:00:00",
    "2026-03-01t00:00:00Z",
    "2026-03-01T00:00:00z",
    "2026-03-01 00:00:00Z",
  ])
    assert.equal(isSourceTime(text) || isServiceTime(text), false, text);
  for (const rest of [".Z", ".1234567890Z", "+0000", "+00", "Z ", "ZZ", "+00:00Z"])
    assert.equal(isSourceTime(`2026-03-01T00:00:00${rest}`), false, rest);
  for (const rest of ["Z", ".00Z", ".0000Z", ".000+00:00", ".000"])
    assert.equal(isServiceTime(`2026-03-01T00:00:00${rest}`), false, rest);
});
