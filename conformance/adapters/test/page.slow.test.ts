/** The adapter of the page: what it is, requests that it refuses, and every case of `verify`. */
import assert from "node:assert/strict";
import { VERSION } from "@svc/core";
import { runtimeTest } from "@svc/testkit/runtimes";
import { KERNEL_SHA256 } from "@svc/wasm";
import { caseFiles } from "../../case-set/case-set.ts";
import { allCases } from "../../test/cases.ts";
import { holdPage } from "./page.ts";

const MALFORMED = { ok: false, code: "malformed_request" };
const UNSUPPORTED_OBJECT = { ok: false, code: "unsupported_object" };

runtimeTest("the page says what it is, and gives the right report in every case", holdPage, async (hold) => {
  const hello = {
    ok: true,
    implementation: "verify.html",
    version: VERSION,
    kernel_sha256: KERNEL_SHA256,
    protocol: "SVC-PROOFSTREAM-001",
    ops: ["hello", "verify"],
  };
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
  const cases = allCases(caseFiles()).filter(({ request }) => request.op === "verify");
  assert.ok(cases.length > 700, `${cases.length}`);
  const { passed, failed } = await hold([...others, ...cases]);
  assert.deepEqual(failed, []);
  assert.equal(passed.length, others.length + cases.length);
});
