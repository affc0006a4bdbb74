/**
 * `pnpm conformance --command "<program>"`: compares any verifier that speaks the conformance protocol
 * (docs/conformance.md) with the fixtures, and prints the differences. Exits with 0 without differences, 1 with some,
 * 64 for a wrong call.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE =
  'usage: pnpm conformance --command "<program>" [--fixtures <folder>] [--seconds <patience for one answer>]';
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A fixture, by fixtures/README.md, and its expected report. */
interface Fixture {
  readonly name: string;
  readonly request: string;
  readonly expected: Outcome;
}

/** The parts on which two verifiers must agree: everything but `verifier` and the wording (protocol section 16). */
interface Outcome {
  readonly ok: unknown;
  readonly verdict: unknown;
  readonly kind: unknown;
  readonly subject: unknown;
  readonly assurance: unknown;
  readonly checks: unknown;
  readonly problems: unknown;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall();
  if (call === null) return 64;
  const fixtures = readFixtures(call.fixtures);
  if (fixtures.length === 0) {
    console.error(`no fixtures in ${call.fixtures}`);
    return 64;
  }
  const answers = await ask(call.command, fixtures, call.seconds);
  let differing = 0;
  for (const [index, { name, expected }] of fixtures.entries()) {
    const lines = differences(answers.lines[index], index, expected);
    if (lines.length === 0) continue;
    differing++;
    console.log([name, ...lines.map((line) => `  ${line}`)].join("\n"));
  }
  if (answers.fault !== null) console.log(answers.fault);
  const surplus = answers.lines.length - fixtures.length;
  if (surplus > 0) console.log(`${surplus} lines more than were asked for`);
  console.log(`${fixtures.length} cases, ${differing} differ`);
  return differing > 0 || surplus > 0 || answers.fault !== null ? 1 : 0;
}

function readCall() {
  try {
    const { values } = parseArgs({
      options: {
        command: { type: "string" },
        fixtures: { type: "string", default: join(ROOT, "fixtures") },
        seconds: { type: "string", default: "60" },
      },
    });
    const { command, fixtures } = values;
    const seconds = Number(values.seconds);
    if (command !== undefined && command.trim() !== "" && seconds > 0) return { command, fixtures, seconds };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
  }
  console.error(USAGE);
  return null;
}

function readFixtures(folder: string): Fixture[] {
  const cases = join(folder, "cases");
  const files = readdirSync(cases, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return files.sort().map((file, id) => {
    const { kind, trust, links, input, input_base64 } = JSON.parse(readFileSync(join(cases, file), "utf8"));
    const bytes = input_base64 ?? Buffer.from(input).toString("base64");
    const request = JSON.stringify({ id, op: "verify", bytes, kind, trust, links });
    const report = JSON.parse(readFileSync(join(folder, "reports", file), "utf8"));
    return { name: relative(ROOT, join(cases, file)), request, expected: outcomeOf(report) };
  });
}

/** Sends all requests, and collects the answer lines until the program ends or goes silent. */
async function ask(command: string, fixtures: readonly Fixture[], seconds: number) {
  const program = spawn(command, { shell: true, stdio: ["pipe", "pipe", "inherit"], detached: true });
  const lines: string[] = [];
  let fault: string | null = null;
  const giveUp = () => {
    fault = `no answer for ${seconds} seconds, after ${lines.length}; the program was ended`;
    end(program.pid);
  };
  let patience = setTimeout(giveUp, seconds * 1000);
  const closed = new Promise<void>((resolve) => {
    program.on("close", (code, signal) => {
      if (fault === null && code !== 0) fault = `the program ended with ${signal ?? `exit code ${code}`}`;
      resolve();
    });
    program.on("error", (error) => {
      fault = `the program cannot be started: ${error.message}`;
      resolve();
    });
  });
  // Missing answers show that a program ended early.
  program.stdin.on("error", () => {});
  for (const { request } of fixtures) program.stdin.write(`${request}\n`);
  program.stdin.end();
  for await (const line of createInterface({ input: program.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
    lines.push(line);
    clearTimeout(patience);
    patience = setTimeout(giveUp, seconds * 1000);
  }
  await closed;
  clearTimeout(patience);
  return { lines, fault };
}

/** Kills a program together with the children of its shell. */
function end(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}

/** Returns the faults of an answer, one line for each. */
function differences(line: string | undefined, id: number, expected: Outcome): string[] {
  if (line === undefined) return ["no answer"];
  let answer: { readonly id?: unknown; readonly ok?: unknown; readonly code?: unknown; readonly report?: unknown };
  try {
    answer = JSON.parse(line);
  } catch {
    return [`not JSON: ${JSON.stringify(line.slice(0, 200))}`];
  }
  if (typeof answer !== "object" || answer === null || answer.id !== id) return [`not the answer to request ${id}`];
  if (typeof answer.report !== "object" || answer.report === null)
    return [`no report, and the code ${JSON.stringify(answer.code)}`];
  const actual = outcomeOf(answer.report as Record<string, unknown>);
  const wrong = answer.ok === actual.ok ? [] : [`ok: ${answer.ok} beside a report with ${actual.ok}`];
  for (const [member, value] of Object.entries(expected)) {
    const [wanted, given] = [value, actual[member as keyof Outcome]].map((one) => JSON.stringify(one) ?? "nothing");
    if (wanted !== given) wrong.push(`${member}: ${given}`, `${" ".repeat(member.length - 2)}not: ${wanted}`);
  }
  return wrong;
}

/**
 * Returns a report without its wording, with members in one order and problems in the order of their codes and places.
 */
function outcomeOf(report: Record<string, unknown>): Outcome {
  const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, unknown>[]) : []);
  const problems = list(report.problems).map(({ code, path }) => `${code} at ${path === "" ? "/" : path}`);
  return {
    ok: report.ok,
    verdict: report.verdict,
    kind: report.kind,
    subject: inOrder(report.subject),
    assurance: inOrder(report.assurance),
    checks: list(report.checks).map(({ id, status, count }) => `${id} ${status} ${count ?? ""}`.trim()),
    problems: problems.sort(),
  };
}

function inOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}
