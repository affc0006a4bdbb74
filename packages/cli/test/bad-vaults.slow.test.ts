/** Evidence of vaults that must not pass, as a file and on standard input: `svc` says its verdict and its code. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { badVaults } from "@svc/testkit/evidence/bad-vaults";
import { put, svc } from "./svc.ts";

const EXITS = { rejected: 1, untrusted: 2 } as const;

for (const [name, { text, trust, verdict, code }] of Object.entries(await badVaults())) {
  // A list is no evidence of any kind, and `svc` says so (not-evidence.slow.test.ts).
  if (text.startsWith("[")) continue;
  test(`svc says of ${name}: ${verdict}, ${code}`, async () => {
    put("bad.json", text);
    put("bad.trust.json", trust);
    for (const [file, stdin] of [
      ["bad.json", ""],
      ["-", text],
    ] as const) {
      const args = ["verify", file, "--trust", "bad.trust.json", "--json"];
      const outcome = await svc(args, stdin === "" ? {} : { stdin });
      const { verdict: said, problems } = JSON.parse(outcome.stdout);
      assert.deepEqual([outcome.code, said], [EXITS[verdict], verdict], outcome.stderr);
      assert.ok(
        problems.some((problem: { code: string }) => problem.code === code),
        outcome.stdout,
      );
    }
  });
}
