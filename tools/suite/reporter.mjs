// The runner's own report for people, and before its closing lines the slowest test files. Plain JavaScript, because
// the runner loads it by itself.
import { relative } from "node:path";
import { Readable } from "node:stream";
import { spec } from "node:test/reporters";

const SHOWN = 10;
/** The first of the runner's closing lines. */
const FIRST_OF_CLOSING = /^tests \d+$/;

/** Takes the runner's events, and yields text. */
export default async function* report(events) {
  yield* Readable.from(withSlowest(events)).pipe(new spec());
}

async function* withSlowest(events) {
  const files = [];
  for await (const event of events) {
    const { type, data } = event;
    // A file is a test around those in it.
    if (type === "test:complete" && data.nesting === 0 && data.file?.endsWith(data.name))
      files.push({ name: relative(process.cwd(), data.file), seconds: data.details.duration_ms / 1000 });
    if (type === "test:diagnostic" && data.nesting === 0 && FIRST_OF_CLOSING.test(data.message))
      yield { type: "test:stdout", data: { message: linesOf(files) } };
    yield event;
  }
}

function linesOf(files) {
  const longest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SHOWN);
  const lines = longest.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}\n`);
  return `\nThe slowest of ${files.length} files:\n${lines.join("")}\n`;
}
