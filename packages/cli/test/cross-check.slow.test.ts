/**
 * `--cross-check` and `--kernel` as a process: agreement is stated, disagreement is no verdict, and a kernel that was
 * named is never replaced. The transcripts have the pages.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { crossCheck, type Kind, pinKeys, referenceKernel, selectKernel, verify } from "@svc/core";
import { SERVICE } from "@svc/testkit/evidence/service";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import {
  buildWithFault,
  bundle,
  changed,
  type Outcome,
  PIN,
  put,
  receipt,
  runProcess,
  SVC,
  steady,
  svc,
  told,
} from "./svc.ts";

const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const forged = changed(bundle, ({ seal }) => {
  seal.signature = "0".repeat(128);
});
const files = { good: bundle, forged, receipt, marked: { bundle_id: "b" } };
const COMMANDS = [
  ["bundle", ["bundles", "offline-verify"]],
  ["receipt", ["receipts", "verify"]],
] as const satisfies readonly (readonly [Kind, readonly string[]])[];

/** Returns the words of `svc` on stderr, with its wrapping undone. */
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");

test("agreement: the same page and exit code, and a line that says so; the report beside it in --json", async () => {
  assert.deepEqual(KERNEL_NAMES, ["wasm", "reference"]);
  for (const [name, content] of Object.entries(files))
    for (const [kind, command] of COMMANDS) {
      const call = [...command, ...PIN, "--file", put(`${name}.json`, content)];
      const plain = await svc(call);
      const checked = await svc([...call, "--cross-check"]);
      assert.equal(
        steady(checked.stdout),
        `${steady(plain.stdout)}  cross-checked: both kernels agree (wasm <sha256>… and reference)\n`,
      );
      assert.deepEqual([checked.stderr, checked.code], ["", plain.code]);

      const json = await svc([...call, "--cross-check", "--json"]);
      assert.equal(json.code, plain.code);
      const bytes = new TextEncoder().encode(JSON.stringify(content, null, 1));
      const parsed = JSON.parse(json.stdout);
      assert.deepEqual(told(parsed), told(JSON.parse(JSON.stringify(crossCheck(bytes, { kind, trust })))));
      assert.deepEqual(
        told(parsed.report),
        told(JSON.parse((await svc([...call, "--json"])).stdout)),
        "the report keeps its shape",
      );
      assert.equal(parsed.cross_check.agree, true);
    }
});

test("disagreement: exit 1, no verdict of either kernel, and both reports in --json", async () => {
  const program = await buildWithFault("credulous", "verifyEd25519: (items) => items.map(() => true)");
  const call = ["bundles", "offline-verify", "--file", put("forged.json", forged), ...PIN];
  const alone = await svc(call, { program });
  assert.equal(alone.code, 0, "the fault is one: alone, the kernel verifies a forged bundle");

  const { stdout, stderr, code } = await svc([...call, "--cross-check"], { program });
  assert.match(stdout, /^REJECTED /);
  assert.doesNotMatch(stdout, /This shows|holds:/);
  assert.deepEqual([stderr, code], ["", 1]);

  const json = await svc([...call, "--cross-check", "--json"], { program });
  assert.equal(json.code, 1);
  const { report, cross_check } = JSON.parse(json.stdout);
  assert.deepEqual([report.verdict, report.ok, report.problems[0].code], ["rejected", false, "kernels_disagree"]);
  assert.equal(cross_check.agree, false);
  assert.deepEqual(cross_check.first_difference, { path: "/ok", values: ["true", "false"] });
  const [compiled, reference] = cross_check.runs;
  assert.deepEqual([compiled.kernel, compiled.report.verdict], ["wasm", "verified"]);
  assert.deepEqual(reference.report, verify(encode(forged), { kind: "bundle", trust, kernel: referenceKernel }));
});

test("a trust file that the kernels read differently is no verdict", async () => {
  const fault = "parseJson: (bytes) => ({ ok: true, value: { signers: [] } })";
  const program = await buildWithFault("other-trust", fault);
  const policy = put("policy.json", { ...trust, require: ["witnessed"] });
  const call = ["receipts", "verify", "--file", put("receipt.json", receipt), "--trust", policy, "--cross-check"];
  const outcome = await svc(call, { program });
  assert.deepEqual([outcome.stdout, outcome.code], ["", 70]);
  assert.match(said(outcome), /^svc: The kernels do not read your trust the same, so one of them is wrong\./);
});

test("--kernel says which one computes", async () => {
  const call = ["receipts", "verify", "--file", put("receipt.json", receipt), ...PIN];
  const sha256 = selectKernel("wasm").sha256Hex ?? assert.fail();
  const page = async (...options: string[]) => (await svc([...call, ...options])).stdout;
  assert.match(await page("--kernel", "reference"), /, kernel reference, svc /);
  for (const options of [["--kernel", "wasm"], []])
    assert.ok((await page(...options)).includes(`, kernel ${sha256.slice(0, 16)}…, svc `));
  const hashes = async (name: string) => JSON.parse(await page("--kernel", name, "--json")).verifier.kernel_sha256;
  assert.deepEqual([await hashes("reference"), await hashes("wasm")], [null, sha256]);
});

const withoutWasm = put("without-wasm.mjs", "delete globalThis.WebAssembly;");
const runWithoutWasm = (args: readonly string[], stdin = "") =>
  runProcess(process.execPath, ["--import", `./${withoutWasm}`, SVC, ...args], { stdin });

test("without WebAssembly a cross-check fails, and is never one run alone", async () => {
  const call = ["receipts", "verify", "--file", put("receipt.json", receipt), ...PIN];
  const crossChecked = await runWithoutWasm([...call, "--cross-check"]);
  assert.deepEqual([crossChecked.stdout, crossChecked.code], ["", 70]);
  assert.match(
    said(crossChecked),
    /^svc: The compiled kernel cannot be had here: .+ Run it where WebAssembly is to be had, or without --cross-check: one kernel alone cross-checks nothing\.$/,
  );
  for (const asked of [
    [...call, "--kernel", "wasm"],
    ["conformance", "--kernel", "wasm"],
  ]) {
    const outcome = await runWithoutWasm(asked);
    assert.deepEqual([outcome.stdout, outcome.code], ["", 70]);
    assert.match(
      said(outcome),
      /^svc: The compiled kernel cannot be had here: .+ Leave --kernel out, or give --kernel reference\.$/,
    );
  }
});

test("without WebAssembly and without a wish the reference computes, and the page says so", async () => {
  const outcome = await runWithoutWasm(["receipts", "verify", "--file", put("receipt.json", receipt), ...PIN]);
  assert.match(outcome.stdout, /^VERIFIED .*, kernel reference, svc /s);
  assert.equal(outcome.code, 0);
  const answers = await runWithoutWasm(["conformance"], '{"id":1,"op":"merkle.root","leaves":["00"]}\n');
  assert.match(answers.stdout, /^\{"id":1,"ok":true,/);
});
