import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

test("opens a lock", () => new DatabaseSync(join(tmpdir(), `svc-${process.pid}.lock`), { open: false }));

test("opens a database in memory", () => new DatabaseSync(":memory:"));
