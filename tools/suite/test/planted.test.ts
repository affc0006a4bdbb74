/** Which faults are planted, where, and in which order; and which test files are asked first whether they notice. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { TIERS, unitsOf } from "../plan.ts";
import { candidatesOf } from "../planted/candidates.ts";
import { faultsOf, planted } from "../planted/faults.ts";
import { importDepths, readImporters } from "../planted/imports.ts";
import { masked } from "../planted/masked.ts";
import { inOrder, nameOfFault } from "../planted/order.ts";
import type { Line } from "../planted/record.ts";
import { ROOMS, sourcesOf } from "../planted/rooms.ts";
import { tableOf } from "../planted/table.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const NO_COSTS = { commit: null, seconds: {} };

/** Returns the changed lines of a source, by the kind of change. */
function changed(file: string, ...lines: string[]): string[][] {
  return faultsOf(file, lines.join("\n")).map(({ kind, line, to }) => [kind, `${line}: ${to?.trim() ?? ""}`]);
}

test("code is changed, and no comment, text, type or import", () => {
  const lines = [
    'import { a } from "a_b";',
    "// if (a === b) return;",
    "/**",
    " * a === b",
    " */",
    "  readonly a: true;",
    'const text = " === a && b";',
    "  console.log(a === b);",
  ];
  assert.deepEqual(changed("packages/core/src/a.ts", ...lines), []);
});

test("TypeScript has a fault for each operator, condition, call, code, and part of SQL", () => {
  const lines = [
    '  if (a === "x)" && b < 1) {',
    "    this.#queue.push(one(a));",
    '  fail("bad_hash", index + 1);',
    '  const rows = db.all("SELECT a FROM b WHERE c > $1 ORDER BY d DESC");',
  ];
  assert.deepEqual(changed("packages/core/src/a.ts", ...lines), [
    ["equality", '1: if (a !== "x)" && b < 1) {'],
    ["boundary", '1: if (a === "x)" && b <= 1) {'],
    ["connective", '1: if (a === "x)" || b < 1) {'],
    ["condition", '1: if (!(a === "x)" && b < 1)) {'],
    ["call", "2: "],
    ["step", '3: fail("bad_hash", index + 2);'],
    ["call", "3: "],
    ["code", '3: fail("bad_hash_x", index + 1);'],
    ["sql", '4: const rows = db.all("SELECT a FROM b WHERE $1 IS $1 ORDER BY d DESC");'],
    ["sql", '4: const rows = db.all("SELECT a FROM b WHERE c >= $1 ORDER BY d DESC");'],
    ["sql", '4: const rows = db.all("SELECT a FROM b WHERE c > $1 ORDER BY d ASC");'],
  ]);
});

test("Go and Python have theirs", () => {
  assert.deepEqual(changed("sdks/go/a.go", "\tif x == nil && y {", "\t// a == b", "\tw.add(x)", "\treturn true"), [
    ["equality", "1: if x != nil && y {"],
    ["connective", "1: if x == nil || y {"],
    ["condition", "1: if !(x == nil && y) {"],
    ["call", "3: "],
    ["boolean", "4: return false"],
  ]);
  const python = ['    """a == b', '    c and d"""', '    if a is None and b == "c":', "        rows.append(a + 1)"];
  assert.deepEqual(changed("sdks/python/src/a.py", ...python), [
    ["equality", '3: if a is None and b != "c":'],
    ["connective", '3: if a is None or b == "c":'],
    ["none", '3: if a is not None and b == "c":'],
    ["condition", '3: if not (a is None and b == "c"):'],
    ["step", "4: rows.append(a + 2)"],
    ["call", "4: "],
  ]);
});

test("what is blanked keeps the place of all else", () => {
  const text = 'a("b // c") // d\n`e {f}` / g';
  const blank = masked(text, "ts");
  assert.equal(blank, 'a("______")     \n`_____` / g');
  assert.equal(blank.length, text.length);
});

test("a planted fault changes its line only, and is refused where that is another one", () => {
  const [fault] = faultsOf("a.ts", "let a;\n  go(a);\nlet b;");
  assert.ok(fault);
  assert.equal(planted("let a;\n  go(a);\nlet b;", fault), "let a;\nlet b;");
  assert.throws(() => planted("let a;\nlet b;", fault), /a\.ts:2 is another line/);
});

test("a seed decides the order, in which neighbours are of different files and kinds", () => {
  const two = ["  go(a);", "  if (a === b) go(b);", "  go(c);"].join("\n");
  const faults = ["a.ts", "b.ts", "c.ts"].flatMap((file) => faultsOf(file, two));
  const order = inOrder(faults, "1");
  assert.deepEqual(inOrder(faults.toReversed(), "1"), order);
  assert.notDeepEqual(inOrder(faults, "2"), order);
  assert.deepEqual(new Set(order.map(nameOfFault)), new Set(faults.map(nameOfFault)));
  assert.equal(new Set(order.slice(0, 3).map(({ file }) => file)).size, 3);
  const kinds = order.filter(({ file }) => file === "a.ts").map(({ kind }) => kind);
  assert.equal(new Set(kinds.slice(0, 3)).size, 3);
});

test("all rooms have sources, none of them a test, and more faults than are planted", () => {
  assert.equal(
    ROOMS.reduce((sum, { faults }) => sum + faults, 0),
    120,
  );
  for (const room of ROOMS) {
    const sources = sourcesOf(room, ROOT);
    assert.ok(sources.every((file) => !/\/tests?\/|_test\.go$|generated/.test(file)));
    const faults = sources.flatMap((file) => faultsOf(file, readFileSync(join(ROOT, file), "utf8")));
    assert.ok(faults.length >= 8 * room.faults, `${room.name}: ${faults.length}`);
  }
});

test("nearly all faults in TypeScript can be parsed", () => {
  const [room] = ROOMS;
  assert.ok(room);
  const files = sourcesOf(room, ROOT).slice(0, 20);
  const texts = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return faultsOf(file, text).map((fault) => planted(text, fault));
  });
  const parsed = texts.filter((text) => {
    try {
      return stripTypeScriptTypes(text) !== "";
    } catch {
      return false;
    }
  });
  assert.ok(parsed.length > texts.length * 0.97, `${parsed.length} of ${texts.length}`);
});

test(
  "a file's namesake is asked first, then quick ones of its package, slow ones, dependents, and foreign programs " +
    "last",
  () => {
    const importers = readImporters(ROOT);
    const source = "packages/host/src/jobs/leases.ts";
    const units = TIERS.flatMap((tier) => unitsOf(tier, ROOT));
    const candidates = candidatesOf(source, { units, costs: NO_COSTS, importers });
    assert.equal(candidates[0]?.unit.file, "packages/host/test/jobs/leases.test.ts");
    const firstOf = (holds: (one: (typeof candidates)[number]) => boolean) => candidates.findIndex(holds);
    const places = [
      firstOf(({ tier, unit }) => tier === "quick" && unit.file.startsWith("packages/host/test/store/")),
      firstOf(({ tier, unit }) => tier === "slow" && unit.file.startsWith("packages/host/")),
      firstOf(({ unit }) => unit.file === "packages/server/test/crash.test.ts"),
      firstOf(({ tier }) => tier === "real"),
    ];
    assert.ok(places.every((place) => place > 0));
    assert.deepEqual(
      places.toSorted((a, b) => a - b),
      places,
    );
  },
);

test("a file that only imports lead to is asked too, as one that would escape", () => {
  const units = TIERS.flatMap((tier) => unitsOf(tier, ROOT));
  const importers = new Map([["packages/core/src/a.ts", ["tools/suite/test/idle.test.ts"]]]);
  const candidates = candidatesOf("packages/core/src/a.ts", { units, costs: NO_COSTS, importers });
  const outside = candidates.filter(({ distance }) => distance === null);
  assert.deepEqual(
    outside.map(({ unit }) => unit.file),
    ["tools/suite/test/idle.test.ts"],
  );
});

test("imports are followed through packages by their names", () => {
  const depths = importDepths("packages/core/src/encoding/bytes.ts", readImporters(ROOT));
  assert.equal(depths.get("packages/core/src/encoding/bytes.ts"), 0);
  assert.equal(depths.get("packages/core/test/bytes.test.ts"), 1);
  assert.ok((depths.get("packages/server/src/main.ts") ?? 0) > 1);
});

test("the table counts by room, and names what escaped and what nobody noticed", () => {
  const line = (fault: string, more: Partial<Line>): Line => ({
    ...{
      seed: "1",
      room: "demo",
      fault,
      kind: "call",
      noticed: null,
      compiles: true,
      passed: 3,
      untried: 1,
      seconds: 1,
    },
    ...more,
  });
  const noticed = { unit: "a.test.ts", tier: "quick", distance: 1, failure: "it is seen", why: "quick" } as const;
  const slow = { ...noticed, unit: "b.slow.test.ts", tier: "slow" } as const;
  const lines = tableOf(
    ["bench", "demo"],
    [
      line("a:1", { noticed }),
      line("a:2", { noticed: { ...noticed, distance: 9 } }),
      line("a:3", { noticed: { ...slow, why: "affected" } }),
      line("a:4", { noticed: { ...slow, why: null } }),
      line("a:5", {}),
      line("a:6", { compiles: false }),
    ],
  );
  const cells = (name: string) =>
    lines
      .find((text) => text.startsWith(`${name} `))
      ?.split(/\s+/)
      .slice(1);
  assert.deepEqual(cells("demo"), ["4", "1", "0", "1", "1", "1", "1"]);
  assert.deepEqual(cells("all"), cells("demo"));
  assert.deepEqual(cells("bench"), ["0", "0", "0", "0", "0", "0", "0"]);
  assert.match(lines.join("\n"), /\nESCAPE a:4\n +noticed by b\.slow\.test\.ts, which CI leaves out: it is seen\n/);
  assert.match(lines.join("\n"), /\nUNNOTICED by 3 files, 1 not tried: a:5$/);
});
