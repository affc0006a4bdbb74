/** The reference of the SDK as a page. */
import { fileURLToPath } from "node:url";
import { type Entry, type Export, readEntries } from "./exports.ts";

export const PAGE = fileURLToPath(new URL("../../docs/sdk-reference.md", import.meta.url));

const KINDS = [
  ["class", "Classes"],
  ["function", "Functions"],
  ["value", "Values"],
  ["type", "Types"],
] as const;

const MAX_LINE = 150;
const MAX_VALUE_LINES = 40;
const VALUE_LINES_OF_CUT = 5;

const HEAD = `# Reference of the SDK

Every export of \`@svc/sdk\`, with its docstring, as the compiler declares it. \`pnpm docs:sdk\` writes the page. [The SDK by example](sdk-guide.md)
is where to begin; [protocol.md](protocol.md) says what the members of evidence mean, [api](api) what the service answers, and
[verdicts.md](verdicts.md) what each code of the verifier says.
`;

/** Returns the page, and the exports without a docstring. */
export function referencePage(): { readonly page: string; readonly undocumented: readonly string[] } {
  const known = new Set<string>();
  const undocumented: string[] = [];
  const parts = readEntries().map((entry) => {
    const own = entry.exports.filter(({ name }) => !known.has(name));
    for (const { name, docstring, undocumented: members } of own) {
      known.add(name);
      undocumented.push(...(docstring === "" ? [name] : []), ...members);
    }
    return own.length === 0 ? repeated(entry) : part(entry, own);
  });
  return { page: `${[HEAD, ...parts].join("\n")}`, undocumented };
}

/** Returns the section of an entry that only repeats exports of earlier entries. */
function repeated({ name, docstring, exports }: Entry): string {
  return `## ${name}\n\n${docstring}\n\n${inLines("", exports.map(linkToDeclared))}\n`;
}

function part({ name, docstring }: Entry, own: readonly Export[]): string {
  const groups = KINDS.map(([kind, title]) => ({ title, members: own.filter((each) => each.kind === kind) }));
  const filled = groups.filter(({ members }) => members.length > 0);
  const contents = filled.map(({ title, members }) => `${inLines(`- ${title}: `, members.map(linkTo))}\n`).join("");
  const texts = filled.flatMap(({ members }) => members).map(section);
  return `## ${name}\n\n${docstring}\n\n${contents}\n${texts.join("\n")}`;
}

function section({ name, kind, docstring, code }: Export): string {
  const lines = code
    .replaceAll("    ", "  ")
    .split("\n")
    .map((line) => (line.startsWith("type ") && line.length > MAX_LINE ? line.replace(/ [=|] /g, "\n  $&") : line))
    .map((line) => line.replace(/\n {3}= /, " =\n    ").replace(/\n {3}\|/g, "\n  |"));
  // A table shows only its first row.
  const isCut = kind === "value" && lines.length > MAX_VALUE_LINES;
  const shown = isCut ? [...lines.slice(0, VALUE_LINES_OF_CUT), "  // …", ...lines.slice(-1)] : lines;
  const [text, example] = docstring.split("\n\n@example\n");
  const shownExample = example === undefined ? "" : `\n\`\`\`ts\n${example}\n\`\`\`\n`;
  return `### ${name}\n\n${text}\n\n\`\`\`ts\n${shown.join("\n")}\n\`\`\`\n${shownExample}`;
}

/** An entry can export something under another name than the one that has its section. */
function linkToDeclared({ name, declaredName }: Export): string {
  return `[${name}](#${declaredName.toLowerCase()})`;
}

function linkTo({ name }: Export): string {
  return `[${name}](#${name.toLowerCase()})`;
}

/** Returns links with dots between, in lines that a page may have; those after the first are under a list's item. */
function inLines(start: string, links: readonly string[]): string {
  const indent = start === "" ? "" : "  ";
  const lines = [start];
  for (const [index, link] of links.entries()) {
    const text = index === links.length - 1 ? link : `${link} · `;
    const last = lines.pop() ?? "";
    if (last.trim() !== "" && last.length + text.trimEnd().length > MAX_LINE) lines.push(last.trimEnd(), indent + text);
    else lines.push(last + text);
  }
  return lines.join("\n");
}
