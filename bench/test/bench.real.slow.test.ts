/** The benchmark runs, its contenders agree, and its output has the promised form. No time is asserted. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { NO_POSTGRES } from "@svc/testkit/postgres";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const hasGo = spawnSync("go", ["version"]).status === 0;
const UNITS = ["ms", "bytes", "verifies/s", "digests/s", "leaves/s", "documents/s", "MB/s", "records/s"];

function bench(...options: string[]) {
  return benchWith(process.env, ...options);
}

function benchWith(env: NodeJS.ProcessEnv, ...options: string[]) {
  const words = ["bench/main.ts", ...options];
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8", env });
}

describe("pnpm bench", () => {
  test("prints one JSON object, after all answers were found to be equal", () => {
    const { status, stdout, stderr } = bench("kernel", "--quick", "--json", "--no-native");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, machine, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds], ["kernel", true, 3]);
    assert.equal(machine.node, process.versions.node);
    assert.match(machine.kernel_sha256, /^[0-9a-f]{64}$/);
    assert.equal(machine.native, "left out");
    assert.ok(rows.length > 10);
    for (const row of rows) {
      assert.ok(UNITS.includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
      assert.equal(row.native, null);
      assert.equal(typeof row.met, row.target === null ? "object" : "boolean");
    }
  });

  test("verify: our verdicts and those of the yardstick are right, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("verify", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds], ["verify", true, 1]);
    const yardsticks = new Set(rows.map((row: { yardstick_name: string }) => row.yardstick_name));
    assert.ok(yardsticks.has("plain-verify.mjs") && yardsticks.has("limit"));
    for (const row of rows) {
      assert.ok([...UNITS, "receipts/s", "MiB"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("cli: the verdicts of whole processes are right, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("cli", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["cli", true, 1, 11]);
    for (const row of rows) {
      assert.ok(["ms", "files/s", "receipts/s"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("export: packages verify, archives are read whole, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("export", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["export", true, 1, 9]);
    for (const row of rows) {
      assert.ok(["events/s", "MB/s", "MiB"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("page: its verdicts are right, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("page", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["page", true, 1, 6]);
    for (const row of rows) {
      assert.ok(["ms", "bytes", "MiB"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("server: every answer is a receipt that verifies; without Go, its rows say that Tessera was not measured", () => {
    const withoutGo = { ...process.env, PATH: "/nowhere" };
    const { status, stdout, stderr } = benchWith(withoutGo, "server", "--quick", "--json", "singles", "batches");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["server", true, 1, 8]);
    const [missing, ...others] = rows.filter((row: { ratio: number | null }) => row.ratio === null);
    assert.deepEqual([missing.yardstick, missing.yardstick_name], [null, "Tessera, not measured: no Go"]);
    assert.deepEqual(others, []);
    for (const row of rows) {
      assert.ok(["ms", "µs", "syncs", "processors", "receipts/s", "MiB"].includes(row.unit), row.unit);
      if (row !== missing) assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("server: where Go and the modules can be had, Tessera answers the same load, each request an index", () => {
    const { status, stdout, stderr } = bench("server", "--quick", "--json", "singles");
    assert.equal(status, 0, stderr);
    const row = JSON.parse(stdout).rows.find((one: { yardstick_name: string }) => /Tessera/.test(one.yardstick_name));
    if (hasGo && row.yardstick_name === "indexes of Tessera") assert.equal(row.ratio, row.wasm / row.yardstick);
    else assert.equal(row.yardstick_name, `Tessera, not measured: ${hasGo ? "`go mod download` fails" : "no Go"}`);
  });

  test("store: the plans are those of indexes, keys are forgotten, and its rows have the same form", {
    skip: NO_POSTGRES,
  }, () => {
    const { status, stdout, stderr } = bench("store", "--quick", "--json", "plans", "keys");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["store", true, 1, 19]);
    for (const row of rows) {
      assert.ok(["ms", "µs"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  for (const name of ["sdk", "python"])
    test(`${name}: every queued event gets its receipt, and its rows have the same form`, () => {
      const { status, stdout, stderr } = bench(name, "--quick", "--json", "queue");
      assert.equal(status, 0, stderr);
      const { bench: own, quick, rounds, rows } = JSON.parse(stdout);
      assert.deepEqual([own, quick, rounds, rows.length], [name, true, 1, 2]);
      for (const row of rows) {
        assert.ok(["receipts/s", "µs"].includes(row.unit), row.unit);
        assert.equal(row.ratio, row.wasm / row.yardstick);
      }
    });

  for (const [name, group] of [
    ["sdk", "memory"],
    ["python", "waiting"],
  ] as const)
    test(`${name}: memory while events wait is measured`, () => {
      const { status, stdout, stderr } = bench(name, "--quick", "--json", group);
      assert.equal(status, 0, stderr);
      const { rows } = JSON.parse(stdout);
      assert.deepEqual(
        rows.map(({ unit }: { unit: string }) => unit),
        ["MiB", "MiB"],
      );
      for (const row of rows) assert.equal(row.ratio, row.wasm / row.yardstick);
    });

  test("witness: every cosignature verifies; without Go, its rows say that litewitness was not measured", () => {
    for (const env of [process.env, { ...process.env, PATH: "/nowhere" }]) {
      const { status, stdout, stderr } = benchWith(env, "witness", "--quick", "--json");
      assert.equal(status, 0, stderr);
      const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
      assert.deepEqual([name, quick, rounds, rows.length], ["witness", true, 1, 4]);
      const missing = rows.filter((row: { ratio: number | null }) => row.ratio === null);
      const names = new Set(missing.map((row: { yardstick_name: string }) => row.yardstick_name));
      if (env === process.env && hasGo) assert.deepEqual(missing, []);
      else assert.deepEqual([...names], ["litewitness, not measured: no Go"]);
      for (const row of rows) if (row.ratio !== null) assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("anchors: their evidence verifies, one transaction is enough for all streams, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("anchors", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["anchors", true, 1, 9]);
    for (const row of rows) {
      assert.ok(["ms", "bytes", "transactions"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("go: verdicts, receipts and signatures are right, and its rows have the same form", {
    skip: hasGo ? false : "no Go",
  }, () => {
    const { status, stdout, stderr } = bench("go", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["go", true, 1, 17]);
    for (const row of rows) {
      assert.ok([...UNITS, "MiB", "receipts/s", "files/s", "µs"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("conformance: every case passes, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("conformance", "--quick", "--json");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["conformance", true, 1, 3]);
    for (const row of rows) {
      assert.ok(["cases/s", "ms", "MiB"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("python: the verdicts of all programs are right, and its rows have the same form", () => {
    const { status, stdout, stderr } = bench("python", "--quick", "--json", "bundle", "signatures", "start");
    assert.equal(status, 0, stderr);
    const { bench: name, quick, rounds, rows } = JSON.parse(stdout);
    assert.deepEqual([name, quick, rounds, rows.length], ["python", true, 1, 10]);
    for (const row of rows) {
      assert.ok(["ms", "verifies/s", "receipts/s", "MiB"].includes(row.unit), row.unit);
      assert.equal(row.ratio, row.wasm / row.yardstick);
    }
  });

  test("what it does not know is told, and is not a measurement", () => {
    for (const options of [
      [],
      ["other"],
      ["kernel", "other"],
      ["verify", "bulk"],
      ["cli", "bulk"],
      ["toString"],
      ["kernel", "--other"],
    ]) {
      const { status, stdout, stderr } = bench(...options);
      assert.equal(status, 2);
      assert.equal(stdout, "");
      assert.match(stderr, /^usage: pnpm bench kernel /m);
    }
  });
});
