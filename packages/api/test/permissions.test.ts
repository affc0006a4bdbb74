/** The table of actions: what each role and each kind of system key may. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ACTIONS,
  type Action,
  GRANTED_ACTIONS,
  KEY_ACTIONS,
  type KeyAction,
  keyMay,
  ROLES,
  roleMay,
  ruleOf,
  USUAL_ACTIONS,
} from "../src/index.ts";

const NAMES = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[];

test("each role has what the one before it has, and a role that does not exist has nothing", () => {
  const of = (role: string) => NAMES.filter((name) => roleMay(role, name));
  for (const [index, role] of ROLES.entries())
    for (const lower of ROLES.slice(0, index))
      for (const name of of(lower)) assert.ok(of(role).includes(name), `${role} ${name}`);
  assert.deepEqual(of("reader"), ["read", "create_pack", "read_administration", "manage_profile"]);
  const onlyOwner = of("owner").filter((name) => !of("admin").includes(name));
  assert.deepEqual(onlyOwner, ["erase", "manage_owners", "manage_sign_in"]);
  for (const role of ["", "Owner", "root", "toString", "__proto__"]) assert.deepEqual(of(role), [], role);
});

test("a key without limits has the usual actions alone, and one with limits has those", () => {
  assert.deepEqual(USUAL_ACTIONS, ["read", "append", "create_stream", "create_pack", "export"]);
  assert.deepEqual(
    NAMES.filter((name) => keyMay(null, name)),
    USUAL_ACTIONS,
  );
  assert.deepEqual(
    NAMES.filter((name) => keyMay([], name)),
    [],
  );
  for (const granted of KEY_ACTIONS)
    assert.deepEqual(
      NAMES.filter((name) => keyMay([granted], name)),
      [granted],
    );
  const ofPeople = NAMES.filter((name) => !(KEY_ACTIONS as readonly string[]).includes(name));
  for (const name of ofPeople) assert.equal(keyMay(KEY_ACTIONS, name), false, name);
  assert.ok(GRANTED_ACTIONS.includes("manage_webhooks") && GRANTED_ACTIONS.includes("read_administration"));
});

test("who manages something may read its list, every role may, and no other key", () => {
  const lists = NAMES.filter((name) => name.startsWith("manage_")).map(
    (name) => name.replace("manage_", "read_") as Action,
  );
  assert.ok(lists.length > 10);
  for (const list of lists) {
    for (const role of ROLES) assert.ok(roleMay(role, list), `${role} ${list}`);
    const managing = list.replace("read_", "manage_");
    for (const granted of KEY_ACTIONS)
      assert.equal(keyMay([granted], list), granted === managing, `${granted} ${list}`);
    assert.equal(keyMay(null, list), false);
  }
  // The stream of administration is an action by itself, which nothing includes.
  assert.deepEqual(
    KEY_ACTIONS.filter((granted) => keyMay([granted], "read_administration")),
    ["read_administration"],
  );
});

test("an action that does not exist is a mistake of the caller", () => {
  for (const name of ["manage_everything", "read_everything", "read_", "", "toString"])
    assert.throws(() => ruleOf(name as Action), TypeError, name);
  assert.equal(keyMay(["manage_everything" as KeyAction], "read"), false);
});
