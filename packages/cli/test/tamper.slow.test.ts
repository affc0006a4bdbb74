/**
 * `svc tamper`: its files are those that its manifest describes, spread over every class; a verifier that lets damage
 * through is found out.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type TrustPolicy, verify } from "@svc/core";
import { MUTANT_CLASSES } from "@svc/core/tamper";
import { packageOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import { buildWithFault, bundle, FOLDER, PIN, put, svc } from "./svc.ts";

interface Entry {
  readonly class: string;
  readonly file: string;
  readonly sha256: string;
  readonly may_be_verified: boolean;
  readonly expected_codes: readonly string[] | null;
  readonly found: { readonly verdict: string; readonly code: string | null };
}
const tamper = (file: string, out: string, limit: number) => [
  ...["tamper", "--file", file, "--out", out, "--limit", `${limit}`],
  ...PIN,
];
function manifestOf(out: string): { kind: string; trust: TrustPolicy; mutants: Entry[] } {
  return JSON.parse(readFileSync(join(FOLDER, out, "manifest.json"), "utf8"));
}

test("every file is as the manifest says, and another verifier comes to the same", async () => {
  const outcome = await svc(tamper("march.bundle.json", "of-bundle", 60));
  assert.deepEqual([outcome.stderr, outcome.code], ["", 0]);
  assert.match(outcome.stdout, /^This damages march\.bundle\.json, a bundle that is verified, in every standard\s+way/);
  assert.match(outcome.stdout, /\n {2}all +\d+ +\d+ +\d+ +0\n/);
  const { kind, trust, mutants } = manifestOf("of-bundle");
  assert.equal(kind, "bundle");
  assert.ok(mutants.length > 40 && mutants.length <= 60, `${mutants.length}`);
  assert.deepEqual(
    readdirSync(join(FOLDER, "of-bundle")).sort(),
    ["good.json", "manifest.json", ...mutants.map(({ file }) => file)].sort(),
  );
  for (const mutant of mutants) {
    const bytes = readFileSync(join(FOLDER, "of-bundle", mutant.file));
    assert.equal(createHash("sha256").update(bytes).digest("hex"), mutant.sha256);
    const { verdict, problems } = verify(bytes, { kind: "bundle", trust });
    assert.deepEqual(mutant.found, { verdict, code: problems[0]?.code ?? null });
    if (verdict === "verified") assert.ok(mutant.may_be_verified);
    else if (mutant.expected_codes !== null) assert.ok(mutant.expected_codes.includes(problems[0]?.code ?? ""));
  }
  // One object has no donor for a part of another.
  const met = new Set(mutants.map((mutant) => mutant.class));
  assert.deepEqual(
    MUTANT_CLASSES.filter((own) => !met.has(own)),
    ["spliced"],
  );
});

test("a truth package is damaged as a package, and each damaged file is one", async () => {
  const file = put("march.truth.zip", await packageOf(await smallInput()));
  const outcome = await svc(tamper(file, "of-package", 60));
  assert.deepEqual([outcome.stderr, outcome.code], ["", 0]);
  assert.match(outcome.stdout, /^This damages march\.truth\.zip, a truth package that is verified/);
  assert.match(outcome.stdout, /\n {2}all +\d+ +\d+ +\d+ +0\n/);
  const { kind, trust, mutants } = manifestOf("of-package");
  assert.equal(kind, "truth-package");
  assert.ok(mutants.length > 40 && mutants.length <= 60, `${mutants.length}`);
  assert.ok(readdirSync(join(FOLDER, "of-package")).includes("good.zip"));
  for (const { file: name, found } of mutants) {
    assert.match(name, /\.zip$/);
    const { verdict, problems } = verify(readFileSync(join(FOLDER, "of-package", name)), {
      kind: "truth-package",
      trust,
    });
    assert.deepEqual(found, { verdict, code: problems[0]?.code ?? null }, name);
  }
});

test("a verifier that takes every signature for good is found out", async () => {
  const credulous = await buildWithFault("credulous", "verifyEd25519: (items) => items.map(() => true)");
  const outcome = await svc(tamper("loan-1005.receipt.json", "survived", 200), { program: credulous });
  assert.equal(outcome.code, 1);
  assert.match(outcome.stdout, /NOT every damage was noticed/);
  assert.match(outcome.stdout, /✗ \w+-\d+ at \/receipt\/signature: [^✗]*still\s+verified/);
});

test("a file that is not verified is not tampered with, and a folder that is not empty is left alone", async () => {
  const untrusted = await svc(["tamper", "--file", "march.bundle.json", "--out", "none"]);
  assert.deepEqual([untrusted.code, untrusted.stdout], [2, ""]);
  assert.match(untrusted.stderr, /The file itself is untrusted \(key_not_pinned\)/);
  const broken = put("broken.json", { ...bundle, seal: { ...bundle.seal, signature: "0".repeat(128) } });
  assert.equal((await svc(tamper(broken, "none", 5))).code, 1);
  const full = await svc(tamper("march.bundle.json", "bin", 5));
  assert.equal(full.code, 64);
  assert.match(full.stderr, /--out "bin" is no empty folder/);
  assert.ok(!readdirSync(FOLDER).includes("none"));
});
