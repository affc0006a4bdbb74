/** Twelve changes of different kinds: the slow and real files that each affects, and some that it leaves alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { distanceOf } from "../affected.ts";
import { isChoosable } from "../choose.ts";
import { nameOf, TIERS, unitsOf } from "../plan.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const ALL = TIERS.flatMap((tier) => unitsOf(tier, ROOT)).filter(isChoosable);

/** By kind of change: its path, beginnings of names of files that it affects, and of others that it does not. */
const SAMPLES: Readonly<Record<string, { readonly path: string; readonly affects: string[]; readonly not: string[] }>> =
  {
    "a sentence in docs": {
      path: "docs/operations.md",
      affects: [
        "packages/server/test/commands/operations-page.slow",
        "packages/sdk/test/doc-examples.slow",
        "tools/api-page/",
      ],
      not: ["packages/web-verify/", "tools/chaos/", "conformance/", "packages/report/"],
    },
    "a code": {
      path: "packages/core/src/report/plain-codes.ts",
      affects: [
        "packages/core/",
        "packages/cli/",
        "sdks/go/",
        "sdks/python/",
        "conformance/",
        "packages/web-verify/",
        "tools/spec/",
      ],
      not: ["tools/sdk-reference/"],
    },
    "a route": {
      path: "packages/api/src/families/streams.ts",
      affects: [
        "packages/server/test/http/openapi.slow",
        "tools/api-page/",
        "sdks/go/test/client.slow",
        "packages/sdk/",
      ],
      not: ["packages/core/", "packages/web-verify/", "packages/report/"],
    },
    "a store statement": {
      path: "packages/server/src/streams/events-store.ts",
      affects: [
        "packages/server/test/streams/append.test.ts (postgres)",
        "packages/server/test/hardship.slow",
        "tools/chaos/",
      ],
      not: ["packages/core/", "packages/report/", "packages/witness/"],
    },
    "a Go file": {
      path: "sdks/go/internal/jsonx/parse.go",
      affects: ["sdks/go/test/go.slow", "sdks/go/test/races.real.slow", "sdks/go/test/mutants.real.slow"],
      not: ["sdks/python/", "packages/"],
    },
    "a Python file": {
      path: "sdks/python/src/svc/_json.py",
      affects: ["sdks/python/test/python.slow", "sdks/python/test/pythons.real.slow", "sdks/pytest-svc/"],
      not: ["sdks/go/", "packages/"],
    },
    "the page's CSS": {
      path: "packages/web-verify/src/page.css",
      affects: ["packages/web-verify/test/page.slow", "packages/web-verify/test/screenshots.slow", "packages/server/"],
      not: ["packages/core/", "packages/report/", "packages/witness/"],
    },
    "a demo scene": {
      path: "demo/scenes/tampering.ts",
      affects: ["demo/test/stories.slow"],
      not: ["packages/core/", "sdks/", "tools/"],
    },
    "a migration": {
      path: "packages/server/src/streams/migrations.ts",
      affects: [
        "packages/server/test/postgres/migrate-store.slow",
        "packages/server/test/migrations/",
        "packages/server/test/streams/",
      ],
      not: ["packages/core/", "packages/report/"],
    },
    "a fixture": {
      path: "fixtures/cases/bundle/good.json",
      affects: [
        "packages/core/test/cross-check.slow",
        "sdks/go/",
        "sdks/python/",
        "packages/web-verify/test/fixtures.slow",
        "conformance/",
      ],
      not: ["packages/server/", "packages/host/"],
    },
    "a bench": {
      path: "bench/verify/main.ts",
      affects: ["bench/test/verify.real.slow"],
      not: ["packages/server/", "sdks/go/", "demo/"],
    },
    "a Dockerfile": {
      path: "deploy/Dockerfile",
      affects: ["packages/server/test/deploy/image.slow", "packages/witness/test/image.slow"],
      not: ["packages/core/", "packages/cli/", "sdks/"],
    },
  };

for (const [kind, { path, affects, not }] of Object.entries(SAMPLES))
  test(`${kind} affects what one would expect`, () => {
    const affected = ALL.filter((unit) => distanceOf(unit, [path]) !== null).map(nameOf);
    for (const begin of affects)
      assert.ok(
        affected.some((name) => name.startsWith(begin)),
        `${begin} is not affected`,
      );
    for (const begin of not) {
      assert.ok(
        ALL.some((unit) => nameOf(unit).startsWith(begin)),
        `${begin} begins no name`,
      );
      assert.deepEqual(
        affected.filter((name) => name.startsWith(begin)),
        [],
      );
    }
  });
