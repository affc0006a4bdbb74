/**
 * `svc conformance` as a process: answers come one by one, in order, for any input; it reads no further than its reader
 * does; memory stays bounded; only the end of the input ends it.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import { MAX_REQUEST_BYTES } from "../src/conformance/converse.ts";
import { FOLDER, put, runProcess, SVC, svc } from "./svc.ts";

const ROOT = { op: "merkle.root", leaves: ["00"] };
const lineOf = (request: object) => `${JSON.stringify(request)}\n`;
const answersOf = (stdout: string) =>
  stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

for (const kernel of KERNEL_NAMES) {
  test(`${kernel}: answers keep the order of the requests, whatever they are`, async () => {
    const requests = Array.from({ length: 1000 }, (_, i) => [
      lineOf({ id: 1000 - i, ...ROOT }),
      i % 3 === 0 ? "\n" : "",
      i % 5 === 0 ? `{"id":${i},"id":0}\r\n` : "",
      i % 7 === 0 ? lineOf({ id: `u${i}`, op: "archive.unpack" }) : "",
    ]).flat();
    const stdin = `${requests.join("")}${JSON.stringify({ id: "last, without a newline", ...ROOT })}`;
    const { stdout, stderr, code } = await svc(["conformance", "--kernel", kernel], { stdin });
    const expected = [...requests.filter((line) => line !== ""), "last"].map((line) =>
      line === "last"
        ? ["last, without a newline", undefined]
        : line === "\n"
          ? [null, "json_malformed"]
          : line.endsWith("\r\n")
            ? [null, "duplicate_name"]
            : [JSON.parse(line).id, line.includes("archive") ? "unsupported_op" : undefined],
    );
    assert.deepEqual(
      answersOf(stdout).map(({ id, code }) => [id, code]),
      expected,
    );
    assert.equal(stderr, "");
    assert.equal(code, 0);
  });
}

test("no input, no answer", async () => {
  assert.deepEqual(await svc(["conformance"], { stdin: "" }), { stdout: "", stderr: "", code: 0 });
});

test("an answer comes before the next request is there", async () => {
  const child = spawn(process.execPath, [SVC, "conformance"], { cwd: FOLDER });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => child.on("close", resolve));
  for (let id = 1; id <= 3; id++) {
    const request = lineOf({ id, ...ROOT });
    child.stdin.write(request.slice(0, 9));
    child.stdin.write(request.slice(9));
    const { value } = await lines.next();
    assert.equal(JSON.parse(String(value)).id, id);
  }
  child.stdin.end();
  assert.equal(await ended, 0);
});

test("an answer is one line and harmless, and echoes any id", async () => {
  const ids = ["\u2028\u0085\u001b[31m\n", { __proto__: null, a: [null, -0.5e-7, "é"] }, null, false, 1e300];
  const text = `{"id":${ids.map((id) => JSON.stringify(id)).join(`,"op":"x"}\n{"id":`)},"op":"x"}\n`;
  const withProto = '{"id":{"__proto__":{"toString":1}},"op":"x"}\n';
  const { stdout } = await svc(["conformance"], { stdin: text + withProto });
  assert.match(stdout, /^([^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\n){6}$/u);
  const answers = stdout.split("\n");
  for (const [index, id] of ids.entries())
    assert.deepEqual(JSON.parse(answers[index] ?? "").id, JSON.parse(JSON.stringify(id)));
  assert.equal(answers[5], '{"id":{"__proto__":{"toString":1}},"ok":false,"code":"unsupported_op"}');
});

/** Writes to stderr at the end of a process how much memory it held at most, in KiB. */
const measure = put(
  "measure.mjs",
  'process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)));',
);

/** Runs the conformance command on chunks that are made on demand. */
function feed(chunks: Iterable<Uint8Array | string>): Promise<{ stdout: string; stderr: string; code: number | null }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", `./${measure}`, SVC, "conformance"], { cwd: FOLDER });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject).on("close", (code) => resolve({ stdout, stderr, code }));
    void (async () => {
      for (const chunk of chunks)
        if (!child.stdin.write(chunk)) await new Promise((drained) => child.stdin.once("drain", drained));
      child.stdin.end();
    })().catch(reject);
  });
}

test("a line of 600 MB garbage is an answer, and is not held in memory", async () => {
  const garbage = new Uint8Array(1_000_000).fill(0x5b);
  function* input() {
    yield lineOf({ id: "before", ...ROOT });
    for (let i = 0; i < 600; i++) yield garbage;
    yield `\n${lineOf({ id: "after", ...ROOT })}`;
  }
  const { stdout, stderr, code } = await feed(input());
  const [before, large, after, ...more] = answersOf(stdout);
  assert.deepEqual([before.id, before.ok, after.id, after.ok, more], ["before", true, "after", true, []]);
  assert.deepEqual([large.id, large.ok, large.code], [null, false, "request_too_large"]);
  assert.match(large.message, new RegExp(`longer than ${MAX_REQUEST_BYTES} bytes`));
  assert.equal(code, 0);
  assert.ok(Number(stderr) < 350 * 1024, `it held ${stderr} KiB`);
});

test("a line of just the cap is read, one byte more is not", async () => {
  const start = '{"id":1,"op":"';
  const whole = start + "x".repeat(MAX_REQUEST_BYTES - start.length - 2).concat('"}');
  const { stdout, code } = await feed([whole, "\n", whole, " \n", whole]);
  assert.deepEqual(
    answersOf(stdout).map((answer) => answer.code),
    ["unsupported_op", "request_too_large", "unsupported_op"],
  );
  assert.equal(code, 0);
});

test("a line of as many values as fit is an answer, too", async () => {
  // Nothing shorter takes more memory once it is parsed.
  const items = "{},".repeat((MAX_REQUEST_BYTES - 40) / 3);
  const { stdout, code } = await feed([`{"id":1,"op":"x","y":[${items}0]}\n`]);
  assert.deepEqual(answersOf(stdout), [{ id: 1, ok: false, code: "unsupported_op" }]);
  assert.equal(code, 0);
});

test("a reader that goes away ends it, quietly, however much is still to come", async () => {
  const child = spawn(process.execPath, [SVC, "conformance"], { cwd: FOLDER });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {});
  let isOver = false;
  const ended = new Promise((resolve) => child.on("close", resolve)).finally(() => {
    isOver = true;
  });
  child.stdout.once("data", () => child.stdout.destroy());
  // Far more than any pipe holds, and no end of input: only the missing reader can end this.
  const request = lineOf({ id: 1, ...ROOT }).repeat(1000);
  for (let rounds = 0; !isOver && rounds < 2000; rounds++)
    if (!child.stdin.write(request))
      await Promise.race([ended, new Promise((drained) => child.stdin.once("drain", drained))]);
  if (!isOver && child.exitCode === null && child.signalCode === null) child.kill();
  assert.equal(await ended, 0);
  assert.equal(stderr, "");
});

test("a pipe to head leaves no noise", async () => {
  const command = `yes '${lineOf({ id: 1, ...ROOT }).trim()}' | "${process.execPath}" "${SVC}" conformance | head -n 3`;
  const { stdout, stderr } = await runProcess("/bin/sh", ["-c", command]);
  assert.equal(answersOf(stdout).length, 3);
  assert.equal(stderr, "");
});

test("input that cannot be read is 66", async () => {
  const path = join(FOLDER, "write-only");
  const file = openSync(path, "w");
  try {
    const child = spawn(process.execPath, [SVC, "conformance"], { stdio: [file, "pipe", "pipe"] });
    let stderr = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    assert.equal(await new Promise((resolve) => child.on("close", resolve)), 66);
    assert.match(stderr, /^svc: Cannot read standard input: the system says EBADF\./);
  } finally {
    closeSync(file);
  }
});
