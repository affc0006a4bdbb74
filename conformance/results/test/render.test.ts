/** The results page from results that were made up: each number stands where it belongs, and nothing is hidden. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ran, renderResults } from "../render.ts";
import type { Result } from "../result.ts";

const KERNEL = "ab".repeat(32);
const SET = { sha256: "cd".repeat(32), cases: 30 };
const level = (number: number, passed: number, failed: number, unsupported: number) => ({
  level: number,
  passed,
  failed,
  unsupported,
  cases: passed + failed + unsupported,
});

function ran(name: string, changes: Partial<Result> = {}): Ran {
  const result: Result = {
    runner: "svc conformance kit 0.5.0",
    case_set: SET,
    implementation: { version: "0.5.0", kernel_sha256: KERNEL },
    levels: [level(0, 1, 0, 0), level(1, 10, 0, 0), level(4, 20, 0, 0)],
    failures: [],
    ...changes,
  };
  return { name, repeat: `run ${name}`, result };
}

test("a row for each implementation, a column for each level, and the line that repeats it", () => {
  const reference = ran("slow|one", {
    implementation: { version: "0.5.0", kernel_sha256: null },
    levels: [level(0, 1, 0, 0), level(1, 7, 2, 1)],
    failures: [{ name: "1/digest/a" }, { name: "1/digest/b" }],
  });
  const silent = ran("silent", { implementation: null });
  const page = renderResults([ran("fast"), reference, silent], [{ name: "Deno", why: "it is not here" }]);
  assert.equal(
    page,
    `# Conformance results

All of our own implementations, held to the 30 cases of the [conformance kit](conformance.md). \`pnpm conformance:results\`
writes this page. A cell is passed / failed / unsupported; level 0 is the handshake.

- Case set: SHA-256 \`${SET.sha256}\`
- Runner: svc conformance kit 0.5.0

| implementation | version | kernel | level 0 | level 1 | level 4 |
| --- | --- | --- | ---: | ---: | ---: |
| fast | 0.5.0 | \`abababababab\` | 1 / 0 / 0 | 10 / 0 / 0 | 20 / 0 / 0 |
| slow\\|one | 0.5.0 | reference | 1 / 0 / 0 | 7 / 2 / 1 |  |
| silent | not said | not said | 1 / 0 / 0 | 10 / 0 / 0 | 20 / 0 / 0 |

- Kernel: SHA-256 \`${KERNEL}\`

## Repeat it

In the folder of the kit, beside the program of that release:

\`\`\`sh
node run.mjs --command "run fast"  # fast
node run.mjs --command "run slow|one"  # slow|one
node run.mjs --command "run silent"  # silent
\`\`\`

## Failed

- slow|one: \`1/digest/a\`, \`1/digest/b\`

## Not run

- Deno: it is not here
`,
  );
});

test("omits empty sections, and lists at most 20 names of failures", () => {
  const page = renderResults([ran("fast")], []);
  assert.doesNotMatch(page, /## (Failed|Not run)/);
  const failures = Array.from({ length: 23 }, (_, number) => ({ name: `1/json/${number}` }));
  assert.match(renderResults([ran("bad", { failures })], []), /`1\/json\/19`, and 3 more\n/);
});

test("results of other cases or of another runner do not stand on one page, and no result is no page", () => {
  const other = ran("other", { case_set: { ...SET, sha256: "ef".repeat(32) } });
  assert.throws(() => renderResults([ran("fast"), other], []), /^TypeError: other was held to other cases/);
  assert.throws(() => renderResults([ran("fast"), ran("newer", { runner: "2" })], []), TypeError);
  assert.throws(() => renderResults([], []), TypeError);
});
