/**
 * Writes docs/verdicts.md from the one table of codes and the fixtures that show them. A code without a fixture is an
 * error. `--check` writes nothing and fails if the page is out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { CODES, type Json, type Kind, type Problem, type ProblemCode, verify } from "@svc/core";
import { problemFacts, problemText } from "@svc/report";

/** The codes that no file can produce, and the test that provokes each in another way. */
const NOT_OF_A_FILE: Readonly<Partial<Record<ProblemCode, string>>> = {
  kernels_disagree: "packages/core/test/cross-check.slow.test.ts",
};
/** The kinds with the simplest fixtures first. */
const SIMPLEST_FIRST: readonly Kind[] = ["receipt", "stream", "window", "checkpoint", "bundle"];
const LINE_CHARACTERS = 140;

/** A fixture and its problems. */
interface Shown {
  readonly path: string;
  readonly kind: Kind;
  readonly verdict: string;
  /** In the order of the report. */
  readonly problems: readonly Problem[];
}

const root = new URL("../", import.meta.url);
const target = new URL("docs/verdicts.md", root);
const fixtures = readFixtures();
const headings = [...readFileSync(new URL("docs/protocol.md", root), "utf8").matchAll(/^## ((\d+)\. .*)$/gm)];
const sections = (Object.keys(CODES) as ProblemCode[]).map((code) => {
  const { summary, points } = problemText(code);
  return [
    `### \`${code}\``,
    filled(summary),
    [{ title: "Example", text: exampleOf(code) }, ...points]
      .map(({ title, text }) => filled(`- **${title}:** ${title === "Protocol" ? linked(text) : text}`, "  "))
      .join("\n"),
  ].join("\n\n");
});
const page = `# Verdicts

Every verifier answers with one of three verdicts.

- **verified**: all that the object lets one check holds, and trust that you brought along reaches every signer.
- **rejected**: something does not hold, or evidence that you require is not there.
- **untrusted**: nothing that was checked is broken, but no key that you pin leads to the signer, or nothing proves that it signed in time.

Exit codes of \`svc\`: 0 verified, 1 rejected, 2 untrusted, 64 wrong usage, 66 input that cannot be read or is no evidence,
70 an internal error.

## Codes

Codes are stable: one cause, one code. The first problem of a report is the primary one. The examples are fixtures, each with the sentence that
its report gives for the code. \`svc explain CODE\` prints the rest of each on any machine, offline, and
\`svc explain\` lists all codes.

${sections.join("\n\n")}
`;

if (!process.argv.includes("--check")) writeFileSync(target, page);
else if (readFileSync(target, "utf8") !== page) {
  console.error("docs/verdicts.md is not what the codes and the fixtures give: run `pnpm verdicts`.");
  process.exit(1);
}

/** Makes the words "section 7" a link to that section. */
function linked(text: string): string {
  return text.replace(/section (\d+)/, (words, number) => {
    const [, title = ""] = headings.find(([, , of]) => of === number) ?? [];
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-");
    return `[${words}](protocol.md#${anchor})`;
  });
}

/**
 * Returns the fixture that shows a code best: as its first problem if possible, with the fewest others, in the simplest
 * object.
 */
function exampleOf(code: ProblemCode): string {
  const test = NOT_OF_A_FILE[code];
  if (test !== undefined) return shownByTest(code, test);
  const placeOf = ({ problems }: Shown) => problems.findIndex((problem) => problem.code === code);
  const [best] = fixtures
    .filter((one) => placeOf(one) >= 0)
    .sort(
      (a, b) =>
        placeOf(a) - placeOf(b) || a.problems.length - b.problems.length || complexity(a.kind) - complexity(b.kind),
    );
  if (best === undefined) throw new Error(`no fixture shows the code ${code}`);
  const { path, verdict, problems } = best;
  const place = placeOf(best);
  const earlier = [...new Set(problems.slice(0, place).map((problem) => `\`${problem.code}\``))];
  const after = earlier.length === 0 ? "" : ` It is there after ${earlier.join(", ")}.`;
  const message = problems[place]?.message.replaceAll(/[*<]/g, "\\$&");
  return `[${path}](../fixtures/cases/${path}.json) is ${verdict}: “${message}”${after}`;
}

function complexity(kind: Kind): number {
  const rank = SIMPLEST_FIRST.indexOf(kind);
  return rank < 0 ? SIMPLEST_FIRST.length : rank;
}

function shownByTest(code: string, path: string): string {
  if (!readFileSync(new URL(path, root), "utf8").includes(`"${code}"`))
    throw new Error(`${path} does not name ${code}`);
  return `no file can produce it by itself. [A test](../${path}) shows it.`;
}

function readFixtures(): Shown[] {
  const folder = new URL("fixtures/cases/", root);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => {
    const {
      input,
      input_base64 = "",
      kind,
      ...options
    } = JSON.parse(readFileSync(new URL(name, folder), "utf8")) as {
      readonly input?: string;
      readonly input_base64?: string;
      readonly kind: Kind;
      readonly trust: Json;
      readonly links?: readonly Json[];
    };
    const bytes = input === undefined ? Buffer.from(input_base64, "base64") : Buffer.from(input);
    const { verdict, problems } = verify(new Uint8Array(bytes), { kind, ...options });
    const stated = problems.map(({ code }) => problemFacts(code).verdicts);
    const holds =
      verdict === "rejected"
        ? stated.some((verdicts) => verdicts.includes(verdict))
        : verdict === "verified"
          ? stated.length === 0
          : stated.every((verdicts) => verdicts.includes(verdict));
    if (!holds) throw new Error(`${name} is ${verdict}, and its codes state another verdict`);
    return { path: name.replaceAll("\\", "/").slice(0, -".json".length), kind, verdict, problems };
  });
}

/** Breaks a paragraph into lines; `indent` begins every line but the first. */
function filled(text: string, indent = ""): string {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    if (row !== "" && row.length + 1 + word.length > LINE_CHARACTERS) {
      rows.push(row);
      row = indent + word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row].join("\n");
}
