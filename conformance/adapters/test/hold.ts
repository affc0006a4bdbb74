/**
 * Asks an adapter cases, as the runner of the kit does, and keeps the reason of each that it does not support, which
 * the runner's result has not. It expects a program that answers every line.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import type { Json, JsonObject } from "@svc/core";

/** A request and its right answer. */
export interface Sent {
  readonly name: string;
  readonly request: JsonObject;
  readonly answer: JsonObject;
}

/** The names of the cases by how they went. */
export interface Held {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly difference: string }[];
  readonly unsupported: readonly { readonly name: string; readonly why: string }[];
}

/** The members of a report that are wording or name the verifier, and those of its checks and problems. */
const NOT_COMPARED = new Set(["verifier", "proves", "does_not_prove", "note", "message", "expected", "actual"]);

/** Resolves to how a program, started with the pinned Node and these arguments, does on the cases. */
export async function hold(
  program: readonly string[],
  cases: readonly Sent[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Held> {
  const child = spawn(process.execPath, program, { stdio: ["pipe", "pipe", "inherit"], env });
  const ended = once(child, "exit");
  // A program that ends early leaves answers out, which is said below.
  child.stdin.on("error", () => undefined);
  for (const [id, { request }] of cases.entries()) child.stdin.write(`${JSON.stringify({ ...request, id })}\n`);
  child.stdin.end();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) lines.push(line);
  const [code] = await ended;
  if (lines.length !== cases.length || code !== 0)
    throw new Error(`${program.join(" ")}: ${lines.length} answers to ${cases.length} requests, exit code ${code}`);
  const held = {
    passed: [] as string[],
    failed: [] as Held["failed"][0][],
    unsupported: [] as Held["unsupported"][0][],
  };
  for (const [id, { name, answer: wanted }] of cases.entries()) {
    const { id: given, ...answer } = JSON.parse(lines[id] ?? "") as JsonObject;
    const [right, told] = [wanted, answer].map((one) => JSON.stringify(compared(one)));
    if (answer.code === "unsupported_op") held.unsupported.push({ name, why: String(answer.message) });
    else if (given === id && right === told) held.passed.push(name);
    else held.failed.push({ name, difference: `${told} ${answer.message ?? ""}\nnot ${right}` });
  }
  return held;
}

/** Returns the parts that are compared, with members in one order, and the problems of one check too. */
function compared(value: Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((one) => compared(one) as Json);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value as JsonObject).filter(([name]) => !NOT_COMPARED.has(name));
  return Object.fromEntries(
    members.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, compared(one)]),
  ) as Json;
}
