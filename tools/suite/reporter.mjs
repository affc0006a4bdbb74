// The report of the runner for people, and before its closing lines the slowest test files, and those that used the
// most processor time. Where the environment lists
// the only reasons for leaving a test out, another reason makes the run fail. Plain JavaScript, because the runner
// loads it by itself.
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { Readable } from "node:stream";
import { spec } from "node:test/reporters";

const SHOWN = 10;
/** The first of the runner's closing lines. */
const FIRST_OF_CLOSING = /^tests \d+$/;

/** The reasons, as a list in JSON; null where any will do. */
const reasons = JSON.parse(process.env.SVC_TEST_LEFT_OUT ?? "null");

/** Takes the runner's events, and yields text. */
export default async function* report(events) {
  yield* Readable.from(withSlowest(events)).pipe(new spec());
}

async function* withSlowest(events) {
  const files = [];
  const unexpected = [];
  for await (const event of events) {
    const { type, data } = event;
    // A file is a test around those in it.
    if (type === "test:complete" && data.nesting === 0 && data.file?.endsWith(data.name))
      files.push({ name: relative(process.cwd(), data.file), seconds: data.details.duration_ms / 1000 });
    if (reasons !== null && (data.skip ?? false) !== false && !reasons.includes(data.skip))
      unexpected.push(`${data.name}: ${data.skip}`);
    if (type === "test:diagnostic" && data.nesting === 0 && FIRST_OF_CLOSING.test(data.message))
      yield { type: "test:stdout", data: { message: linesOf(files) + used() + unexpectedOf(unexpected) } };
    yield event;
  }
}

/** Returns what to say of tests that are left out without one of the reasons, and makes the run fail for them. */
function unexpectedOf(names) {
  if (names.length === 0) return "";
  process.exitCode = 1;
  return `Left out, and may not be:\n${[...new Set(names)].map((name) => `  ${name}\n`).join("")}\n`;
}

function linesOf(files) {
  return `\nThe slowest of ${files.length} files:\n${greatest(files)}\n`;
}

/** Returns the lines about processor time, of the files that wrote it down at their end (processor.mjs). */
function used() {
  const { SVC_TEST_PROCESSOR } = process.env;
  if (SVC_TEST_PROCESSOR === undefined) return "";
  const files = readFileSync(SVC_TEST_PROCESSOR, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .map(({ file, seconds }) => ({ name: relative(process.cwd(), file), seconds }));
  const all = files.reduce((sum, { seconds }) => sum + seconds, 0);
  return `Processor time, ${all.toFixed(0)} s in all; the most was used by:\n${greatest(files)}\n`;
}

function greatest(files) {
  const first = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  return first.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}\n`).join("");
}
