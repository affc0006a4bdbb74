/** Settings: which source wins, every mistake at once, and texts that are no mistake. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anyText, describeSettings, flag, integer, oneOf, readSettings, setting } from "@svc/host/settings";

const TABLE = {
  port: setting({ variable: "PORT", meaning: "a port", fallback: "80", option: "port", parse: integer(0, 65_535) }),
  level: setting({ variable: "LEVEL", meaning: "a level", parse: oneOf(["high", "low"]) }),
  open: setting({ variable: "OPEN", meaning: "1: open", fallback: "0", parse: flag }),
  list: setting({ variable: "LIST", meaning: "a list", fallback: "", parse: (text) => text.split("") }),
  name: setting({ variable: "NAME", meaning: "a name", option: "name", parse: anyText }),
};

test("options win over the environment, the environment over defaults; empty variables do not count", () => {
  const nothing = { port: 80, level: null, open: false, list: [], name: null };
  assert.deepEqual(readSettings(TABLE, {}), { values: nothing, mistakes: [] });
  assert.deepEqual(readSettings(TABLE, { PORT: "", LEVEL: "", OPEN: undefined }, { port: undefined }), {
    values: nothing,
    mistakes: [],
  });
  const { values } = readSettings(TABLE, { PORT: "81", LEVEL: "low", OPEN: "1", LIST: "ab" }, { port: "0", name: "n" });
  assert.deepEqual(values, { port: 0, level: "low", open: true, list: ["a", "b"], name: "n" });
});

test("every mistake is said, by the name of what held it, and its value is null", () => {
  const { values, mistakes } = readSettings(TABLE, { PORT: "82", LEVEL: "loud", OPEN: "yes" }, { port: "1e3" });
  assert.deepEqual([values.port, values.level, values.open], [null, null, null]);
  assert.deepEqual(mistakes, [
    '--port is "1e3"; it must be a whole number from 0 to 65535.',
    'LEVEL is "loud"; it must be one of high, low.',
    'OPEN is "yes"; it must be 1 or 0.',
  ]);
  for (const text of ["65536", "-1", "01", "+1", " 1", "1 ", "0x1", "1.0", "９", "9999999999"])
    assert.equal(readSettings(TABLE, { PORT: text }).mistakes.length, 1, text);
});

test("help has each variable with its default, where it has one", () => {
  assert.deepEqual(describeSettings(TABLE), [
    "  PORT   a port (default: 80)",
    "  LEVEL  a level",
    "  OPEN   1: open (default: 0)",
    "  LIST   a list",
    "  NAME   a name",
  ]);
});
