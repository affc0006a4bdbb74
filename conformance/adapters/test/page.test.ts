/** The adapter of the page: a slice of the cases, what it is, and a wrong call. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { VERSION } from "@svc/core";
import { runtimeTest } from "@svc/testkit/runtimes";
import { KERNEL_SHA256 } from "@svc/wasm";
import { caseFiles } from "../../case-set/case-set.ts";
import { allCases } from "../../test/cases.ts";
import { holdPage } from "./page.ts";

runtimeTest("the page gives the right reports, and says what it is", holdPage, async (hold) => {
  const hello = {
    ok: true,
    implementation: "verify.html",
    version: VERSION,
    kernel_sha256: KERNEL_SHA256,
    protocol: "SVC-PROOFSTREAM-001",
    ops: ["hello", "verify"],
  };
  const slice = allCases(caseFiles()).filter(
    ({ name }, index) => index % 40 === 0 || name.includes("/truth-package/good"),
  );
  const others = [
    { name: "hello", level: 0, request: { op: "hello" }, answer: hello },
    { name: "no policy", level: 0, request: { op: "verify", bytes: "", trust: null }, answer: MALFORMED },
    { name: "hello with a member", level: 0, request: { op: "hello", name: "x" }, answer: MALFORMED },
    { name: "no text", level: 0, request: { op: "verify", bytes: "e30=", kind: 1 }, answer: MALFORMED },
    { name: "no array", level: 0, request: { op: "verify", bytes: "e30=", links: {} }, answer: MALFORMED },
    {
      name: "no kind",
      level: 0,
      request: { op: "verify", bytes: "e30=", kind: "Receipt" },
      answer: UNSUPPORTED_OBJECT,
    },
    { name: "no base64", level: 0, request: { op: "verify", bytes: "e30" }, answer: MALFORMED },
  ];
  const cases = [...others, ...slice.filter(({ request }) => request.op === "verify")];
  const { passed, failed } = await hold(cases);
  assert.deepEqual(failed, []);
  assert.equal(passed.length, cases.length);
  assert.ok(cases.length > 20, `${cases.length}`);
});

const MALFORMED = { ok: false, code: "malformed_request" };
const UNSUPPORTED_OBJECT = { ok: false, code: "unsupported_object" };

test("a call without a Chromium that is there is a wrong one", () => {
  const adapter = fileURLToPath(new URL("../page.mjs", import.meta.url));
  for (const words of [[], ["--chromium", "/nowhere/chromium", "--page", adapter]]) {
    const { status, stderr } = spawnSync(process.execPath, [adapter, ...words], { encoding: "utf8" });
    assert.equal(status, 64);
    assert.match(stderr, /^usage: node page\.mjs /m);
  }
});
