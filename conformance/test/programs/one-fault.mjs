// A program under test that is right, but for one fault, which its argument names. The right answer to `digest` is the
// request's own `tag`, so that a test needs no cryptography. The fault shows in the case with the tag "bad".

import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [fault = "none", file = ""] = process.argv.slice(2);
const forever = () => new Promise(() => setInterval(() => undefined, 1000));
const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
const answer = ({ id, tag }) => `${JSON.stringify({ id, ok: true, digest: tag })}\n`;

/** By name: what happens in place of the right answer. */
const FAULTS = {
  crash: () => process.kill(process.pid, "SIGSEGV"),
  "exit-0": () => process.exit(0),
  "exit-behind": async (request) => {
    await write(answer(request));
    process.exit(0);
  },
  hang: forever,
  flood: async () => {
    for (const piece = "x".repeat(1024 ** 2); ; ) await write(piece);
  },
  "long-line": async () => write(`"${"x".repeat(20 * 1024 ** 2)}"\n`),
  twice: async (request) => write(answer(request) + answer(request)),
  "half-line": async (request) => {
    await write(answer(request).slice(0, 9));
    process.exit(0);
  },
  "half-and-hang": async (request) => {
    await write(answer(request).slice(0, 9));
    await forever();
  },
  "two-halves": async (request) => write(answer(request).replace(",", ",\n")),
  "other-id": async (request) => write(answer({ ...request, id: 777_777 })),
  late: async (request) => setTimeout(() => write(answer(request)), 300),
  "no-id": async () => write('{"ok":true}\n'),
  "not-utf-8": async () => write(Buffer.from([0x22, 0xff, 0x22, 0x0a])),
  "not-json": async () => write("\u001b[31myes\n"),
  "no-object": async () => write("[]\n"),
  deep: async ({ id }) => write(`{"id":${id},"ok":true,"digest":${"[".repeat(1e5)}${"]".repeat(1e5)}}\n`),
  stderr: async () => {
    for (const piece = "x".repeat(1024 ** 2); ; ) await new Promise((done) => process.stderr.write(piece, done));
  },
  "closed-input": async () => {
    process.stdin.destroy();
    await forever();
  },
  "wrong-answer": async (request) => write(answer({ ...request, tag: "\u001b[31m\u202e<b>" })),
  leave: () => {
    const left = spawn("sleep", ["1000"], { stdio: ["ignore", "inherit", "ignore"], detached: true });
    appendFileSync(`${file}.left`, `${left.pid}\n`);
    process.exit(0);
  },
  unsupported: async ({ id }) => write(`{"id":${id},"ok":false,"code":"unsupported_op"}\n`),
};

/** A child that outlives everything but the end of its process group. */
if (file !== "") {
  const child = spawn("sleep", ["1000"], { stdio: ["ignore", "inherit", "ignore"] });
  appendFileSync(file, `${process.pid} ${child.pid}\n`);
}
let held = null;
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.op === "hello") await write(hello(request.id));
  else if (fault === "out-of-order" && request.tag === "bad" && held === null) held = request;
  else {
    const happens = FAULTS[fault];
    await (request.tag === "bad" && happens !== undefined ? happens(request) : write(answer(request)));
    if (held !== null) await write(answer(held));
    held = null;
  }
}
if (fault === "bad-end") process.exitCode = 3;
process.exit();

function hello(id) {
  if (fault === "no-hello") return `{"id":${id},"ok":false,"code":"unsupported_op"}\n`;
  const protocol = fault === "old-protocol" ? "SVC-PROOFSTREAM-000" : "SVC-PROOFSTREAM-001";
  const stated = { implementation: "adder", version: "1", kernel_sha256: null, protocol, ops: ["digest"] };
  return `${JSON.stringify({ id, ok: true, ...stated })}\n`;
}
